"""Switching the machine off from the table: the service asks for it with a file, and systemd does it.

The service has no rights that it does not need. ``companion-poweroff.path`` watches for the file, which nobody but the
service's user can make, and switches off.
"""

import os
from collections.abc import Mapping
from pathlib import Path

ASKED = "poweroff"
"""The file's name, in the folder that systemd gives the service (``RuntimeDirectory=``)."""


def switch_off(environment: Mapping[str, str] | None = None) -> bool:
    """Ask for it; False where nobody listens: this is not the service of a box, or the folder cannot be written."""
    folder = (os.environ if environment is None else environment).get("RUNTIME_DIRECTORY", "").split(":")[0]
    if not folder:
        return False
    try:
        (Path(folder) / ASKED).touch()
    except OSError:
        return False
    return True
