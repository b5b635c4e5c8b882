"""What happens now: the live page, the director's, the overlay for a stream, and the events that feed them."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from companion.frame import Image
from companion.web.access import Level
from companion.web.limits import visitor
from companion.web.pictures import to_jpeg
from companion.web.site import needs, site_of


@needs(Level.GUEST)
async def live(request: Request) -> Response:
    """The board and everything beside it."""
    return site_of(request).page(request, "live")


@needs(Level.GUEST)
async def overlay(request: Request) -> Response:
    """Score, dice, cube and board on a transparent ground, for a stream."""
    return site_of(request).page(request, "overlay")


@needs(Level.PAIRED)
async def director(request: Request) -> Response:
    """The alerts of the table."""
    return site_of(request).page(request, "director")


@needs(Level.GUEST)
async def events(request: Request) -> Response:
    """Server-sent events: the newest moment, and every one after it."""
    site = site_of(request)
    if request.method == "HEAD":  # there is no end to wait for
        return Response(media_type="text/event-stream")
    who = visitor(request.client.host if request.client else "")
    if not site.hub.has_room(who):
        raise HTTPException(503, "too many pages are open")
    session = site.session(request)
    lasts = (lambda: True) if session is None else partial(site.access.lasts, session)
    stream = site.hub.follow(site.language(request), site.level(request) >= Level.PAIRED, who, lasts)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"cache-control": "no-store"})


@needs(Level.PAIRED)
async def picture(request: Request) -> Response:
    """What the camera sees; with ``?drawn`` what was read is drawn over it."""
    rigging = site_of(request).ports.rigging
    if rigging is None:
        raise HTTPException(404, "no camera")
    look = rigging.drawn if "drawn" in request.query_params else rigging.look
    jpeg = await asyncio.get_running_loop().run_in_executor(None, _photographed, look)
    if jpeg is None:
        raise HTTPException(404, "no picture yet")
    return Response(jpeg, media_type="image/jpeg")


_one_at_a_time = threading.Lock()


def _photographed(look: Callable[[], Image | None]) -> bytes | None:
    """A picture as JPEG; one is made at a time, so that those who look leave the processor to the referee."""
    with _one_at_a_time:
        image = look()
        return None if image is None else to_jpeg(image)


ROUTES = [
    Route("/", live),
    Route("/overlay", overlay),
    Route("/director", director),
    Route("/events", events),
    Route("/picture.jpg", picture),
]
