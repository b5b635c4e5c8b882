"""Telling systemd how the service is (sd_notify): one datagram to the socket that it names."""

import os
import socket
import time
from collections.abc import Callable, Mapping


class Notifier:
    """Tells whoever started the service; without a socket in the environment nothing happens.

    The watchdog is fed by :meth:`alive`, which is called once for each processed frame, and not by a thread of its own:
    a program that hangs must be started again.
    """

    def __init__(self, environment: Mapping[str, str], now: Callable[[], float] = time.monotonic) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._now = now
        wanted = environment.get("WATCHDOG_USEC", "")
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._every_s = int(wanted) / 4e6 if wanted.isdigit() and for_us else float("inf")
        self._fed_s = float("-inf")

    def ready(self) -> None:
        """The service has started."""
        self._send("READY=1")

    def alive(self) -> None:
        """A frame was processed; told four times in the watchdog's interval at most."""
        now = self._now()
        if now - self._fed_s >= self._every_s:
            self._fed_s = now
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service ends on purpose."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # An @ stands for the zero byte of an abstract socket.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.connect(address)
                out.sendall(message.encode())
        except OSError:
            return
