"""What is heard: tones of a buzzer, and a voice, for what has just happened.

:func:`sound` is a pure function of an event; :class:`Buzzer` and :class:`Voice` are slow and are used by a worker.
"""

import logging
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion import events as ev
from companion.languages import Language, current
from companion.signals.calls import call
from companion.signals.pages import OTHERS_BUSINESS
from companion.signals.patterns import Mode
from companion.signals.scoreboard import Message, Scoreboard, shows
from companion.signals.texts import Names, message_text

log = logging.getLogger(__name__)

Tune = tuple[tuple[str, float], ...]
"""Notes (``A4``; empty: silence) and how long each lasts in seconds."""

TUNES: Mapping[str, Tune] = {
    "illegal-play": (("A3", 0.15), ("", 0.05), ("A3", 0.3)),
    "void-roll": (("E4", 0.12), ("", 0.05), ("E4", 0.12)),
    "stands": (("A3", 0.15),),
    "cube": (("A4", 0.12), ("E5", 0.2)),
    "game": (("A4", 0.15), ("C5", 0.15), ("E5", 0.15), ("A5", 0.4)),
    "flag": (("A4", 0.2), ("", 0.1), ("A4", 0.2), ("", 0.1), ("A4", 0.4)),
    "look": (("D4", 0.4),),
}
"""By what happened; within the two octaves around A4 that a buzzer does well."""

SPOKEN = ("void-roll", "illegal-play", "stands", "no-move", "cube-", "game-won", "match-won", "board-moved", "lost",
          "flag-fell")  # fmt: skip
"""Messages that are said aloud; a key with a hyphen at its end stands for all that begin so."""


@dataclass(frozen=True)
class Sound:
    """One thing to be heard: a tune first, then words; each may be empty."""

    tune: Tune = ()
    words: str = ""


def sound(event: ev.Event, view: Scoreboard, mode: Mode, names: Names | None = None,
          calls: Mapping[str, str] | None = None) -> Sound:  # fmt: skip
    """What is heard of ``event``, after which ``view`` is shown: nothing in ``silent`` mode, nobody is accused in
    ``director``.
    """
    if mode == "silent" or not shows(event) or isinstance(event, ev.ClockRuns):
        return Sound()
    if isinstance(event, ev.Rolled) and event.dice is not None:
        return Sound(words=call(event.dice, current(), calls))
    lost = event.phase == "LOST" if isinstance(event, ev.Status) else isinstance(event, ev.Gap) and event.board is None
    if isinstance(event, ev.Status) and not lost:
        return Sound()
    message = Message("lost") if lost else view.message
    if mode == "director" and message.key in OTHERS_BUSINESS:
        return Sound()
    said = message.key and any(message.key == k or (k[-1] == "-" and message.key.startswith(k)) for k in SPOKEN)
    return Sound(TUNES.get(_tune(event, message), ()), message_text(message, names) if said else "")


def _tune(event: ev.Event, message: Message) -> str:
    if isinstance(event, ev.GameWon | ev.CubeAction | ev.IllegalPlay | ev.VoidRoll | ev.FlagFell):
        return event.name
    return "look" if message.key in ("lost", "board-moved") else message.key


class Buzzer:
    """A passive buzzer on a pin; ``close`` lets go of it and may be called twice."""

    def __init__(self, pin: int, factory: Any = None) -> None:
        from gpiozero import TonalBuzzer
        from gpiozero.tones import Tone

        self._tone = Tone
        self._buzzer: Any = TonalBuzzer(pin, octaves=2, pin_factory=factory)
        self._stopped = threading.Event()

    def play(self, tune: Tune) -> None:
        """Play a tune to its end, or until :meth:`stop`."""
        try:
            for note, seconds in tune:
                if note:
                    self._buzzer.play(self._tone(note))
                else:
                    self._buzzer.stop()
                if self._stopped.wait(seconds):
                    break
        finally:
            self._buzzer.stop()

    def stop(self) -> None:
        """Be silent from now on; may be called from any thread."""
        self._stopped.set()

    def close(self) -> None:
        """Let go of the pin."""
        self._buzzer.close()


class Voice:
    """espeak-ng, which speaks through the machine's loudspeaker."""

    def __init__(self, command: str = "espeak-ng", speed: int = 150) -> None:
        self._command, self._speed = command, speed
        self._speaking: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._lock = threading.Lock()

    def arguments(self, words: str, language: Language) -> list[str]:
        """The command that speaks: the words are an argument, never a line for a shell."""
        return [self._command, "-v", language, "-s", str(self._speed), "--", words]

    def say(self, words: str, language: Language) -> None:
        """Speak to the end, or until :meth:`stop`; raises OSError when there is no such program."""
        with self._lock:
            if self._stopped:
                return
            self._speaking = subprocess.Popen(
                self.arguments(words, language), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        self._speaking.wait()

    def stop(self) -> None:
        """Be silent from now on; may be called from any thread."""
        with self._lock:
            self._stopped = True
            if self._speaking is not None and self._speaking.poll() is None:
                self._speaking.terminate()


class Sounds:
    """Buzzer and voice together, each of which may be missing; what does not answer is left out with one line."""

    def __init__(self, buzzer: Buzzer | None = None, voice: Voice | None = None) -> None:
        self._buzzer, self._voice = buzzer, voice

    @property
    def any(self) -> bool:
        """Whether anything can be heard at all."""
        return self._buzzer is not None or self._voice is not None

    def play(self, sound: Sound) -> None:
        """Let it be heard; takes as long as it lasts."""
        if self._buzzer is not None and sound.tune:
            self._buzzer.play(sound.tune)
        if self._voice is not None and sound.words:
            try:
                self._voice.say(sound.words, current())
            except OSError as error:
                log.warning("the voice is left out: %s: %s", error.filename, (error.strerror or "").lower())
                self._voice = None

    def stop(self) -> None:
        """Be silent from now on; may be called from any thread."""
        for device in (self._buzzer, self._voice):
            if device is not None:
                device.stop()

    def close(self) -> None:
        """Let go of the devices."""
        if self._buzzer is not None:
            self._buzzer.close()
