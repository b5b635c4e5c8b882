"""The state machine of the table: settled observations and inputs in, events out; it decides with the rules."""

from companion.table.phases import TRANSITIONS, Phase
from companion.table.settings import TableSettings
from companion.table.state import TableState
from companion.table.table import Table

__all__ = ["TRANSITIONS", "Phase", "Table", "TableSettings", "TableState"]
