"""What happens at the table is told to whoever follows at once, and not with the next sign of life."""

import threading
from itertools import takewhile

from companion.signals.scoreboard import Scoreboard
from companion.web import Page
from tests.web.visitors import Visitor, quiet_page


def lines_until_the_second_moment(page: Page, visitor: Visitor) -> list[str]:
    """What the stream of events says after its first moment, while the table tells one more."""
    with visitor.client.stream("GET", "/events") as answer:
        lines = answer.iter_lines()
        next(line for line in lines if line.startswith("data:"))
        threading.Timer(0.5, page.tell, (Scoreboard().to_json(), [])).start()
        return [line for line in takewhile(lambda line: not line.startswith("data:"), lines) if line]


def test_an_event_does_not_wait_for_the_next_sign_of_life() -> None:
    with quiet_page() as page, Visitor(page) as guest:
        said = lines_until_the_second_moment(page, guest)
    assert [line.split(":")[0] for line in said] == ["id"]
