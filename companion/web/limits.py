"""How often one visitor may do something: a bucket of tokens for each address, which fills again with time."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_REMEMBERED = 4096


@dataclass(frozen=True)
class Allowance:
    """At most ``burst`` at once and ``per_s`` a second in the long run."""

    per_s: float
    burst: float


class Limiter:
    """Counts by address; the addresses longest unseen are forgotten. For one thread."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admits(self, address: str) -> bool:
        """Take one token of this address; False when it has none."""
        now = self._clock()
        tokens, since = self._buckets.pop(address, (self._allowance.burst, now))
        tokens = min(self._allowance.burst, tokens + (now - since) * self._allowance.per_s)
        admitted = tokens >= 1
        self._buckets[address] = (tokens - admitted, now)
        if len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        return admitted
