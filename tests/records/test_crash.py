"""A smaller number of the power cuts and full disks of ``tests.bench.crash``."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.crash import Outcome, full, killed, torn_copy, torn_log, torn_page


@pytest.mark.parametrize(
    ("series", "moments"), [(killed, 25), (torn_log, 5), (torn_copy, 5), (torn_page, 8), (full, 3)]
)
def test_what_was_announced_is_there(series: Callable[[Path, int, int], Outcome], moments: int, tmp_path: Path) -> None:
    outcome = series(tmp_path, moments, 1)
    assert outcome.moments == moments
    assert outcome.announced > 0
    assert outcome.wrong == []
