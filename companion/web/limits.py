"""How often one visitor may do something: a bucket of tokens for each address, which fills again with time."""

import ipaddress
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
        tokens = self._tokens(address)
        admitted = tokens >= 1
        self._buckets[address] = (tokens - admitted, self._clock())
        if len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        return admitted

    def would_admit(self, address: str) -> bool:
        """Whether this address has a token; none is taken."""
        tokens = self._tokens(address)
        self._buckets[address] = (tokens, self._clock())
        return tokens >= 1

    def _tokens(self, address: str) -> float:
        now = self._clock()
        tokens, since = self._buckets.pop(address, (self._allowance.burst, now))
        return min(self._allowance.burst, tokens + (now - since) * self._allowance.per_s)


def visitor(address: str) -> str:
    """Who stands behind an address: with IPv6 every device has as many addresses as it likes, in one network of 64
    bits.
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 4:
        return address
    mapped = known.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((known, 64), strict=False))
