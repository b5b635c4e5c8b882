"""What is kept: an append-only store of events and inputs, and its transcripts.

``Store`` is the file; ``Recorder`` is how the pipeline writes one recording into it, also when it goes on
after the power was cut; ``transcript`` writes a recording for people and for other programs.
"""

from companion.records.recorder import Recorder
from companion.records.store import Recording, Store, record_file

__all__ = ["Recorder", "Recording", "Store", "record_file"]
