"""The service at one table: everything that ``companion run`` holds together, and its loop.

Threads: the capture thread of the camera, this one (which alone changes state and writes the record), the workers of
display and sounds, gpiozero's own for the buttons.
"""

import logging
import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

from companion.camera.folder import Recorder as FrameRecorder
from companion.camera.folder import recorded_inputs
from companion.camera.live import Paced
from companion.camera.sources import open_camera, open_source
from companion.camera.steady import SteadyCamera
from companion.cli.dating import Dating
from companion.cli.desk import Desk
from companion.cli.keeping import Kept, keep, limits_of, rig_meta, say
from companion.cli.notify import Notifier
from companion.cli.options import KeepOptions, RigOptions
from companion.cli.poweroff import switch_off
from companion.cli.resume import Left, MemoryFile, closing, go_on, left_open, same_roll
from companion.cli.rig import record_meta, rig_from, settings_for
from companion.cli.telling import EventSink, sink_to
from companion.config import Settings, data_folder, state_folder
from companion.errors import CompanionError, RecordError
from companion.events import DATED, PUBLIC, Event, Status
from companion.frame import Frame, FrameSource
from companion.inputs import Input
from companion.layout import Layout
from companion.pipeline import Pipeline, Rig, Step, build
from companion.records import Store
from companion.records.store import FILE_NAME
from companion.signals import Signals, SignalsConfig
from companion.signals.buttons import Buttons
from companion.signals.lamps import Level
from companion.signals.patterns import Lamp


@dataclass(frozen=True)
class Place:
    """Where the frames come from, and where whole frames go when they are wanted."""

    camera: str | None = None
    simulate: bool = False
    recording: Path | None = None
    speed: float = 1.0
    filmed_to: Path | None = None

    @property
    def film(self) -> Path | None:
        """The recording in place of the camera; None: the camera itself."""
        if not self.simulate or (self.camera is not None and self.recording is None):
            return None
        return self.recording or data_folder("calibration") / "example" / "video.mp4"


class FrameClock:
    """The time of now in seconds of the frames: that of the newest frame, and what has passed since it came."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._newest = (0.0, now())

    def tick(self, t: float) -> None:
        """A frame of the time ``t`` has come."""
        self._newest = (t, self._now())

    def __call__(self) -> float:
        """Seconds of the frames; may be asked from any thread."""
        t, since = self._newest
        return t + self._now() - since


class LampTeller:
    """Says which lamps burn, where there are none to be seen."""

    def __init__(self) -> None:
        self._told: Mapping[Lamp, Level] = {}

    def tell(self, signals: Signals, t: float) -> None:
        """One line when it has changed."""
        if signals.lit != self._told:
            self._told = signals.lit
            lit = [lamp for lamp, level in self._told.items() if level not in (False, (0, 0, 0))]
            say(f"{t:.1f} s lamps: {', '.join(lit) or 'all dark'}")


class Service:
    """One table, live. Made by :meth:`open`; everything is closed with the stack that it is given."""

    def __init__(
        self, pipeline: Pipeline, signals: Signals, kept: Kept, clock: FrameClock, sink: EventSink, left: Left | None
    ) -> None:
        self.pipeline, self.signals, self.kept, self.clock = pipeline, signals, kept, clock
        self.left = left
        self.frames: FrameSource | None = None
        self._sink = sink
        self._film: FrameRecorder | None = None
        self._teller: LampTeller | None = None
        stored = 0 if left is None else len(left.events)
        self._memory = MemoryFile(kept.path.with_name("memory.json"), kept.record.recording, stored)
        self._notifier = Notifier(os.environ)
        self._dating = Dating(kept.record.started, self._dated, None if left is None else left.t)
        self._switching_off, self._t = False, 0.0

    @classmethod
    def open(
        cls, stack: ExitStack, wishes: RigOptions, keeping: KeepOptions, place: Place, desk: Desk | None = None
    ) -> Self:
        """Open everything; raises CompanionError in one line for what is missing and cannot be done without."""
        logging.basicConfig(format="companion: %(message)s", level=logging.WARNING)
        settings = _settings(wishes, keeping, place)
        film = place.film
        if film is not None and place.recording is None and wishes.calibration is None:
            wishes = replace(wishes, calibration=film.with_name("calibration.json"))
        rig = rig_from(wishes, settings)
        device = place.camera or settings.camera.device
        names = settings.players.get("white", ""), settings.players.get("black", "")
        meta = record_meta(rig, str(film or device), names)
        meta |= rig_meta(rig, wishes.profile or settings.game.profile)
        clock = FrameClock()
        config = SignalsConfig.of(settings, mode=rig.table.mode, game=rig.game)
        teller = LampTeller() if place.simulate else None
        signals = Signals.from_config(config, clock=clock)
        if teller is not None:
            stack.callback(lambda: teller.tell(signals, clock()))
        stack.enter_context(signals)
        found: list[Left] = []
        kept = keep(
            stack,
            state_folder() / FILE_NAME,
            meta,
            evidence=settings.evidence.keep if keeping.evidence is None else keeping.evidence,
            limits=limits_of(settings),
            left=_finder(meta, found),
        )
        left = found[0] if found else None
        service = cls(
            build(rig, signals, kept.record, kept.album), signals, kept, clock, sink_to(stack, wishes.events), left
        )
        if desk is not None:
            desk.attach(service.pipeline, dict(zip(("white", "black"), names, strict=True)), kept.record.recording)
        service._teller = teller
        service._take_up(rig)
        service._connect(stack, settings, place, device)
        return service

    def run(self, ended: Callable[[], bool] = lambda: False) -> None:
        """Referee until the frames end, ``ended`` says so or the process is told to stop; then close the record on
        purpose.
        """
        assert self.frames is not None
        self._notifier.ready()
        try:
            for step in self.pipeline.run(self.frames, self._each):
                self._after(step)
                if ended():
                    break
        except BaseException as end:
            if isinstance(end, SystemExit | KeyboardInterrupt):
                self._close()
            raise
        self._close()

    # Opening

    def _take_up(self, rig: Rig) -> None:
        """Go on with the game that was left by accident."""
        if self.left is None:
            return
        layout = None if rig.home is None else Layout(rig.home, rig.game.same_way, rig.white)
        go_on(self.pipeline.table, self.left, layout, self._memory)
        (self.pipeline.signals or self.signals).show(self.left.events, self.left.t)
        say(f"going on with the game of recording {self.left.recording}, which was interrupted")

    def _connect(self, stack: ExitStack, settings: Settings, place: Place, device: str) -> None:
        """Camera, buttons, and the film when one is wanted."""
        begin_s = 0.0 if self.left is None else self.left.t
        self.clock.tick(begin_s)
        if (film := place.film) is not None:
            self.frames = Paced(open_source(film), place.speed, begin_s)
            for item in recorded_inputs(film) if film.is_dir() else []:
                if item.t >= begin_s:
                    self.pipeline.inputs.put(item)
        else:
            opened = partial(open_camera, device, stills=settings.camera.stills)
            self.frames = SteadyCamera(opened, self._camera_lost, begin_s=begin_s, idle=self._idle)
        stack.callback(self.frames.close)
        buttons = settings.buttons
        stack.enter_context(
            Buttons(
                buttons.by_name,
                self._pressed,
                self.clock,
                lambda: self.signals.view,
                factory=self.signals.factory,
                bounce_s=buttons.bounce_s,
                hold_s=buttons.hold_s,
                off=self._switch_off,
            )
        )
        if place.filmed_to is not None:
            self._film = stack.enter_context(FrameRecorder(place.filmed_to))
            self.signals.film(True, begin_s)

    # While it runs

    def _each(self, frame: Frame) -> None:
        self.clock.tick(frame.t)
        self._filming(lambda film: film.frame(frame), frame.t)

    def _after(self, step: Step) -> None:
        for item in step.inputs:
            self._filming(lambda film, item=item: film.input(item), step.t)  # type: ignore[misc]
        for event in step.events:
            self._tell(event)
        if step.events:
            self._memory.keep(self.pipeline.table, len(step.events))
        self.signals.notice("disk-full", not self.kept.record.stored, step.t)
        self._see_to_the_machine(step.t)
        if self._teller is not None:
            self._teller.tell(self.signals, step.t)
        self._notifier.alive()

    def _tell(self, event: Event) -> None:
        left = self.left if isinstance(event, PUBLIC) else None
        if left is not None:
            self.left = None  # only the first thing that happens can be what was told before
            if same_roll(event, left):
                return
        try:
            self._sink(event)
        except BrokenPipeError:
            raise
        except OSError as error:
            say(f"events are not written: {(error.strerror or str(error)).lower()}")

    def _pressed(self, item: Input) -> None:
        self.pipeline.inputs.put(item)

    def _camera_lost(self, lost: bool, t: float) -> None:
        say("the camera does not answer and is tried again" if lost else "the camera is back")
        self.signals.notice("camera-lost", lost, t)

    def _idle(self, t: float) -> None:
        """No frames: lamps and display still follow the time; the watchdog sees that the program lives."""
        self.signals.show((), t)
        self._see_to_the_machine(t)
        self._notifier.alive()

    def _see_to_the_machine(self, t: float) -> None:
        """Its date may have become known, or somebody is switching it off."""
        self._t = t
        self._dating.look()
        self.signals.notice("switching-off", self._switching_off, t)

    def _dated(self, began: str) -> None:
        """Say in the record when it really began."""
        view, details = self.signals.view, (DATED, began)
        told = Status(t=self._t, phase=view.phase, player=view.player, dice=view.dice, details=details)
        self.kept.record.append([told])
        self._memory.keep(self.pipeline.table, 1)

    def _switch_off(self) -> None:
        """In the thread of a button: systemd will do it, and ends this program first."""
        self._switching_off = switch_off()
        say("switching off" if self._switching_off else "a button would switch off, and this is not a box's service")

    def _filming(self, store: Callable[[FrameRecorder], None], t: float) -> None:
        """A film that cannot be written is given up, its lamp goes out, and the game goes on."""
        if self._film is None:
            return
        try:
            store(self._film)
        except (CompanionError, OSError) as error:
            say(f"whole frames are no longer stored: {error}")
            self._film = None
            self.signals.film(False, t)

    def _close(self) -> None:
        """Say in the record that it was closed on purpose."""
        self._notifier.stopping()
        try:
            self.kept.record.append([closing(self.clock())])
        except RecordError as error:
            say(str(error))


def _settings(wishes: RigOptions, keeping: KeepOptions, place: Place) -> Settings:
    settings = settings_for(wishes)
    players = dict(settings.players)
    if keeping.white_name:
        players["white"] = keeping.white_name
    if keeping.black_name:
        players["black"] = keeping.black_name
    changes = {"players": players} | ({"hardware": "none"} if place.simulate else {})
    return settings.model_copy(update=changes)


def _finder(meta: dict[str, object], found: list[Left]) -> Callable[[Store], int | None]:
    """Look for a game that was left by accident when the record is open, and remember what it was."""

    def look(store: Store) -> int | None:
        left = left_open(store, meta)
        if left is None:
            return None
        found.append(left)
        return left.recording

    return look
