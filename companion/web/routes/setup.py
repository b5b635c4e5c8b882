"""Set-up: aim the camera, say where the board is, choose the game, start."""

import asyncio
import math
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.frame import Image
from companion.languages import _, speaking
from companion.rules import GAMES, load_profile, profile_names
from companion.web import aim
from companion.web.access import Level
from companion.web.pictures import from_upload
from companion.web.ports import Corners, Rigging, Wanted
from companion.web.rules_texts import games, options_of
from companion.web.site import Site, body_of, changes, needs, site_of

MODES = ("teach", "referee", "director", "silent")
POLICIES = ("legal", "responsible", "demand")
HOMES = ("TL", "TR", "BR", "BL")
_FARTHEST = 20000.0


@needs(Level.PAIRED)
async def setup(request: Request) -> Response:
    """The page."""
    site = site_of(request)
    with speaking(site.language(request)):
        named = games()
    profiles = [(name, load_profile(name)) for name in profile_names()]
    moment = site.hub.moment
    known = {"playing": moment.view.get("game"), "names": moment.names}
    return site.page(request, "setup", games=named, profiles=profiles, modes=MODES, policies=POLICIES, **known)


@needs(Level.PAIRED)
async def options(request: Request) -> Response:
    """The options of a game, over those of a profile when one is named, with their explanations."""
    name, profile = request.query_params.get("game", ""), request.query_params.get("profile", "")
    values: dict[str, Any] = {}
    if profile:
        if profile not in profile_names():
            raise HTTPException(400, "profile: no such profile")
        house = load_profile(profile)
        name, values = house.game, dict(house.options)
    if name not in GAMES:
        raise HTTPException(400, f"game: expected one of {', '.join(GAMES)}")
    with speaking(site_of(request).language(request)):
        return JSONResponse({"game": name, "length": values.get("length", 3), "options": options_of(name, values)})


@changes()
async def look(request: Request) -> Response:
    """How the table sees the board; with ``find`` it is looked for anew, with ``corners`` those are checked."""
    site, data = site_of(request), await body_of(request)
    loop = asyncio.get_running_loop()
    rigging = _rigging(site)
    picture = await loop.run_in_executor(None, rigging.look)
    if picture is None:
        raise HTTPException(404, "no picture yet")
    corners = _corners(data.get("corners")) or (None if data.get("find") else rigging.seen())
    if corners is None and data.get("find"):
        corners = await loop.run_in_executor(None, rigging.find, picture)
    return await _report(site, request, picture, corners)


@changes()
async def photo(request: Request) -> Response:
    """A photograph in the place of the camera's picture: where is the board, and is it good enough?"""
    if request.headers.get("content-type", "") not in ("image/jpeg", "image/png"):
        raise HTTPException(415, "expected a photograph (JPEG or PNG)")
    loop, rigging = asyncio.get_running_loop(), _rigging(site_of(request))
    picture = await loop.run_in_executor(None, from_upload, await request.body())
    corners = await loop.run_in_executor(None, rigging.find, picture)
    return await _report(site_of(request), request, picture, corners)


@changes()
async def begin(request: Request) -> Response:
    """Start a match as the page asks for it."""
    site, data = site_of(request), await body_of(request)
    wanted = _wanted(data)
    await asyncio.get_running_loop().run_in_executor(None, _rigging(site).begin, wanted)
    return JSONResponse({"begun": True})


async def _report(site: Site, request: Request, picture: Image, corners: Corners | None) -> Response:
    size = (picture.shape[1], picture.shape[0])
    found = await asyncio.get_running_loop().run_in_executor(None, aim.hints, picture, corners, size)
    with speaking(site.language(request)):
        said = [{"state": hint.state, "text": _(hint.text)} for hint in found]
    return JSONResponse({"size": size, "corners": corners, "hints": said, "verdict": aim.verdict(found)})


def _rigging(site: Site) -> Rigging:
    if site.ports.rigging is None:
        raise HTTPException(404, "no camera is used here")
    return site.ports.rigging


def _wanted(data: dict[str, Any]) -> Wanted:
    names = data.get("names") if isinstance(data.get("names"), dict) else {}
    options = data.get("options") if isinstance(data.get("options"), dict) else {}
    return Wanted(
        game=_one_of(data, "game", GAMES),
        options={str(key)[:40]: value for key, value in list((options or {}).items())[:40]},
        mode=_one_of(data, "mode", MODES),
        policy=_one_of(data, "policy", POLICIES),
        white=_one_of(data, "white", ("light", "dark")),
        names={side: _name((names or {}).get(side)) for side in ("white", "black")},
        corners=_corners(data.get("corners")),
        size=_size(data.get("size")),
        home=_one_of(data, "home", HOMES) if data.get("home") else None,
        profile=_one_of(data, "profile", profile_names()) if data.get("profile") else None,
    )


def _one_of(data: dict[str, Any], key: str, allowed: tuple[str, ...]) -> str:
    if data.get(key) not in allowed:
        raise HTTPException(400, f"{key}: expected one of {', '.join(allowed)}")
    return str(data[key])


def _name(value: Any) -> str:
    """A name as it may be shown anywhere: one line, printable, short."""
    text = value if isinstance(value, str) else ""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:40]


def _number(value: Any) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FARTHEST
    if not good or not math.isfinite(value):
        raise HTTPException(400, "corners: expected numbers")
    return float(value)


def _corners(value: Any) -> Corners | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4 or not all(isinstance(p, list) and len(p) == 2 for p in value):
        raise HTTPException(400, "corners: expected four pairs of numbers")
    return tuple((_number(x), _number(y)) for x, y in value)


def _size(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or any(_number(side) < 16 for side in value):
        raise HTTPException(400, "size: expected width and height in pixels")
    return int(value[0]), int(value[1])


ROUTES = [
    Route("/setup", setup, methods=["GET"]),
    Route("/setup/options", options, methods=["GET"]),
    Route("/setup/look", look, methods=["POST"]),
    Route("/setup/photo", photo, methods=["POST"]),
    Route("/setup/begin", begin, methods=["POST"]),
]
