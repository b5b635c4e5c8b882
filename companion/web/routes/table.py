"""The buttons of the table, for those without hardware."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.inputs import InputKind
from companion.web.access import Level
from companion.web.site import body_of, changes, needs, site_of


@needs(Level.PAIRED)
async def buttons(request: Request) -> Response:
    """All buttons, large enough for the edge of a table."""
    return site_of(request).page(request, "table")


@changes()
async def press(request: Request) -> Response:
    """One press: ``{"input", "side"}`` as in ``inputs.jsonl``."""
    data = await body_of(request)
    presses = site_of(request).ports.presses
    kind, side = data.get("input"), data.get("side")
    if not isinstance(kind, str) or kind not in list(InputKind):
        raise HTTPException(400, f"input: expected one of {', '.join(InputKind)}")
    if side not in ("white", "black", None):
        raise HTTPException(400, "side: expected white, black or null")
    if presses is None:
        raise HTTPException(404, "nothing is being refereed")
    presses.press(InputKind(kind), side)
    return JSONResponse({"pressed": kind})


ROUTES = [Route("/table", buttons), Route("/press", press, methods=["POST"])]
