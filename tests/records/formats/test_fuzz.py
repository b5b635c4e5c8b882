"""Spoilt files: one clear line with its place, or a match; no crash, no hang."""

import random
import re
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.records.formats import Document, Form, FormatError, read, write
from companion.records.formats.source import Source
from tests.records.formats.files import MATCHES
from tests.records.formats.matches import random_match
from tests.records.formats.spoil import spoiled

SECONDS = 2.0


def whole() -> list[tuple[Form, str]]:
    """Files of every form that are as they should be."""
    found = [(Form(file.suffix[1:]), file.read_text()) for file in sorted(MATCHES.glob("money_06.[ms]*"))]
    for seed in range(4):
        anything = Document.of(random_match(seed, rough=0.4, most_plays=12))
        short = Document.of(random_match(seed, "short", rough=0.4, most_plays=12))
        found += [(form, write(anything, form)) for form in (Form.json, Form.text)]
        found += [(form, write(short, form)) for form in (Form.mat, Form.sgf)]
    return found


WHOLE = whole()


def check(form: Form, text: str) -> None:
    """Read it; anything but a match or an error with its place in one line fails."""
    began = time.process_time()
    complaint = complaint_of(form, text)
    assert complaint is None or re.fullmatch(r"file:\d+:\d+: .*", complaint), f"{form}: no place in {complaint}"
    assert time.process_time() - began < SECONDS, f"{form}: too slow: {text!r}"


def complaint_of(form: Form, text: str) -> str | None:
    """What is said against a file; None when it is read."""
    try:
        read(Source("file", text), form)
    except FormatError as error:
        return str(error)
    return None


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(WHOLE) - 1), st.randoms(use_true_random=False))
def test_spoilt_files_are_read_or_refused(which: int, rng: random.Random) -> None:
    form, text = WHOLE[which]
    check(form, spoiled(rng, text))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(Form)), st.text(max_size=300))
def test_any_text_is_read_or_refused(form: Form, text: str) -> None:
    check(form, text)


def test_long_lines_of_one_sign_end_soon() -> None:
    for form, text in WHOLE:
        for sign in ' ([;:|@9\\x"{':
            at = len(text) // 2
            check(form, text[:at] + sign * 30_000 + text[at:])
