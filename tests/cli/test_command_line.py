"""How the program answers a person: exit codes, one line for each error, help with an example."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from companion import cli
from companion.errors import ConfigError
from companion.rules.errors import RulesError

COMMANDS = [command for commands in cli._MODULES.values() for command in commands]


def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COMPANION_DEBUG": ""} | more
    command = [sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"Example: companion {command}" in shown
    assert "Does not work here" not in shown


def test_without_a_command_the_help_is_shown_and_it_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    captured = capsys.readouterr()
    assert all(command in captured.out for command in COMMANDS)
    assert captured.err == ""


@pytest.mark.parametrize("arguments", [["sing"], ["history", "--loud"], ["show", "one"], ["export", "--format", "pdf"]])
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("companion: ")
    assert said.count("\n") == 1
    assert "--help)" in said


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ConfigError("a.json: key home: expected BR, got XX"), 1, "companion: a.json: key home: expected BR, got XX"),
        (RulesError("16 checkers"), 1, "companion: 16 checkers"),
        (FileNotFoundError(2, "No such file or directory", "x.mp4"), 1, "companion: x.mp4: no such file or directory"),
        (ZeroDivisionError("by zero"), 1, "this should not happen: ZeroDivisionError: by zero"),
        (ConfigError("two\nlines"), 1, "companion: two lines"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_a_command_raises_becomes_one_line(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        raise error

    def build() -> typer.Typer:
        app = typer.Typer()
        app.command("fail")(fail)
        app.command("other")(lambda: None)
        return app

    monkeypatch.setattr(cli, "build", build)
    monkeypatch.delenv("COMPANION_DEBUG", raising=False)
    assert cli.main(["fail"]) == code
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == (1 if said else 0)


def test_a_part_that_cannot_be_loaded_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_MODULES", {"no_such_module": ("sing",), "records": ("history",)})
    assert cli.main(["history", "--help"]) == 0
    assert cli.main(["sing"]) == 1
    assert capsys.readouterr().err.startswith("companion: sing: a part of the program cannot be loaded: ")


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("companion 0.")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m companion.cli --help | true; exit ${{PIPESTATUS[1]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_output_is_utf8_without_a_locale(tmp_path: Path) -> None:
    done = run("--help", LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
