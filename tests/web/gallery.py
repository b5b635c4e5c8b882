"""Every page with something to see on it: for the check of accessibility, and for the pictures in docs/page."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from companion import events as ev
from companion.attention import Attention
from companion.cli.shelf import Shelf
from companion.frame import Frame
from companion.layout import Layout, Player
from companion.observation import Observation, SeenBoard
from companion.records import Store
from companion.records.pictures import Picture, Pictures
from companion.rules import Position, format_play, get_game
from companion.web.pictures import from_upload, to_jpeg
from tests.table.seeing import observe, pair
from tests.web.people import Device
from tests.web.shelves import META, misread
from tests.web.world import World

PICTURES = Path(__file__).parent.parent / "data" / "pictures"
SEED = 11
NAMES = {"white": "Mara", "black": "Teo"}


class Findings:
    """What a machine's check may say."""

    def findings(self) -> Sequence[Mapping[str, str]]:
        return (
            {"state": "ok", "what": "Camera: 1280×960, 15 frames a second", "advice": ""},
            {"state": "ok", "what": "Disk: 21 GB free", "advice": ""},
            {
                "state": "warn",
                "what": "Focus: 14 of 18",
                "advice": "Turn the lens until the dice are sharp.",
            },
            {
                "state": "fail",
                "what": "Display: no answer on i2c 0x3c",
                "advice": "Check its four wires (docs/hardware.md).",
            },
        )


def game_so_far(turns: int = 9) -> list[ev.Event]:
    """A game in which both play the most careful of the legal plays: fewest blots, then farthest."""
    game, chance = get_game("short", {"length": 5}), random.Random(SEED)
    position, t = game.start, 0.0
    score = {"white": 1, "black": 2}
    events: list[ev.Event] = [ev.GameStarted(t=t, game="short", number=3, board=position.to_json(), score=score)]
    players: tuple[Player, Player] = ("white", "black")
    for number in range(turns):
        player, dice = players[number % 2], (chance.randint(1, 6), chance.randint(1, 6))
        seen = game.seen(position, player)
        ends = game.plays(position, dice, player=player).results
        position = min(ends, key=lambda end: careful(game.seen(end, player)))
        play = format_play(ends[position][0], seen)
        t += 14.0
        sure = 0.62 if number == turns - 3 else 0.99
        events += [
            ev.Rolled(t=t - 9, player=player, dice=dice),
            ev.PlayMade(
                t=t, player=player, dice=dice, play=play, verdict="legal", board=position.to_json(), confidence=sure
            ),
        ]
    return events


def careful(seen: Position) -> tuple[int, int]:
    """Blots, and how far there is to go."""
    own = [(point, count) for point, count in enumerate(seen.points, 1) if count > 0]
    return sum(count == 1 for _, count in own), sum(point * point * count for point, count in own)


def ended_badly(events: list[ev.Event]) -> list[ev.Event]:
    """The next player is doubled, takes, rolls, and plays what the dice do not say."""
    last = next(event for event in reversed(events) if isinstance(event, ev.PlayMade))
    mover, t = ("black" if last.player == "white" else "white"), last.t + 8
    dice = (5, 3)
    return [
        *events,
        ev.CubeAction(t=t, player=mover, action="double", value=2, owner=last.player),  # type: ignore[arg-type]
        ev.CubeAction(t=t + 3, player=last.player, action="take", value=2, owner=last.player),
        ev.Rolled(t=t + 6, player=mover, dice=dice),  # type: ignore[arg-type]
        ev.IllegalPlay(t=t + 12, player=mover, dice=dice, reasons=("not-the-dice",), points=(13,)),  # type: ignore[arg-type]
    ]


@contextmanager
def exhibition(folder: Path) -> Iterator[World]:
    """A world in the middle of a match, with old matches and pictures."""
    events = ended_badly(game_so_far())
    meta = META | {"players": NAMES, "started": "2026-11-29T20:15:00+00:00", "options": {"length": 5}}
    path = folder / "record.sqlite"
    photo = from_upload((PICTURES / "board.jpg").read_bytes())
    with Store.open(path) as store, Pictures.open(path) as pictures:
        store.append(store.begin(META | {"players": {"white": "Ana", "black": "Boris"}}), misread())
        running = store.begin(meta)
        store.append(running, [event for event in events if not isinstance(event, ev.Status)])
        for turn in range(1, 30):
            pictures.keep(Picture(running, turn, "roll", float(turn), "0" * 64, to_jpeg(photo[420:580, 270:590])))
    doctor, shelf = Findings(), Shelf(path)
    with World("short", picture=photo, playing=False, match=running, archive=shelf, doctor=doctor) as world:
        world.desk.show(events, events[-1].t)
        world.scene.observe = lambda frame, attention: photographed(frame)  # type: ignore[method-assign]
        world.pipeline.eyes.observe(Frame(photo, 0.0, 0), Attention())
        yield world


def photographed(frame: Frame) -> Observation:
    """What there is to read in the photograph, by its label."""
    label = json.loads((PICTURES / "board.json").read_text())
    slots: dict[str, Any] = {}
    layout = Layout("TL", True)
    seen = observe(frame.t, get_game("long").start, layout, pair((5, 1)))
    for row, letter in (("top_row", "T"), ("bottom_row", "B")):
        for i, (shade, count) in enumerate(label["points"][row]):
            from tests.table.seeing import reading

            slots[f"{letter}{i}"] = reading((count, 0) if shade == "l" else (0, count) if shade == "d" else (0, 0))
    corners = tuple((float(x), float(y)) for x, y in label["corners"])
    return Observation(t=frame.t, board=SeenBoard(corners, "given"), slots=slots, bar=seen.bar)


Opened = tuple[str, str]
PAGES: tuple[Opened, ...] = (
    ("live", "/"),
    ("table", "/table"),
    ("setup", "/setup"),
    ("history", "/history"),
    ("match", "/match/2"),
    ("statistics", "/statistics?player=Mara"),
    ("director", "/director"),
    ("doctor", "/doctor"),
    ("overlay", "/overlay"),
    ("correct", "/"),
    ("pair", "/pair"),
)


def visits(device: Device, world: World) -> Iterator[tuple[str, Page]]:
    """Every page, loaded and with something on it."""
    device.pair(world)
    for name, path in PAGES:
        page = device.open(world, path)
        ready(page, name)
        yield name, page


def ready(page: Page, name: str) -> None:
    """Wait until there is something to see."""
    if name in ("live", "overlay", "director", "match", "correct"):
        expect(page.locator("#board .checker").first).to_be_visible()
    if name == "setup":
        expect(page.locator("#hints li").first).to_be_visible()
        page.get_by_role("button", name="Find the board").click()
        expect(page.locator("#toast")).to_have_class("shown")
    if name == "match":
        page.get_by_role("button", name="Last turn").click()
    if name == "correct":
        page.locator("#turns button").first.click()
        expect(page.locator("#alternatives button").first).to_be_visible()
    if name == "live" and (page.viewport_size or {})["width"] > 600:
        page.get_by_role("button", name="Camera picture").click()
        expect(page.locator("#camera-picture")).to_have_js_property("complete", True)
    page.wait_for_timeout(400)
