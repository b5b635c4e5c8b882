"""The wall before every request: host, origin, size, rate, and the headers that go with every answer.

It is plain ASGI, so that nothing that a route does can go round it.
"""

import ipaddress
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.limits import Allowance, Limiter, visitor

MOST_BYTES = 64 * 1024
"""The longest body of an ordinary change."""
MOST_PHOTO_BYTES = 12 * 1024 * 1024
"""The longest photograph."""
PHOTO_PATH = "/setup/photo"
SAFE = ("GET", "HEAD")
METHODS = (*SAFE, "POST")

ALL = Allowance(per_s=60, burst=400)
CHANGES = Allowance(per_s=10, burst=40)
SECRETS = Allowance(per_s=0.1, burst=10)
"""Tries of codes and PINs, and codes asked for."""
SECRET_PATHS = ("/pair", "/pair/ask", "/pin")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "x-frame-options": "DENY",
}


class TooLarge(HTTPException):
    """A body grew over its limit while it was read."""

    def __init__(self) -> None:
        super().__init__(413, "the body is too long")


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """The names by which this machine may be called, in small letters."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", *(n.lower() for n in more)})


class Guard:
    """Refuses what no honest browser of this page would send."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names
        self._all, self._changes, self._secrets = Limiter(ALL), Limiter(CHANGES), Limiter(SECRETS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":  # the server's own: without it nobody is woken when something happens
            await self._app(scope, receive, send)
        if scope["type"] != "http":
            return
        sender = _with_headers(send)
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, sender)
            return
        await self._app(scope, _counted(receive, _most(scope["path"])), sender)

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        method, path = scope["method"], scope["path"]
        address = visitor((scope.get("client") or ("?", 0))[0])
        if not self._is_own(headers.getlist("host"), scope):
            return _refuse(421, "this host name is not served here")
        if not self._all.admits(address):
            return _refuse(429, "too many requests")
        if method not in METHODS:
            return _refuse(405, "this method is not used here")
        if method in SAFE:
            return None
        if not _same_origin(headers):
            return _refuse(403, "changes are taken from this page only")
        if path in SECRET_PATHS and not self._secrets.admits(address):
            return _refuse(429, "too many tries: wait a minute")
        if not self._changes.admits(address):
            return _refuse(429, "too many changes")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > _most(path):
            return _refuse(413, f"expected at most {_most(path)} bytes")
        return None

    def _is_own(self, hosts: list[str], scope: Scope) -> bool:
        """A name of this machine or a plain address, with our port: names that others made point here (DNS rebinding)
        are refused."""
        if len(hosts) != 1:
            return False
        name, port = _split(hosts[0])
        return port == scope["server"][1] and (name.lower() in self._names or _is_address(name))


def _split(host: str) -> tuple[str, int]:
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host.strip("[]"), 80
    return name.strip("[]"), int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same_origin(headers: Headers) -> bool:
    """The browser says that the page that sends this is ours; what says nothing is no browser's page, and refused."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    return headers.get("origin") in (f"http://{headers['host']}", f"https://{headers['host']}")


def _most(path: str) -> int:
    return MOST_PHOTO_BYTES if path == PHOTO_PATH else MOST_BYTES


def _counted(receive: Receive, most: int) -> Receive:
    """A body without a length is counted while it comes in."""
    size = 0

    async def counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise TooLarge
        return message

    return counting


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


def _refuse(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": why}, status)
