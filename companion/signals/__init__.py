"""What the players see, hear and press: lamps, the small display, buzzer and voice, driven by events and the frames'
time; buttons, whose presses become inputs.

``scoreboard`` folds events into what there is to show; ``plan`` says which lamp is lit when (``patterns.toml``),
``pages`` what the display says, ``sounds`` what is heard, ``texts`` all that is written, ``calls`` how dice are called.
``lamps``, ``display``, ``buttons`` and ``sounds.Buzzer`` are the devices. :class:`Signals` holds them together.
"""

from companion.signals.signals import Signals, SignalsConfig

__all__ = ["Signals", "SignalsConfig"]
