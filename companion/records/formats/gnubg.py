"""Running gnubg, where it is installed, without anybody at its keyboard."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from companion.errors import CompanionError

_PLACES = "/usr/games:/usr/local/games:/usr/local/bin:/usr/bin"
_MARK = "companion-answer "


class GnubgError(CompanionError, RuntimeError):
    """gnubg is not installed, or did not do what it was asked to."""


def find_gnubg() -> Path:
    """Where gnubg is; raises GnubgError when it is not installed."""
    found = shutil.which("gnubg") or shutil.which("gnubg", path=_PLACES)
    if found is None:
        raise GnubgError("gnubg: not installed (Debian and Raspberry Pi OS: sudo apt install gnubg)")
    return Path(found)


def ask_gnubg(script: str, *, timeout_s: float) -> list[str]:
    """Run a Python script inside gnubg and return what it gave to ``answer(text)``, one line each time.

    The person's own settings of gnubg are not used. Raises GnubgError when it is missing, fails, or takes longer.
    """
    program = find_gnubg()
    with tempfile.TemporaryDirectory(prefix="companion-gnubg-") as folder:
        file = Path(folder) / "script.py"
        file.write_text(_FRAME.format(mark=_MARK, script=script), encoding="utf-8")
        command = [str(program), "-t", "-q", "-r", "-p", str(file)]
        env = os.environ | {"HOME": folder, "LC_ALL": "C.UTF-8"}
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, env=env, timeout=timeout_s, check=False
            )
        except subprocess.TimeoutExpired:
            raise GnubgError(f"gnubg: expected an answer within {timeout_s:.0f} s, got none") from None
        except OSError as error:
            raise GnubgError(f"gnubg: {error.strerror or error}") from None
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    answers = [line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)]
    if done.returncode or not answers or answers[-1] != "end":
        said = (done.stderr.decode("utf-8", "replace").strip() or "nothing").splitlines()[-1]
        raise GnubgError(f"gnubg: expected its answer, got exit code {done.returncode} and {said[:200]!r}")
    return answers[:-1]


_FRAME = """\
import gnubg, json, sys
def answer(text):
    sys.stdout.write("\\n{mark}" + text + "\\n")
    sys.stdout.flush()
{script}
answer("end")
"""
