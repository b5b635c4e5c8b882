"""The page: see the game, set it up, correct it, from any phone in the local network, without internet.

``ports`` is what it needs of the rest of the program; ``ledger`` folds events into what is shown; ``hub`` hands that
to the browsers; ``access`` and ``guard`` say who may do what; ``routes`` are the addresses; ``site`` and ``server`` put
all together. :class:`Page` is that whole, as the command line uses it.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.closing import Closing
from companion.events import Event
from companion.layout import Layout
from companion.web.hub import Hub
from companion.web.ledger import Ledger, Moment
from companion.web.ports import Ports, TurnCard
from companion.web.server import Server, listen
from companion.web.settings import WebConfig, parse_address
from companion.web.site import Site, build

__all__ = ["Page", "Ports", "WebConfig", "parse_address"]


class Page(Closing):
    """A running page; a context manager. ``close`` may be called twice.

    ``tell``, ``begin`` and ``corrected`` return at once: what browsers do never holds up the pipeline.
    """

    def __init__(self, config: WebConfig, ports: Ports, show_code: Callable[[str], None]) -> None:
        self._lock = threading.Lock()
        self._ledger = Ledger()
        self._hub = Hub(ports.words)
        site = Site.make(config, ports, self._hub, show_code)
        self._server = Server.start(build(site), config, listen(config))
        self.config = config

    @property
    def port(self) -> int:
        """Where it answers."""
        return self._server.port

    @property
    def moment(self) -> Moment:
        """What is shown now."""
        return self._hub.moment

    def begin(self, names: Mapping[str, str], match: int | None) -> None:
        """A new match begins; ``match`` is its number in the record."""
        with self._lock:
            self._hub.publish(self._ledger.begin(names, match))

    def tell(self, view: Mapping[str, Any], events: Iterable[Event], layout: Layout | None = None) -> None:
        """What one frame brought; ``view`` is ``Scoreboard.to_json`` after it."""
        with self._lock:
            self._hub.publish(self._ledger.tell(view, events, layout))

    def corrected(self, turns: Sequence[TurnCard], view: Mapping[str, Any]) -> None:
        """The running match was corrected."""
        with self._lock:
            self._hub.publish(self._ledger.corrected(turns, view))

    def close(self) -> None:
        """Let the browsers go, stop serving."""
        self._hub.close()
        self._server.close()
