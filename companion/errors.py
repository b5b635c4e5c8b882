"""Every error that the program raises on purpose.

CompanionError
├── ConfigError        (ValueError)  a setting, a calibration, a profile
├── PictureError       (OSError)     a picture or a video that cannot be read
├── RecordingError     (OSError)     a recorded folder that cannot be replayed
├── BoardNotFound      (LookupError) no board in the picture
├── RecordError        (OSError)     the record store
│   └── RecordUnwritable             it cannot be written now: the disk is full, or it is locked
├── HardwareError      (OSError)     lamps, buttons, display, camera
└── ModelError         (RuntimeError) a trained network that is missing or does not fit

The rules have errors of their own (``companion.rules.errors``), because they import nothing from here. The command line
turns all of them into one line.
"""


class CompanionError(Exception):
    """The base of all errors that are meant for the user: ``str(error)`` is one clear line."""


class ConfigError(CompanionError, ValueError):
    """A setting is unknown or has a wrong value; the message says file, key, expected and got."""


class PictureError(CompanionError, OSError):
    """A picture or a video cannot be read."""


class RecordingError(CompanionError, OSError):
    """A recording (a folder with ``frames.jsonl``, or of pictures) cannot be replayed."""


class BoardNotFound(CompanionError, LookupError):
    """No board was found in the picture, or not which way it is used."""


class RecordError(CompanionError, OSError):
    """The record store cannot be opened, read or written."""


class RecordUnwritable(RecordError):
    """The record cannot be written now, and what is in it is safe: the disk is full, or another program writes."""


class HardwareError(CompanionError, OSError):
    """A lamp, a button, a display or a camera does not answer."""


class ModelError(CompanionError, RuntimeError):
    """A trained network is missing or does not fit the program."""
