"""The web loop: a thread of its own, which the pipeline never waits for."""

import asyncio
import socket
import threading
from typing import Self

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.closing import Closing
from companion.errors import HardwareError
from companion.web.settings import WebConfig

_START_S = 10.0
MOST_CONNECTIONS = 400
MOST_OF_ONE = 200
"""Connections of one address: nobody alone may take all."""
ASK_S = 10.0
"""So long may a visitor take to say what is wanted; to send the whole of it (a photograph) ``SEND_S``."""
SEND_S = 120.0


class Connection(H11Protocol):
    """One connection, which is closed when its visitor is too slow to ask for something, or has too many."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A visitor has come."""
        super().connection_made(transport)
        self._since, self._seen = self.loop.time(), self.cycle
        self._look = self.loop.call_later(ASK_S, self._hurry)
        clients = [getattr(each, "client", None) for each in self.connections]
        if sum(client is not None and client[:1] == (self.client or ())[:1] for client in clients) > MOST_OF_ONE:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The visitor has gone."""
        self._look.cancel()
        super().connection_lost(exc)

    def _hurry(self) -> None:
        """Close what has asked for nothing since the last look, or has not sent the whole of it for long."""
        cycle = self.cycle
        idle = (cycle is None or cycle.response_complete) and cycle is self._seen
        slow = cycle is not None and not cycle.response_started and self.loop.time() - self._since > SEND_S
        if idle or slow:
            self.transport.close()
            return
        self._seen = cycle
        self._look = self.loop.call_later(ASK_S, self._hurry)


class Server(Closing):
    """Serves an application on one address, and on no other; a context manager. ``close`` may be called twice."""

    def __init__(self, app: ASGIApp, listening: socket.socket, port: int) -> None:
        self.port = port
        self._socket = listening
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="on",
            ws="none",
            http=Connection,
            loop="asyncio",
            server_header=False,
            date_header=False,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=5,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @classmethod
    def start(cls, app: ASGIApp, config: WebConfig, listening: socket.socket) -> Self:
        """Serve ``app`` on a socket of :func:`listen`; returns when it answers."""
        server = cls(app, listening, listening.getsockname()[1])
        server._thread.start()
        for _ in range(int(_START_S * 100)):
            if server._server.started or not server._thread.is_alive():
                break
            server._thread.join(0.01)
        if not server._server.started:
            raise HardwareError(f"page: expected it to answer on {config.host}:{server.port}, it did not start")
        return server

    def close(self) -> None:
        """Stop serving and let the address go."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._socket.close()

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))


def listen(config: WebConfig) -> socket.socket:
    """Take the configured address; a HardwareError says in one line why that cannot be."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise HardwareError(f"page: {config.host}:{config.port}: {(error.strerror or str(error)).lower()}") from None
    return listening
