"""Frame in, Observation out: find and follow the board, read checkers and dice, see hands and motion."""
