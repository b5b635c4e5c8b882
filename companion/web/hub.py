"""From the pipeline's thread to many browsers: the newest moment, handed over without ever making the pipeline wait."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable

from companion.languages import speaking
from companion.web.ledger import Moment, encoded, moment_json
from companion.web.ports import Words

MOST_FOLLOWERS = 200
MOST_OF_ONE = 100
"""Nobody alone may take all places."""
HEARTBEAT_S = 25.0


class Hub:
    """Keeps the newest moment; followers who are slow skip what they missed, since a moment is complete."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._moment = Moment()
        self._rendered: dict[tuple[int, str, bool], bytes] = {}
        self._waiting: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._followers: Counter[str] = Counter()

    @property
    def moment(self) -> Moment:
        """The newest moment."""
        return self._moment

    def publish(self, moment: Moment) -> None:
        """Make a moment the newest; returns at once, and may be called from any thread."""
        with self._lock:
            self._moment = moment
            loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        """Let all followers go; may be called from any thread."""
        self._closed = True
        self.publish(self._moment)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop on which followers wait."""
        with self._lock:
            self._loop = loop

    def has_room(self, visitor: str) -> bool:
        """Whether this visitor may follow too."""
        return self._followers.total() < MOST_FOLLOWERS and self._followers[visitor] < MOST_OF_ONE

    async def follow(
        self, language: str, paired: bool, visitor: str = "", lasts: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[bytes]:
        """Server-sent events: the newest moment now, and every newer one; a comment when it is quiet for long. They end
        when the session of the ``visitor`` does not last any more.
        """
        self._followers[visitor] += 1
        try:
            seen = None
            while not self._closed and lasts():
                moment = self._moment
                if moment.number != seen:
                    seen = moment.number
                    yield self._event(moment, language, paired)
                elif not await self._changed():
                    yield b": still here\n\n"
        finally:
            self._followers[visitor] -= 1
            if not self._followers[visitor]:
                del self._followers[visitor]

    def _event(self, moment: Moment, language: str, paired: bool) -> bytes:
        """Rendered once for all who read the same language and may see the same."""
        key = (moment.number, language, paired)
        if key not in self._rendered:
            self._rendered = {k: v for k, v in self._rendered.items() if k[0] == moment.number}
            with speaking(language):
                body = encoded(moment_json(moment, self._words, paired))
            self._rendered[key] = b"id: %d\ndata: %s\n\n" % (moment.number, body)
        return self._rendered[key]

    async def _changed(self) -> bool:
        future = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                await future
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(future)
        return True

    def _wake(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
