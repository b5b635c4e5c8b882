"""What the eyes keep misreading on this set: errors that last as long as their cause does.

Glare, a carved point or a tall stack is misread in the same way in every picture, so that waiting does not help. But
at the start, and whenever a play is final, the table knows what really lies there. Where a reading was wrong then, the
same reading later is as good evidence for the content that was there as for the one that it names; the rules and the
thirty checkers decide between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.observation import FLOOR, Content, Observation, Reading

TALL = 6
"""Stacks of so many checkers and more are hardly counted by sight."""

_DOUBT = (1, 1)  # before anything is known of this set: as if one of two tall stacks had been misread


@dataclass(frozen=True)
class Habits:
    """For a slot, what was read (``misread``) and what really lay there.

    ``laid`` is what lay on each slot when it was known last; ``tall`` counts the tall stacks that were read right and
    wrong, each once for as long as it did not change.
    """

    known: Mapping[str, tuple[Content, Content]] = field(default_factory=dict)
    laid: Mapping[str, Content] = field(default_factory=dict)
    tall: tuple[int, int] = (0, 0)

    @property
    def tall_doubt(self) -> float:
        """The share of tall stacks that are misread on this set, as far as it is known."""
        right, wrong = self.tall[0] + _DOUBT[0], self.tall[1] + _DOUBT[1]
        return wrong / (right + wrong)

    def learned(self, seen: Observation, contents: Mapping[str, Content]) -> "Habits":
        """A position is known for certain: compare it with what was seen. Slots that were not read keep theirs."""
        known = dict(self.known)
        right, wrong = self.tall
        for slot, content in contents.items():
            reading = seen.slots.get(slot)
            if reading is None:
                continue
            known.pop(slot, None)
            if reading.best != content:
                known[slot] = (reading.best, content)
            if max(content) >= TALL and self.laid.get(slot) != content:
                right += reading.best == content
                wrong += reading.best != content
        return Habits(known, contents, (right, wrong))

    def softened(self, seen: Observation) -> Observation:
        """The observation with known misreadings made undecided between what they name and what lay there."""
        if not self.known:
            return seen
        slots = dict(seen.slots)
        for slot, (misread, content) in self.known.items():
            reading = slots.get(slot)
            if reading is not None and reading.best == misread:
                slots[slot] = _undecided(reading, misread, content)
        return replace(seen, slots=slots)


def _undecided(reading: Reading, misread: Content, content: Content) -> Reading:
    probabilities = dict(reading.probabilities)
    shared = (probabilities.get(misread, FLOOR) + probabilities.get(content, FLOOR)) / 2
    probabilities[misread] = probabilities[content] = shared
    return Reading(probabilities)
