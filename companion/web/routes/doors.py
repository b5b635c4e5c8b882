"""Doors: pairing with the code that the table shows, the PIN of the score, the language, and leaving."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.languages import LANGUAGES
from companion.web.access import Level, Session
from companion.web.site import LANGUAGE_COOKIE, body_of, changes, set_session, site_of


async def pair_page(request: Request) -> Response:
    """Asks for the code."""
    return site_of(request).page(request, "pair")


async def pin_page(request: Request) -> Response:
    """Asks for the PIN."""
    return site_of(request).page(request, "pin")


@changes(Level.GUEST)
async def ask(request: Request) -> Response:
    """Show a code at the table."""
    site_of(request).access.ask()
    return JSONResponse({"shown": True})


@changes(Level.GUEST)
async def pair(request: Request) -> Response:
    """The code was typed in."""
    session = site_of(request).access.pair(_digits(await body_of(request), "code"))
    return _entered(session)


@changes(Level.STRANGER)
async def pin(request: Request) -> Response:
    """The PIN was typed in."""
    session = site_of(request).access.unlock(_digits(await body_of(request), "pin"))
    return _entered(session)


@changes(Level.STRANGER)
async def language(request: Request) -> Response:
    """Another language, remembered by the browser."""
    wanted = (await body_of(request)).get("language")
    if wanted not in LANGUAGES:
        raise HTTPException(400, f"language: expected one of {', '.join(LANGUAGES)}")
    response = JSONResponse({"language": wanted})
    response.set_cookie(LANGUAGE_COOKIE, str(wanted), max_age=365 * 86400, samesite="strict", httponly=True)
    return response


@changes(Level.STRANGER)
async def leave(request: Request) -> Response:
    """This browser forgets its session."""
    response = JSONResponse({"left": True})
    set_session(response, site_of(request).access.issue(site_of(request).access.first_level))
    return response


def _digits(data: dict[str, object], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not 1 <= len(value) <= 20:
        raise HTTPException(400, f"{key}: expected digits")
    return "".join(value.split())


def _entered(session: Session | None) -> Response:
    if session is None:
        return JSONResponse({"error": "this was not the right one"}, 403)
    response = JSONResponse({"entered": True})
    set_session(response, session)
    return response


ROUTES = [
    Route("/pair", pair_page, methods=["GET"]),
    Route("/pair", pair, methods=["POST"]),
    Route("/pair/ask", ask, methods=["POST"]),
    Route("/pin", pin_page, methods=["GET"]),
    Route("/pin", pin, methods=["POST"]),
    Route("/language", language, methods=["POST"]),
    Route("/leave", leave, methods=["POST"]),
]
