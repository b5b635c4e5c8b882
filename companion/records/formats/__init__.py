"""Files of matches: written for other programs and for people, and read back (docs/formats.md).

=========  =====================  ====================================================================
form       games                  what it keeps
=========  =====================  ====================================================================
``mat``    short, tabla           what the analysis programs know: rolls, plays, cube, results
``sgf``    short, tabla           the same, and illegal plays and gaps as positions that are set
``json``   all                    everything
``text``   all                    every event in words, to be read, written by hand and typed back in
=========  =====================  ====================================================================
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from companion.records.formats.document import Document
from companion.records.formats.json_file import is_json, read_json, write_json
from companion.records.formats.mat import write_mat
from companion.records.formats.mat_read import is_mat, read_mat
from companion.records.formats.sgf import write_sgf
from companion.records.formats.sgf_read import is_sgf, read_sgf
from companion.records.formats.source import FormatError, Source, read_source
from companion.records.formats.text import write_text
from companion.records.formats.text_read import is_text, read_text
from companion.rules import RulesError


class Form(StrEnum):
    """The forms in which a match is written and read."""

    json = "json"
    text = "text"
    mat = "mat"
    sgf = "sgf"


_READERS: tuple[tuple[Form, Callable[[str], bool], Callable[[Source], Document]], ...] = (
    (Form.json, is_json, read_json),
    (Form.sgf, is_sgf, lambda source: Document.of(read_sgf(source))),
    (Form.text, is_text, lambda source: Document.of(read_text(source))),
    (Form.mat, is_mat, lambda source: Document.of(read_mat(source))),
)
SUFFIXES = {".json": Form.json, ".sgf": Form.sgf, ".mat": Form.mat, ".txt": Form.text}


def write(document: Document, form: Form) -> str:
    """The text of a file; raises FormatError for a game that the form does not know."""
    if form is Form.json:
        return write_json(document)
    writers = {Form.text: write_text, Form.mat: write_mat, Form.sgf: write_sgf}
    try:
        return writers[form](document.transcript)
    except RulesError as error:
        raise FormatError(f"{form}: {error}") from None


def read(source: Source, form: Form | None = None) -> Document:
    """What a file holds, in the form that it looks like; raises FormatError with line and column."""
    for each, looks_like, reader in _READERS:
        if form is each or (form is None and looks_like(source.text)):
            return reader(source)
    raise source.error(1, 1, f"a match as {', '.join(Form)}", source.text[:40])


def read_file(path: Path) -> Document:
    """What a file holds. A name that ends with ``.mat`` or another suffix of these forms says how it is meant."""
    source = read_source(path)
    looks = any(looks_like(source.text) for _, looks_like, _ in _READERS)
    return read(source, None if looks else SUFFIXES.get(path.suffix.lower()))


__all__ = ["Document", "Form", "FormatError", "read", "read_file", "read_source", "write"]
