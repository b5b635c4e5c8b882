"""A file that somebody hands in: its text within limits, and errors that say where.

FormatError
    one line: file, line, column, what was expected and what was there.
"""

from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, RecordError

LARGEST = 8 * 1024 * 1024
"""Bytes of a file that is read: many times the longest match with its analysis."""
MOST_PLAYS = 10_000
"""Plays of a file that is read: 49 games of a match to 25 have some 3,000."""
_SHOWN = 60


class FormatError(CompanionError, ValueError):
    """A file of a match cannot be read, or a match cannot be written in that format."""


@dataclass(frozen=True)
class Source:
    """The text of a file, with the name by which errors call it."""

    name: str
    text: str

    def error(self, line: int, column: int, expected: str, got: str | None = None) -> FormatError:
        """The error at a line and column, both from 1; ``got`` is shortened."""
        seen = "" if got is None else f", got {_shown(got)}"
        return FormatError(f"{self.name}:{line}:{column}: expected {expected}{seen}")

    def at(self, offset: int, expected: str, got: str | None = None) -> FormatError:
        """The error at a place of the text."""
        return self.error(*self.place(offset), expected, got)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)


def read_source(path: Path) -> Source:
    """Read a file; raises FormatError when it is too large, RecordError when it cannot be read.

    The text is UTF-8, with or without a byte order mark; other programs also write Latin-1.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    return decoded(str(path), raw)


def decoded(name: str, raw: bytes) -> Source:
    """The text of these bytes."""
    if len(raw) > LARGEST:
        raise FormatError(f"{name}:1:1: expected at most {LARGEST // 1024 // 1024} MiB, got a larger file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def _shown(text: str) -> str:
    text = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return repr(text)
