"""The page put together: what every route needs, the routes, and the wall before them."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import jinja2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from companion.errors import CompanionError
from companion.languages import LANGUAGES, Language, _, speaking
from companion.rules import RulesError
from companion.web import assets
from companion.web.access import Access, Level, Session
from companion.web.guard import Guard, own_names
from companion.web.hub import Hub
from companion.web.ports import Ports
from companion.web.settings import NAMED, WebConfig

_FOLDERS = re.compile(r"(?:/[^\s:/]+)+/")
SESSION_COOKIE = "companion"
LANGUAGE_COOKIE = "language"

Handler = Callable[[Request], Awaitable[Response]]


@dataclass
class Site:
    """What the routes share."""

    config: WebConfig
    ports: Ports
    hub: Hub
    access: Access
    assets: dict[str, assets.Asset]
    templates: jinja2.Environment

    @classmethod
    def make(cls, config: WebConfig, ports: Ports, hub: Hub, show_code: Callable[[str], None]) -> "Site":
        """A site; ``show_code`` shows a pairing code at the table."""
        templates = jinja2.Environment(
            loader=jinja2.PackageLoader("companion.web"), autoescape=True, undefined=jinja2.StrictUndefined
        )
        templates.trim_blocks = templates.lstrip_blocks = True
        templates.globals.update({"_": _, "rule": ports.words.rule})
        access = Access(show_code, config.pin, config.session_minutes * 60)
        return cls(config, ports, hub, access, assets.load(), templates)

    def session(self, request: Request) -> Session | None:
        """The visitor's session, when there is a good one."""
        return self.access.read(request.cookies.get(SESSION_COOKIE, ""))

    def level(self, request: Request) -> Level:
        """What this visitor may do."""
        session = self.session(request)
        return max(self.access.first_level, session.level if session else Level.STRANGER)

    def language(self, request: Request) -> Language:
        """The visitor's language: chosen, else the browser's first that we speak, else the configured one."""
        chosen = request.cookies.get(LANGUAGE_COOKIE, "")
        asked = [part.strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
        return next((known for word in (chosen, *asked) for known in LANGUAGES if word == known), self.config.language)

    def page(self, request: Request, name: str, **values: Any) -> HTMLResponse:
        """A page of the site in the visitor's language; a first visit begins a session."""
        session = self.session(request)
        fresh = session is None
        session = session or self.access.issue(self.access.first_level)
        language = self.language(request)
        with speaking(language):
            html = self.templates.get_template(f"{name}.html").render(
                language=language,
                languages=NAMED,
                csrf=self.access.csrf(session),
                level=int(self.level(request)),
                ports=self.ports,
                name=name,
                **values,
            )
        response = HTMLResponse(html)
        if fresh:
            set_session(response, session)
        return response


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    site: Site = request.app.state.site
    return site


def set_session(response: Response, session: Session) -> None:
    """Give the browser a session; scripts cannot read it, other sites cannot send it."""
    response.set_cookie(SESSION_COOKIE, session.token, httponly=True, samesite="strict", path="/")


def needs(level: Level) -> Callable[[Handler], Handler]:
    """Let a route be reached by visitors of a level only; a page leads the others to where they get it."""

    def guarded(handler: Handler) -> Handler:
        async def route(request: Request) -> Response:
            site = site_of(request)
            if site.level(request) >= level:
                return await handler(request)
            if "text/html" in request.headers.get("accept", "") and request.method == "GET":
                return RedirectResponse("/pin" if site.level(request) == Level.STRANGER else "/pair", 303)
            return JSONResponse({"error": "this needs the code that the table shows", "pair": True}, 403)

        return route

    return guarded


def changes(level: Level = Level.PAIRED) -> Callable[[Handler], Handler]:
    """A route that changes something: the level, and the token of the page that sends it (CSRF)."""

    def guarded(handler: Handler) -> Handler:
        async def route(request: Request) -> Response:
            site = site_of(request)
            session = site.session(request)
            if session is None or not site.access.is_csrf(session, request.headers.get("x-csrf-token", "")):
                return JSONResponse({"error": "reload the page", "reload": True}, 403)
            return await needs(level)(handler)(request)

        return route

    return guarded


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object that a page sent; anything else is answered with 400."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise HTTPException(415, "expected application/json")
    try:
        data = await request.json()
    except (ValueError, RecursionError):
        raise HTTPException(400, "expected JSON") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "expected an object")
    return data


def number_in_path(request: Request, name: str) -> int:
    """A number of the address; one that no record can have is not found."""
    number: int = request.path_params[name]
    if number > 2**31:
        raise HTTPException(404, "no such page")
    return number


def build(site: Site) -> ASGIApp:
    """The application behind its wall."""
    from companion.web.routes import ROUTES

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        site.hub.attach(asyncio.get_running_loop())
        yield

    handlers: dict[Any, Any] = {HTTPException: _http_error, CompanionError: _told, RulesError: _told}
    app = Starlette(routes=ROUTES, exception_handlers=handlers, lifespan=lifespan)
    app.state.site = site
    return Guard(app, own_names(site.config.names))


async def _http_error(request: Request, error: HTTPException) -> Response:
    if "text/html" in request.headers.get("accept", "") and request.method == "GET":
        page = site_of(request).page(request, "error", status=error.status_code, why=str(error.detail))
        page.status_code = error.status_code
        return page
    return JSONResponse({"error": str(error.detail)}, error.status_code)


async def _told(request: Request, error: Exception) -> Response:
    """What the program says to its user, in one line; paths of the machine stay at home."""
    line = _FOLDERS.sub("", " ".join(str(error).split()))
    return JSONResponse({"error": line}, 422)
