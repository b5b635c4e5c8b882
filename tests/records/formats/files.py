"""The sample matches, and files that tests write by hand."""

from pathlib import Path
from textwrap import dedent

from companion.records.formats import Document, Form, read
from companion.records.formats.source import Source
from companion.records.transcript import Transcript

MATCHES = Path(__file__).parents[2] / "data" / "matches"
"""Matches that gnubg played against itself, as it wrote them; ``.json`` is the truth about them."""


def given(text: str, form: Form | None = None) -> Transcript:
    """The match of a text."""
    return document(text, form).transcript


def document(text: str, form: Form | None = None) -> Document:
    return read(Source("game", dedent(text).lstrip("\n")), form)
