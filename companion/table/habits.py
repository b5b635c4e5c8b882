"""What the eyes keep misreading on this set: errors that last as long as their cause does.

Glare, a carved point or a tall stack is misread in the same way in every picture, so that waiting does not help. But
at the start, and whenever a play is final, the table knows what really lies there. Where a reading was wrong then, the
same reading later is as good evidence for the content that was there as for the one that it names; the rules and the
thirty checkers decide between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.observation import FLOOR, Content, Observation, Reading


@dataclass(frozen=True)
class Habits:
    """For a slot, what was read (``misread``) and what really lay there."""

    known: Mapping[str, tuple[Content, Content]] = field(default_factory=dict)

    def learned(self, seen: Observation, contents: Mapping[str, Content]) -> "Habits":
        """A position is known for certain: compare it with what was seen. Slots that were not read keep theirs."""
        known = dict(self.known)
        for slot, content in contents.items():
            reading = seen.slots.get(slot)
            if reading is None:
                continue
            known.pop(slot, None)
            if reading.best != content:
                known[slot] = (reading.best, content)
        return Habits(known)

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
