"""Mutation check of the rules: a seeded sample of cosmic-ray's mutants, each against the tests of the rules.

python -m tests.bench.mutate [--count 500] [--seed 1] [--out FILE] [--minutes M] [--files judge.py …] [--again]

Needs ``pip install cosmic-ray``. A copy of the project is mutated, never the project. Mutants that change annotations
or ``slots`` only are not counted: they say the same. The tests run in the order of their duration, the shortest first,
and stop at the first that fails; then, or when one of them takes far longer than it should, the mutant is killed. The
order of the sample depends on the seed and on each mutant alone, and results are kept in ``--out`` (JSON lines) under
the mutated source: what is not changed since is not run again.
"""

import argparse
import ast
import hashlib
import json
import math
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import typer.testing  # noqa: F401 - what the tests import and nobody mutates is imported once, before the forks
from cosmic_ray import plugins
from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from hypothesis import Phase

ROOT = Path(__file__).parents[2]
RULES = Path("companion/rules")
TESTS = ["tests/rules", "tests/cli/test_rules_filters.py"]
QUIET = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
SLACK_S, SLOWER = 3, 10
"""So much processor time is a test given beyond so many times what it needs without a mutant."""
TARGET = 95


@dataclass(frozen=True)
class Result:
    """What became of a mutant; ``mutant`` is the digest of its source."""

    mutant: str
    file: str
    operator: str
    change: str
    outcome: str


class Watch:
    """Plugin of pytest: the shortest tests first, and none without end."""

    def __init__(self, durations: dict[str, float]) -> None:
        self.durations = durations
        self.measured: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.durations.get(item.nodeid, 0))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        allowed = time.process_time() + SLACK_S + SLOWER * self.durations.get(nodeid, 60)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(allowed), resource.RLIM_INFINITY))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.measured[report.nodeid] = self.measured.get(report.nodeid, 0) + report.duration


def mutants() -> Iterator[tuple[str, str, int]]:
    """File, operator and occurrence of every mutant."""
    for path in sorted((ROOT / RULES).glob("*.py")):
        nodes = list(_nodes(get_ast(path.read_text(encoding="utf-8"))))
        for name in sorted(plugins.operator_names()):
            operator = _operator(name)
            if operator is not None:
                found = sum(len(list(operator.mutation_positions(node))) for node in nodes)
                yield from ((path.name, name, occurrence) for occurrence in range(found))


def _operator(name: str) -> Any:
    kind = plugins.get_operator(name)
    return kind() if not kind.arguments() else None


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in getattr(tree, "children", ()):
        yield from _nodes(child)


class _Plain(ast.NodeTransformer):
    """Without annotations and slots."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(0)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        node.keywords = [keyword for keyword in node.keywords if keyword.arg != "slots"]
        self.generic_visit(node)
        return node


def plain(source: str) -> str:
    return ast.dump(_Plain().visit(ast.parse(source)))


def mutated(file: str, name: str, occurrence: int) -> str | None:
    """The source of a mutant, or None when it says the same."""
    source = (ROOT / RULES / file).read_text(encoding="utf-8")
    changed = mutate_code(source, _operator(name), occurrence)
    try:
        return changed if changed and plain(changed) != plain(source) else None
    except SyntaxError:
        return None


def tested(folder: Path, durations: dict[str, float]) -> str:
    """``killed``, ``survived`` or ``timeout`` of the tests in the folder, in a process of their own."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(_run(folder, durations))
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) == signal.SIGXCPU else "killed"
    return "killed" if status else "survived"


def _run(folder: Path, durations: dict[str, float]) -> int:
    """The tests; without durations these are measured and written down."""
    os.chdir(folder)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (60, resource.RLIM_INFINITY))
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        del sys.modules[name]
    sys.dont_write_bytecode = bool(durations)
    # Which example fails does not matter: it is not made smaller.
    hypothesis.settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    hypothesis.settings.load_profile("mutants")
    watch = Watch(durations)
    code = int(pytest.main([*QUIET, *TESTS], plugins=[watch]))
    if not durations:
        (folder / "durations.json").write_text(json.dumps(watch.measured), encoding="utf-8")
    return code


def sample(count: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """File, operator and source of so many mutants."""
    every = sorted(mutants(), key=lambda each: hashlib.sha256(f"{seed} {each}".encode()).digest())
    print(f"{len(every)} mutants in all", flush=True)
    taken = 0
    for file, name, occurrence in every:
        source = mutated(file, name, occurrence)
        if source is not None:
            yield file, name, source
            taken += 1
            if taken == count:
                return


def difference(file: str, source: str) -> str:
    """The first line that a mutant changes."""
    before = (ROOT / RULES / file).read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(before, source.splitlines(), strict=False), 1):
        if old != new:
            return f"{number}: {old.strip()} -> {new.strip()}"
    return "end of the file"


def copied(folder: Path) -> None:
    """What the tests need of the project."""
    unneeded = shutil.ignore_patterns("__pycache__", "*.onnx", "*.png", "*.jpg", "*.mp4")
    for part in ("companion", "tests", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=unneeded)
    shutil.copy(ROOT / "pyproject.toml", folder)


def outcome_of(folder: Path, file: str, source: str, durations: dict[str, float]) -> str:
    """What becomes of the mutant in the copy, which is put back afterwards."""
    target = folder / RULES / file
    target.write_text(source, encoding="utf-8")
    try:
        return tested(folder, durations)
    finally:
        shutil.copy2(ROOT / RULES / file, target)


def known_results(path: Path) -> dict[str, Result]:
    """What earlier runs have found, by mutant; of several results the last counts."""
    if not path.exists():
        return {}
    results = (Result(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    return {result.mutant: result for result in results}


def run_all(options: argparse.Namespace) -> list[Result]:
    """The results of the sample, as far as the time allows."""
    start, results, known = time.monotonic(), [], known_results(options.out)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        if tested(folder, {}) != "survived":
            sys.exit("the tests fail without any mutant")
        durations = json.loads((folder / "durations.json").read_text(encoding="utf-8"))
        for file, operator, source in sample(options.count, options.seed):
            if options.files and file not in options.files:
                continue
            mutant = hashlib.sha256(f"{file} {source}".encode()).hexdigest()[:16]
            result = known.get(mutant)
            if result is None or (options.again and result.outcome == "survived"):
                if time.monotonic() - start > 60 * options.minutes:
                    break
                outcome = outcome_of(folder, file, source, durations)
                result = Result(mutant, file, operator, difference(file, source), outcome)
                with options.out.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(result)) + "\n")
            results.append(result)
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no mutant after so many minutes")
    parser.add_argument("--files", nargs="*", default=[], help="of the sample only the mutants of these files")
    parser.add_argument("--again", action="store_true", help="run those again that survived")
    options = parser.parse_args()
    results = run_all(options)
    counts = Counter(result.outcome for result in results)
    score = 100 * (counts["killed"] + counts["timeout"]) / max(1, len(results))
    print(f"{len(results)} mutants, seed {options.seed}: {dict(counts)}, killed {score:.1f} %")
    for result in results:
        if result.outcome == "survived":
            print(f"{result.file}:{result.change} ({result.operator})")
    return 0 if score >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
