"""A companion for the real wooden board: it watches, judges, scores and records nardy and tabla."""

__version__ = "0.1.0"
