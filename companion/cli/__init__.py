"""The command line: ``companion COMMAND``. Each module beside this one registers the commands that it holds.

Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted. Whatever a command raises for the user
becomes one line on standard error, never a traceback (``COMPANION_DEBUG=1`` shows it to a developer).
"""

import importlib
import os
import sys
from collections.abc import Callable, Sequence

import typer

from companion import __version__, languages
from companion.errors import CompanionError

_MODULES: dict[str, tuple[str, ...]] = {
    "demo": ("demo",),
    "run": ("run",),
    "replay": ("replay",),
    "read": ("read",),
    "calibrate": ("calibrate",),
    "rules": ("legal", "judge", "score"),
    "records": ("history", "show"),
    "stats": ("stats",),
    "fix": ("fix",),
    "upkeep": ("backup", "forget", "recover"),
    "doctor": ("doctor",),
    "transfer": ("export", "import", "analyse"),
}
"""Which module of this package holds which commands, in the order of ``companion --help``."""

_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""click's UsageError, wherever the installed typer keeps it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; ``arguments`` are those of the process by default."""
    _speak_utf8()
    languages.use(languages.from_environment())
    try:
        words = sys.argv[1:] if arguments is None else list(arguments)
        code = build()(args=words, prog_name="companion", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except Exception as error:
        if os.environ.get("COMPANION_DEBUG"):
            raise
        return _report(error)
    return code if isinstance(code, int) else 0


def build() -> typer.Typer:
    """The application with all its commands."""
    app = typer.Typer(
        name="companion",
        help="A camera referee for nardy, tabla and backgammon on a real wooden board.",
        epilog="Example: companion demo",
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_general)
    for module, commands in _MODULES.items():
        _register(app, module, commands)
    return app


def _speak(wanted: str | None) -> str | None:
    if wanted is not None:
        languages.use(wanted)
    return wanted


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"companion {__version__}")
        raise typer.Exit


def _general(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
    ),
    language: str | None = typer.Option(
        None, "--language", callback=_speak, help="What players read and hear: en, ru or bg (default: the machine's)."
    ),
) -> None:
    """What may stand before a command."""


def _register(app: typer.Typer, module: str, commands: Sequence[str]) -> None:
    """Add a module's commands; where a library is missing, these say so and the others still work."""
    try:
        importlib.import_module(f"{__name__}.{module}").register(app)
    except ImportError as error:
        for command in commands:
            app.command(command, help=f"Does not work here: {error}.")(_unavailable(command, str(error)))


def _unavailable(command: str, why: str) -> Callable[[], None]:
    def fail() -> None:
        raise CompanionError(f"{command}: a part of the program cannot be loaded: {why}")

    return fail


def _report(error: Exception) -> int:
    """Say it in one line; return 2 for a wrong command line and 1 for everything else."""
    if isinstance(error, _USAGE_ERROR):
        usage = _usage(error)  # empty when the help was shown instead
        return _say(usage, 2) if usage else 2
    if isinstance(error, typer.Abort):
        return 1
    if isinstance(error, CompanionError) or _is_rules_error(error):
        return _say(str(error), 1)
    if isinstance(error, OSError) and error.filename is not None:
        return _say(f"{error.filename}: {(error.strerror or str(error)).lower()}", 1)
    kind = type(error).__name__
    return _say(f"this should not happen: {kind}: {error} (COMPANION_DEBUG=1 shows where)", 1)


def _is_rules_error(error: Exception) -> bool:
    from companion.rules.errors import RulesError

    return isinstance(error, RulesError)


def _usage(error: Exception) -> str:
    """Which command was written wrongly, and how."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "companion"
    described = getattr(error, "format_message", error.__str__)()
    return f"{described.rstrip('.')} (see {command} --help)" if described else ""


def _say(message: str, code: int) -> int:
    print("companion:", " ".join(message.split()), file=sys.stderr)
    return code


def _speak_utf8() -> None:
    """Cyrillic and ½ come out right also where a bare system has no locale."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8")


def _reader_left() -> int:
    """Whoever read our output has ended (``| head``): be quiet, also at the interpreter's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
