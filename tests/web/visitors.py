"""Visitors without a browser: they say exactly what they want to say, also what no browser would."""

import re
import socket
from collections.abc import Iterable
from typing import Any

import httpx

from companion.cli.desk import TableWords
from companion.web import Page, Ports, WebConfig


def quiet_page(config: WebConfig | None = None, **ports: Any) -> Page:
    """A page without a table."""
    shown: list[str] = []
    page = Page(config or WebConfig(port=0), Ports(TableWords(), **ports), shown.append)
    page.shown = shown  # type: ignore[attr-defined]
    return page


class Visitor:
    """One client with its cookies."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.port = page.port
        self.url = f"http://127.0.0.1:{page.port}"
        self.client = httpx.Client(base_url=self.url, timeout=60.0)
        self.token = ""

    def __enter__(self) -> "Visitor":
        return self

    def __exit__(self, *error: object) -> None:
        self.client.close()

    @property
    def cookie(self) -> str:
        return self.client.cookies["companion"]

    def set_cookie(self, value: str) -> None:
        self.client.cookies.set("companion", value)

    def get(self, path: str, **more: Any) -> httpx.Response:
        answer = self.client.get(path, **more)
        found = (
            re.search(r'name="csrf" content="(\w+)"', answer.text)
            if "html" in answer.headers.get("content-type", "")
            else None
        )
        self.token = found[1] if found else self.token
        return answer

    def post(
        self, path: str, body: Any, *, origin: str | None = "own", headers: dict[str, Any] | None = None
    ) -> httpx.Response:
        if not self.token:
            self.get("/")
        said: dict[str, Any] = {"x-csrf-token": self.token}
        if origin is not None:
            said["origin"] = self.url if origin == "own" else origin
        kind = {"content-type": "application/json"}
        return self.client.post(path, json=body, headers=kind | said | (headers or {}))

    def send(self, path: str, body: bytes | Iterable[bytes], headers: dict[str, str] | None = None) -> httpx.Response:
        """A body as it is."""
        said = {"x-csrf-token": self.token, "origin": self.url, "content-type": "application/json"}
        return self.client.post(path, content=body, headers=said | (headers or {}))

    def pair(self) -> None:
        """Type in the code that the table shows."""
        self.get("/pair")
        assert self.post("/pair/ask", {}).status_code == 200
        assert self.post("/pair", {"code": self.page.shown[-1]}).status_code == 200  # type: ignore[attr-defined]
        self.get("/")

    def first_event(self) -> str:
        with self.client.stream("GET", "/events") as answer:
            return next(line for line in answer.iter_lines() if line.startswith("data:"))

    def raw(self, line: str, more: str = "") -> int:
        """One request line that no client would clean up; the status of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60.0) as connection:
            head = f"{line}\r\nhost: 127.0.0.1:{self.port}\r\ncookie: companion={self.cookie}\r\n"
            head += f"connection: close\r\n{more}\r\n"
            connection.sendall(head.encode())
            return int(connection.makefile("rb").readline().split()[1])
