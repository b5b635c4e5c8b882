"""Scripts and styles, out of memory."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.web.site import site_of


async def asset(request: Request) -> Response:
    """One file by its name; a browser that has it already gets no more than that."""
    found = site_of(request).assets.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "no such file")
    headers = {"etag": found.etag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, media_type=found.media_type, headers=headers)


ROUTES = [Route("/static/{name:str}", asset)]
