"""Mutation check of the rules: a seeded sample of cosmic-ray's mutants, each against the tests of the rules.

python tests/bench/mutate.py [--count 500] [--seed 1] [--out FILE] [--minutes M]

Needs ``pip install cosmic-ray``. A copy of the project is mutated, never the project. Mutants that change annotations
only are not counted. Killed means that a test fails, or that the tests take ten times as long as they should. The
results are kept in ``--out`` (JSON lines), so that an interrupted run goes on where it was.
"""

import argparse
import ast
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis  # noqa: F401 - imported once, before the forks
import pytest
from cosmic_ray import plugins
from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).parents[2]
RULES = Path("companion/rules")
TESTS = [f"tests/rules/test_{name}.py" for name in ("rule_ids", "house", "match", "oracle", "perft", "texts", "svg")]
TESTS += ["tests/cli/test_rules_filters.py", "tests/rules/test_plays.py"]
FIRST = {
    "notation.py": "texts", "ids.py": "texts", "diagram.py": "texts", "match.py": "match", "scoring.py": "match",
    "options.py": "house", "profiles.py": "house", "retrace.py": "oracle", "tiling.py": "oracle", "judge.py": "oracle",
    "svg.py": "svg",
}  # fmt: skip
"""Which tests are likely to kill a mutant of a file: they run first."""
LONGEST_S = 400


def mutants() -> Iterator[tuple[str, str, int]]:
    """File, operator and occurrence of every mutant."""
    for path in sorted((ROOT / RULES).glob("*.py")):
        tree = get_ast(path.read_text(encoding="utf-8"))
        for name in sorted(plugins.operator_names()):
            operator = _operator(name)
            if operator is None:
                continue
            found = sum(len(list(operator.mutation_positions(node))) for node in _nodes(tree))
            for occurrence in range(found):
                yield path.name, name, occurrence


def _operator(name: str) -> Any:
    kind = plugins.get_operator(name)
    return kind() if not kind.arguments() else None


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in getattr(tree, "children", ()):
        yield from _nodes(child)


class _Plain(ast.NodeTransformer):
    """Without annotations and docstrings."""

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


def killed(folder: Path, file: str = "") -> str:
    """``killed``, ``survived`` or ``timeout`` of the tests in the folder, in a process of their own."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.chdir(folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            sys.path.insert(0, str(folder))
            warning = "ignore::pytest.PytestAssertRewriteWarning"  # pytest itself was imported before the fork
            for tests in _tests(file):
                if pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-W", warning, *tests]):
                    os._exit(1)
            os._exit(0)
        finally:
            os._exit(1)
    start = time.monotonic()
    while time.monotonic() - start < LONGEST_S:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "survived" if status == 0 else "killed"
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def _tests(file: str) -> list[list[str]]:
    """The tests that are likely to kill a mutant of the file, and then the others."""
    first = f"tests/rules/test_{FIRST.get(file, 'rule_ids')}.py"
    return [[first], [test for test in TESTS if test != first]]


def sample(count: int, seed: int) -> Iterator[tuple[str, str, int, str]]:
    every = sorted(mutants())
    random.Random(seed).shuffle(every)
    print(f"{len(every)} mutants in all")
    taken = 0
    for file, name, occurrence in every:
        source = mutated(file, name, occurrence)
        if source is not None:
            yield file, name, occurrence, source
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no mutant after so many minutes")
    options = parser.parse_args()
    known = {}
    if options.out.exists():
        for line in options.out.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            known[result["file"], result["operator"], result["occurrence"]] = result
    start, results = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("companion", "tests", "docs", "pyproject.toml"):
            source, target = ROOT / part, copy / part
            if source.is_dir():
                shutil.copytree(
                    source, target, ignore=shutil.ignore_patterns("__pycache__", "*.onnx", "*.png", "*.jpg", "*.mp4")
                )
            else:
                shutil.copy(source, target)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        if killed(copy) != "survived":
            print("the tests fail without any mutant", file=sys.stderr)
            return 1
        for file, name, occurrence, source in sample(options.count, options.seed):
            result = known.get((file, name, occurrence))
            if result is None:
                if time.monotonic() - start > 60 * options.minutes:
                    break
                target = copy / RULES / file
                original = target.read_text(encoding="utf-8")
                target.write_text(source, encoding="utf-8")
                outcome = killed(copy, file)
                target.write_text(original, encoding="utf-8")
                result = {"file": file, "operator": name, "occurrence": occurrence, "outcome": outcome}
                result["change"] = difference(file, source)
                with options.out.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(result) + "\n")
            results.append(result)
    counts = Counter(result["outcome"] for result in results)
    score = 100 * (counts["killed"] + counts["timeout"]) / max(1, len(results))
    print(f"{len(results)} mutants, seed {options.seed}: {dict(counts)}, killed {score:.1f} %")
    for result in results:
        if result["outcome"] == "survived":
            print(f"{result['file']}:{result['change']} ({result['operator']})")
    return 0 if score >= 95 else 1


if __name__ == "__main__":
    sys.exit(main())
