"""Mutation check of the rules: a seeded sample of cosmic-ray's mutants, each against the tests of the rules.

python -m tests.bench.mutate [--count 500] [--seed 1] [--out FILE] [--minutes M] [--files judge.py …] [--again]

Needs ``pip install cosmic-ray``. A copy of the project is mutated, never the project. Mutants that change annotations
or ``slots`` only are not counted: they say the same. A mutant is killed when one of the tests that can notice it fails,
or takes far longer than it should (:mod:`tests.bench.mutants`). The order of the sample depends on the seed and on each
mutant alone, and results are kept in ``--out`` (JSON lines) under the mutated source: what is not changed since is not
run again.
"""

import argparse
import ast
import hashlib
import json
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cosmic_ray import plugins
from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code

from tests.bench.mutants import ROOT, RULES, Copy

TARGET = 95


@dataclass(frozen=True)
class Result:
    """What became of a mutant; ``mutant`` is the digest of its source."""

    mutant: str
    file: str
    operator: str
    change: str
    outcome: str


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


def known_results(path: Path) -> dict[str, Result]:
    """What earlier runs have found, by mutant; of several results the last counts."""
    if not path.exists():
        return {}
    results = (Result(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    return {result.mutant: result for result in results}


def run_all(options: argparse.Namespace) -> list[Result]:
    """The results of the sample, as far as the time allows."""
    start, results, known = time.monotonic(), [], known_results(options.out)
    with tempfile.TemporaryDirectory() as name, Copy(Path(name), options.out.absolute().parent) as copy:
        for file, operator, source in sample(options.count, options.seed):
            if options.files and file not in options.files:
                continue
            mutant = hashlib.sha256(f"{file} {source}".encode()).hexdigest()[:16]
            result = known.get(mutant)
            if result is None or (options.again and result.outcome == "survived"):
                if time.monotonic() - start > 60 * options.minutes:
                    break
                result = Result(mutant, file, operator, difference(file, source), copy.outcome_of(file, source))
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
