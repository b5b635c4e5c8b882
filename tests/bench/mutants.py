"""Mutants put to the tests: each in a process of its own, and only to the tests that can notice it.

Collecting the tests takes far longer than most of them run. So they are collected once, in a process that then waits
for mutants: one that changes the body of a function gets a fork, in which the function's code is exchanged and those
tests run that call it, the shortest first. What would have acted before that (constants, classes, functions that are
called while the tests are collected) is written into a copy of the project, and all tests are collected and run anew.
"""

import ast
import hashlib
import json
import math
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import hypothesis
import pytest
import typer.testing  # noqa: F401 - what the tests import and nobody mutates is imported once, before the forks
from hypothesis import Phase

ROOT = Path(__file__).parents[2]
RULES = Path("companion/rules")
TESTS = ["tests/rules", "tests/cli/test_rules_filters.py", "tests/cli/test_rules_games.py"]
QUIET = ["-x", "-q", "--capture=sys", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
SLACK_S, SLOWER = 4, 5
"""So much processor time is a test given beyond so many times what it needs without a mutant."""
COLLECTING_S = 60

Function = tuple[str, str]
"""A file of the rules, and the name of a function in it, as ``Class.method`` where it is one."""


class Calls:
    """Which functions of the rules are called; those within a function count as that."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder / RULES)
        self.seen: set[CodeType] = set()

    def __enter__(self) -> "Calls":
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _called(self, frame: Any, event: str, arg: Any) -> None:
        self.seen.add(frame.f_code)

    def functions(self) -> set[Function]:
        inside = [code for code in self.seen if os.path.dirname(code.co_filename) == self.folder]
        return {(os.path.basename(code.co_filename), code.co_qualname.split(".<locals>")[0]) for code in inside}


class Limits:
    """Plugin of pytest: the shortest tests first, and none without end."""

    def __init__(self, durations: dict[str, float]) -> None:
        self.durations = durations

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.durations.get(item.nodeid, 0))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        limit_time(SLACK_S + SLOWER * self.durations.get(nodeid, COLLECTING_S))


class Server:
    """Plugin of pytest: instead of running the tests it answers mutants (file, function, source) with their outcomes.

    Its first answer says how long each test takes and which functions it calls, and which were called before. This is
    kept in a file, for the same tests of the same program.
    """

    def __init__(self, folder: Path, pipe: Connection, kept: Path) -> None:
        self.folder, self.pipe, self.kept = folder, pipe, kept
        self.failed = False
        self.before = Calls(folder)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.before.__exit__()
        items = {item.nodeid: item for item in session.items}
        outcome = "survived" if self.kept.exists() else in_a_fork(lambda: self._measure(items))
        self.pipe.send((outcome, sorted(self.before.functions())))
        measured = json.loads(self.kept.read_text(encoding="utf-8"))
        durations = {name: duration for name, (duration, _) in measured.items()}
        while True:
            file, function, source = self.pipe.recv()
            called = [name for name, (_, functions) in measured.items() if [file, function] in functions]
            chosen = [items[name] for name in sorted(called, key=lambda name: durations[name])]
            self.pipe.send(in_a_fork(lambda: self._noticed(file, function, source, chosen, durations)))  # noqa: B023

    def _measure(self, items: dict[str, pytest.Item]) -> int:
        boards = sys.modules["tests.rules.boards"]
        with Calls(self.folder) as games:
            for name in sys.modules["companion.rules"].GAMES:
                for number in range(boards.GAMES_PLAYED):
                    boards.random_game(name, number)
        measured = {}
        for name, item in items.items():
            start = time.process_time()
            forget()
            with Calls(self.folder) as calls:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            # The shared games are played already, but with a mutant each test plays them.
            shared = games.functions() if boards.random_game.__code__ in calls.seen else set()
            measured[name] = time.process_time() - start, sorted(calls.functions() | shared)
        if not self.failed:
            self.kept.write_text(json.dumps(measured), encoding="utf-8")
        return int(self.failed)

    def _noticed(
        self, file: str, function: str, source: str, items: Iterable[pytest.Item], durations: dict[str, float]
    ) -> int:
        exchange(file, function, source)
        forget()
        for item in items:
            limit_time(SLACK_S + SLOWER * durations[item.nodeid])
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                return 1
        return 0


def limit_time(seconds: float) -> None:
    """End this process when it has used so much more processor time."""
    limit = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def in_a_fork(call: Callable[[], int]) -> str:
    """``survived`` when the call returns 0, ``timeout`` when it uses too much time, else ``killed``."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(call())
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) == signal.SIGXCPU else "killed"
    return "killed" if status else "survived"


def forget() -> None:
    """Empty the caches of the rules, so that each test calls what it needs."""
    for name, module in list(sys.modules.items()):
        if name.startswith("companion.rules"):
            for each in vars(module).values():
                getattr(each, "cache_clear", lambda: None)()


def exchange(file: str, function: str, source: str) -> None:
    """Give a function of a loaded module of the rules its code from another source."""
    module = sys.modules[f"companion.rules.{file.removesuffix('.py')}"]
    found: Any = module
    code = compile(source, str(module.__file__), "exec")
    for name in function.split("."):
        found = vars(found)[name]
        code = next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == name)
    for wrapper in ("__func__", "fget", "func", "__wrapped__"):
        found = found if isinstance(found, FunctionType) else getattr(found, wrapper, found)
    found.__code__ = code


def changed_function(before: ast.Module, after: ast.Module) -> str | None:
    """The one function whose body is all that two sources differ in; both trees lose their bodies."""
    bodies = [_bodies_of(tree) for tree in (before, after)]
    if ast.dump(before) != ast.dump(after):
        return None
    different = [name for name in bodies[0] if bodies[0][name] != bodies[1][name]]
    return different[0] if len(different) == 1 else None


def _bodies_of(tree: ast.Module) -> dict[str, str]:
    bodies = {}
    for owner in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))):
        prefix = f"{owner.name}." if isinstance(owner, ast.ClassDef) else ""
        for node in owner.body:
            if isinstance(node, ast.FunctionDef):
                bodies[prefix + node.name] = "".join(map(ast.dump, node.body))
                node.body = []
    return bodies


def digest(folder: Path) -> str:
    """What stands in the tests, and in the modules that they test."""
    files = [path for part in (RULES, "companion/cli", "tests") for path in sorted((folder / part).rglob("*.*"))]
    found = hashlib.sha256()
    for path in files:
        if path.is_file() and path.suffix != ".pyc":
            found.update(f"{path.relative_to(folder)} ".encode() + path.read_bytes())
    return found.hexdigest()[:16]


class Copy:
    """A copy of the project in a folder, with the process that has its tests collected; ``with`` starts and ends it.

    ``kept`` is a folder where what was measured of the tests is kept.
    """

    def __init__(self, folder: Path, kept: Path) -> None:
        self.folder = folder
        unneeded = shutil.ignore_patterns("__pycache__", "*.onnx", "*.png", "*.jpg", "*.mp4")
        for part in ("companion", "tests", "docs"):
            shutil.copytree(ROOT / part, folder / part, ignore=unneeded)
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.kept = kept / f"mutants-{digest(folder)}.json"
        self._pipe, theirs = multiprocessing.Pipe()
        self._server = multiprocessing.get_context("fork").Process(target=self._serve, args=(theirs,), daemon=True)

    def __enter__(self) -> "Copy":
        self._server.start()
        outcome, called_before = self._pipe.recv()
        if outcome != "survived":
            sys.exit("the tests fail without any mutant")
        self.called_before = set(map(tuple, called_before))
        measured = json.loads(self.kept.read_text(encoding="utf-8"))
        self.durations = {name: duration for name, (duration, _) in measured.items()}
        return self

    def __exit__(self, *_: object) -> None:
        self._server.kill()

    def outcome_of(self, file: str, source: str) -> str:
        """What becomes of the mutant: ``killed``, ``survived`` or ``timeout``."""
        original = (ROOT / RULES / file).read_text(encoding="utf-8")
        function = changed_function(ast.parse(original), ast.parse(source))
        if function and (file, function) not in self.called_before:
            self._pipe.send((file, function, source))
            return str(self._pipe.recv())
        target = self.folder / RULES / file
        target.write_text(source, encoding="utf-8")
        try:
            return in_a_fork(lambda: self._run(Limits(self.durations)))
        finally:
            shutil.copy2(ROOT / RULES / file, target)  # with its time, by which Python knows what it has compiled

    def _serve(self, pipe: Connection) -> None:
        server = Server(self.folder, pipe, self.kept)
        server.before.__enter__()
        self._run(server)

    def _run(self, plugin: object) -> int:
        """The tests of the copy, with a plugin."""
        os.chdir(self.folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.dont_write_bytecode = isinstance(plugin, Limits)
        if isinstance(plugin, Limits):
            limit_time(COLLECTING_S)
        sys.path.insert(0, str(self.folder))
        for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
            del sys.modules[name]
        # Which example fails does not matter: it is not made smaller.
        hypothesis.settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
        hypothesis.settings.load_profile("mutants")
        return int(pytest.main([*QUIET, *TESTS], plugins=[plugin]))
