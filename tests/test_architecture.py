"""Who may import whom, what may be imported where, and how long a function or a module may grow."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "companion"
MODULES = sorted(PACKAGE.rglob("*.py"))

# From the ground up; what stands on one line must not import what stands on a later one.
LEVELS = (
    ("config", "errors", "languages", "closing"),
    ("frame", "layout", "observation", "inputs", "attention"),
    ("rules",),
    ("events",),
    ("camera", "vision", "settle", "table", "signals", "records", "web", "club"),
    ("pipeline",),
    ("cli",),
)
STAGES = LEVELS[4]
LEVEL = {part: level for level, parts in enumerate(LEVELS) for part in parts}
ONLY_IN = {
    "picamera2": {"camera"},
    "libcamera": {"camera"},
    "gpiozero": {"signals"},
    "luma": {"signals"},
    "lgpio": {"signals"},
    "cv2": {"vision", "camera"},
    "sqlite3": {"records"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "jinja2": {"web"},
}
LONGEST_FUNCTION = 60
LONGEST_MODULE = 500


def name(path: Path) -> str:
    return str(path.relative_to(PACKAGE.parent))


def part(path: Path) -> str:
    """The folder or module of ``companion/`` that a file belongs to; empty for the package itself."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imported(path: Path) -> Iterator[str]:
    """The dotted names of all modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: imports are absolute"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts_imported(path: Path) -> set[str]:
    names = (dotted.split(".") for dotted in imported(path))
    return {pieces[1] for pieces in names if pieces[0] == "companion" and len(pieces) > 1} & LEVEL.keys()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_module_belongs_to_a_part_of_the_design(path: Path) -> None:
    assert part(path) in {"", *LEVEL}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_go_down_only(path: Path) -> None:
    here = part(path)
    upward = {p for p in parts_imported(path) if LEVEL[p] > LEVEL.get(here, 0)}
    assert not upward, f"{here} imports {upward}"


@pytest.mark.parametrize("path", [p for p in MODULES if part(p) in STAGES], ids=name)
def test_no_stage_imports_another_stage(path: Path) -> None:
    assert parts_imported(path) & set(STAGES) <= {part(path)}


@pytest.mark.parametrize("path", [p for p in MODULES if part(p) in ("vision", "camera", "settle")], ids=name)
def test_what_sees_knows_no_rules(path: Path) -> None:
    assert "rules" not in parts_imported(path)


@pytest.mark.parametrize("path", [p for p in MODULES if part(p) == "rules"], ids=name)
def test_the_rules_stand_on_the_standard_library_and_the_layout(path: Path) -> None:
    foreign = {d for d in imported(path) if d.split(".")[0] not in sys.stdlib_module_names | {"companion"}}
    assert not foreign
    assert parts_imported(path) <= {"rules", "layout"}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_devices_and_pictures_are_imported_only_where_they_belong(path: Path) -> None:
    roots = {dotted.split(".")[0] for dotted in imported(path)}
    misplaced = {root for root in roots & ONLY_IN.keys() if part(path) not in ONLY_IN[root]}
    assert not misplaced, f"{name(path)} imports {misplaced}"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_functions_fit_on_a_screen_and_modules_stay_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < LONGEST_MODULE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length < LONGEST_FUNCTION, f"{name(path)}: {node.name} has {length} lines"


def test_importing_everything_touches_no_hardware() -> None:
    names = sorted(".".join(p.relative_to(PACKAGE.parent).with_suffix("").parts) for p in MODULES)
    wanted = [n.removesuffix(".__init__") for n in names if not n.endswith("__main__")]
    hardware = ("picamera2", "libcamera", "lgpio", "RPi", "pigpio", "smbus2", "spidev")
    code = f"import sys\nfor n in {wanted!r}: __import__(n)\nprint([m for m in {hardware!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
