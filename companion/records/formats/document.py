"""What a file of a match holds: what the store takes, and gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.events import Event
from companion.inputs import Input
from companion.records.transcript import Assessment, Transcript


@dataclass(frozen=True)
class Document:
    """A recording outside of its store; ``id`` is the number that it had in one."""

    meta: Mapping[str, Any]
    events: tuple[Event, ...]
    inputs: tuple[Input, ...] = ()
    analysis: Mapping[int, Assessment] = field(default_factory=dict)
    id: int | None = None

    @property
    def transcript(self) -> Transcript:
        """The match."""
        return Transcript.of(self.meta, self.events, self.analysis)

    @staticmethod
    def of(transcript: Transcript) -> "Document":
        """The document of a match that has no inputs."""
        return Document(transcript.meta, tuple(transcript.events()), (), transcript.analysis)
