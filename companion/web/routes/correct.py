"""Correct a turn: what it was before and after, the roll as the camera saw it, and what it may have been."""

import asyncio
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.languages import speaking
from companion.rules import get_game
from companion.web.access import Level
from companion.web.alternatives import legal
from companion.web.ledger import turn_json
from companion.web.ports import Archive, Choice, MatchCard, TurnCard
from companion.web.site import body_of, changes, needs, number_in_path, site_of

MOST_CHANGES = 20


@needs(Level.PAIRED)
async def turn(request: Request) -> Response:
    """Everything that is needed to correct one turn."""
    site, match, number = site_of(request), number_in_path(request, "match"), number_in_path(request, "turn")
    archive = archive_of(request)
    _, card = await _called(_turn, archive, match, number)
    choices = await _called(archive.alternatives, match, number)
    picture = await _called(archive.evidence, match, number)
    with speaking(site.language(request)):
        shown = turn_json(card, site.ports.words)
    return JSONResponse(
        {
            "match": match,
            "turn": shown,
            "before": card.before,
            "picture": picture is not None,
            "alternatives": [_choice_json(choice) for choice in choices[:4]],
        }
    )


@needs(Level.PAIRED)
async def evidence(request: Request) -> Response:
    """The roll as the camera saw it."""
    match, number = number_in_path(request, "match"), number_in_path(request, "turn")
    picture = await _called(archive_of(request).evidence, match, number)
    if picture is None:
        raise HTTPException(404, "no picture of this roll is kept")
    return Response(picture, media_type="image/jpeg")


@needs(Level.PAIRED)
async def plays(request: Request) -> Response:
    """All legal plays of a roll in the place of a turn."""
    match, number = number_in_path(request, "match"), number_in_path(request, "turn")
    dice = _dice(request.query_params.get("dice", "").split("-"))
    card, played = await _called(_turn, archive_of(request), match, number)
    found = await _called(_legal, card, played, dice)
    return JSONResponse({"plays": [_choice_json(choice) for choice in found[:400]]})


@changes()
async def fix(request: Request) -> Response:
    """Change turns of a match: ``{"match", "changes": [{"turn", "roll", "play"}, …]}``.

    Where a later turn cannot be any more, nothing is changed and the answer (409) says what it may have been.
    """
    data, archive = await body_of(request), archive_of(request)
    wanted = data.get("changes")
    if not isinstance(wanted, list) or not 1 <= len(wanted) <= MOST_CHANGES or not all(map(_is_change, wanted)):
        raise HTTPException(400, "changes: expected a list of changes")
    match = _whole(data, "match")
    await _called(found, archive, match)
    clash = await _called(archive.fix, match, wanted)
    if clash is None:
        return JSONResponse({"fixed": match})
    told = {key: getattr(clash, key) for key in ("turn", "player", "why", "before", "remedies")}
    return JSONResponse({"error": clash.why, "clash": told}, 409)


def archive_of(request: Request) -> Archive:
    """The record store; without one these pages are not there."""
    archive = site_of(request).ports.archive
    if archive is None:
        raise HTTPException(404, "no record is kept here")
    return archive


def found(archive: Archive, number: int) -> MatchCard:
    """A match by its number, or 404."""
    match = archive.match(number)
    if match is None:
        raise HTTPException(404, "no such match")
    return match


def _turn(archive: Archive, match: int, number: int) -> tuple[MatchCard, TurnCard]:
    card = found(archive, match)
    turn = next((t for t in archive.turns(match) if t.number == number), None)
    if turn is None:
        raise HTTPException(404, "no such turn")
    return card, turn


def _legal(card: MatchCard, turn: TurnCard, dice: tuple[int, int]) -> list[Choice]:
    if turn.before is None:
        return []
    return list(legal(get_game(card.game, card.options), turn.before, turn.player, dice))


async def _called(function: Any, *arguments: Any) -> Any:
    """Run what reads the disk or thinks for long beside the web loop."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(function, *arguments))


def _is_change(value: Any) -> bool:
    return isinstance(value, dict) and len(value) < 12


def _choice_json(choice: Choice) -> dict[str, Any]:
    return {"dice": choice.dice, "play": choice.play, "board": choice.board}


def _dice(value: Any) -> tuple[int, int]:
    if isinstance(value, list) and len(value) == 2 and all(str(v) in "123456" and len(str(v)) == 1 for v in value):
        return int(value[0]), int(value[1])
    raise HTTPException(400, "dice: expected two numbers from 1 to 6")


def _whole(data: dict[str, Any], key: str) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise HTTPException(400, f"{key}: expected a number")
    return value


ROUTES = [
    Route("/match/{match:int}/turn/{turn:int}", turn, methods=["GET"]),
    Route("/match/{match:int}/turn/{turn:int}/plays", plays, methods=["GET"]),
    Route("/match/{match:int}/turn/{turn:int}/dice.jpg", evidence, methods=["GET"]),
    Route("/fix", fix, methods=["POST"]),
]
