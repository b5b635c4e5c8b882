"""Whatever is sent to whatever address, the answer is never an error of ours (500), and the page lives on."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from companion.cli.desk import TableWords
from companion.web import Ports, WebConfig
from companion.web.access import Level
from companion.web.hub import Hub
from companion.web.routes import ROUTES
from companion.web.site import SESSION_COOKIE, Site, build
from tests.web.shelves import shelf
from tests.web.tools import Rigged, pressed

ROUNDS = 14
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 3, 10**30, 1.5, float("inf"), "", "white", "long", "double", "light", "referee", "legal",
    "2/1 2/off", "é" * 300, "\x00", "../../etc/passwd", [], {}, [6, 1], [[0, 0], [9, 0], [9, 9], [0, 9]],
    [[10, 10], [600, 12], [610, 400], [5, 410]], [640, 480], [{"turn": 1, "roll": [1, 1], "play": "x"}], [[[]]],
    {"white": "<b>", "black": ["x"]}, {"length": -1, "nope": 1}, [{"turn": 2, "what": "delete"}],
    [{"turn": 1, "what": "gap"}], [{"turn": 1, "cube": ["double", "take"]}], [{"turn": 1, "owner": "middle"}],
)  # fmt: skip
KEYS = (
    "input", "side", "code", "pin", "language", "corners", "size", "game", "options", "mode", "policy", "white",
    "names", "home", "match", "changes",
)  # fmt: skip
QUERIES = (
    "",
    "?dice=6-5",
    "?dice=9",
    "?game=long",
    "?game=x",
    "?profile=money",
    "?profile=../x",
    "?drawn",
    "?player=Teo",
    "?%00=%ff",
)
TYPES = ("application/json", "text/plain", "image/jpeg", "image/png", "multipart/form-data", "")


def addresses() -> list[str]:
    """Every route, with good and odd numbers and names in its places."""
    found = []
    for route in ROUTES:
        assert isinstance(route, Route)
        path = route.path
        for values in (("1", "1", "mat"), ("2", "0", "json"), ("4294967296", "99", "x")):
            filled = path.replace("{match:int}", values[0]).replace("{turn:int}", values[1])
            found.append(filled.replace("{form:str}", values[2]).replace("{name:str}", "page.css"))
    return sorted(set(found) - {"/events"})


def any_body(chance: random.Random) -> bytes:
    kind = chance.random()
    if kind < 0.1:
        return chance.randbytes(chance.randrange(200))
    body = {key: chance.choice(ODD) for key in chance.sample(KEYS, chance.randrange(len(KEYS)))}
    return httpx.Request("POST", "http://x", json=_finite(body)).content


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return None if value == float("inf") else value


@pytest.mark.parametrize("level", [Level.GUEST, Level.PAIRED])
def test_no_request_ends_in_an_error_of_ours(level: Level, tmp_path: Path) -> None:
    words = TableWords()
    ports = Ports(words, presses=pressed([]), archive=shelf(tmp_path), rigging=Rigged())
    site = Site.make(WebConfig(port=80), ports, Hub(words), lambda code: None)
    # In a thread of its own: a browser of other tests may keep a loop running in this one.
    with ThreadPoolExecutor(1) as own:
        own.submit(asyncio.run, knocked(site, level, random.Random(int(level)))).result()


async def knocked(site: Site, level: Level, chance: random.Random) -> None:
    app = build(site)
    session = site.access.issue(level)
    headers = {"x-csrf-token": site.access.csrf(session), "origin": "http://127.0.0.1:80", "host": "127.0.0.1:80"}
    number = 0
    for path in addresses():
        for _ in range(ROUNDS):
            number += 1
            # Each from an address of its own, so that nothing is refused for its number.
            transport = httpx.ASGITransport(app=app, client=(f"10.{number >> 8 & 255}.{number & 255}.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:80") as client:
                client.cookies.set(SESSION_COOKIE, session.token)
                answer = await client.request(
                    chance.choice(("GET", "POST", "HEAD")),
                    path + chance.choice(QUERIES),
                    content=any_body(chance),
                    headers=headers
                    | {"content-type": chance.choice(TYPES), "accept": chance.choice(("text/html", "*/*"))},
                )
            assert answer.status_code < 500, f"{answer.request.method} {answer.request.url}: {answer.text}"
