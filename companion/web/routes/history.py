"""Old games: the list, one match with its turns and what it adds up to, downloads; and the machine's check."""

import asyncio
import urllib.parse
from contextvars import copy_context

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.languages import speaking
from companion.web.access import Level
from companion.web.ledger import turn_json
from companion.web.routes.correct import archive_of, found
from companion.web.rules_texts import GAME_TEXTS
from companion.web.site import needs, number_in_path, site_of
from companion.web.statistics import tally


@needs(Level.PAIRED)
async def history(request: Request) -> Response:
    """All matches, newest first."""
    site = site_of(request)
    matches = await asyncio.get_running_loop().run_in_executor(None, archive_of(request).matches)
    return site.page(request, "history", matches=matches, titles=GAME_TEXTS)


@needs(Level.PAIRED)
async def statistics(request: Request) -> Response:
    """What the matches of a person add up to, or those of everybody: ``?player=NAME``."""
    site, archive = site_of(request), archive_of(request)
    loop = asyncio.get_running_loop()
    people = await loop.run_in_executor(None, archive.people)
    name = request.query_params.get("player", "")
    if name and name not in people:
        raise HTTPException(404, "nobody of this name has played here")
    person = await loop.run_in_executor(None, archive.person, name)
    return site.page(request, "statistics", people=people, person=person)


@needs(Level.PAIRED)
async def match(request: Request) -> Response:
    """One match: go through its turns, correct them, download it."""
    site, archive = site_of(request), archive_of(request)
    number = number_in_path(request, "match")
    loop = asyncio.get_running_loop()
    card = await loop.run_in_executor(None, found, archive, number)
    turns = await loop.run_in_executor(None, archive.turns, number)
    formats = await loop.run_in_executor(None, archive.formats, number)
    tallies = {player: tally(turns, player) for player in ("white", "black")}
    return site.page(request, "match", match=card, turns=turns, tallies=tallies, formats=formats, titles=GAME_TEXTS)


@needs(Level.PAIRED)
async def turns(request: Request) -> Response:
    """The turns of a match as they stand now."""
    site, archive, number = site_of(request), archive_of(request), number_in_path(request, "match")
    loop = asyncio.get_running_loop()
    card = await loop.run_in_executor(None, found, archive, number)
    played = await loop.run_in_executor(None, archive.turns, number)
    with speaking(site.language(request)):
        shown = [turn_json(turn, site.ports.words) | {"before": turn.before} for turn in played]
    return JSONResponse(
        {"match": number, "game": card.game, "mirrored": card.mirrored, "score": dict(card.score), "turns": shown}
    )


@needs(Level.PAIRED)
async def export(request: Request) -> Response:
    """A match as a file."""
    archive, number, form = archive_of(request), number_in_path(request, "match"), request.path_params["form"]
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, found, archive, number)
    if form not in await loop.run_in_executor(None, archive.formats, number):
        raise HTTPException(404, "no such format")
    file = await loop.run_in_executor(None, archive.export, number, form)
    name = urllib.parse.quote(file.name)
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(file.content, media_type=file.media_type, headers=headers)


@needs(Level.PAIRED)
async def doctor(request: Request) -> Response:
    """Whether the machine is well."""
    site = site_of(request)
    if site.ports.doctor is None:
        raise HTTPException(404, "no check is offered here")
    with speaking(site.language(request)):
        here = copy_context()  # another thread looks, in the reader's language
    findings = await asyncio.get_running_loop().run_in_executor(None, here.run, site.ports.doctor.findings)
    return site.page(request, "doctor", findings=findings)


ROUTES = [
    Route("/history", history),
    Route("/statistics", statistics),
    Route("/match/{match:int}", match),
    Route("/match/{match:int}/turns", turns),
    Route("/match/{match:int}/export/{form:str}", export),
    Route("/doctor", doctor),
]
