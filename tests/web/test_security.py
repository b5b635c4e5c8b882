"""Every rule of the page's safety has an attack here, and the attack fails."""

import asyncio
import contextlib
import math
import os
import re
import resource
import socket
import struct
import zlib
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from PIL import Image as Pillow

from companion.cli.desk import TableWords
from companion.errors import HardwareError, PictureError
from companion.web import Page, WebConfig, server
from companion.web.access import WRONG, Access, Level
from companion.web.guard import ALL, MOST_BYTES, MOST_PHOTO_BYTES
from companion.web.hub import MOST_OF_ONE, Hub
from companion.web.limits import Limiter, visitor
from companion.web.pictures import LONGEST_SIDE, MOST_PIXELS, from_upload
from companion.web.settings import parse_address
from tests.web.shelves import shelf
from tests.web.tools import Rigged
from tests.web.visitors import Visitor, quiet_page

T = TypeVar("T")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One page for all attacks: one that did harm would show in those after it."""
    with quiet_page(archive=shelf(tmp_path_factory.mktemp("shelf")), rigging=Rigged()) as page:
        yield page


@pytest.fixture(scope="module")
def guest(page: Page) -> Iterator[Visitor]:
    with Visitor(page) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def paired(page: Page) -> Iterator[Visitor]:
    with Visitor(page) as visitor:
        visitor.pair()
        yield visitor


PAIRED_ONLY = [
    "/table", "/setup", "/director", "/history", "/doctor", "/picture.jpg", "/setup/options?game=long", "/match/1",
    "/match/1/turns", "/match/1/turn/1", "/match/1/turn/1/plays?dice=6-5", "/match/1/turn/1/dice.jpg",
    "/match/1/export/mat", "/statistics",
]  # fmt: skip
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("/press", {"input": "double", "side": "white"}),
    ("/fix", {"match": 1, "changes": [{"turn": 1, "roll": [6, 5], "play": ""}]}),
    ("/setup/look", {}),
    ("/setup/begin", {"game": "long"}),
]


@pytest.mark.parametrize("path", PAIRED_ONLY)
def test_a_guest_sees_no_picture_no_name_and_no_old_game(guest: Visitor, path: str) -> None:
    assert guest.get(path).status_code == 403
    assert guest.get(path, headers={"accept": "text/html"}).headers["location"] == "/pair"


@pytest.mark.parametrize(("path", "body"), CHANGES)
def test_a_guest_changes_nothing(guest: Visitor, path: str, body: dict[str, Any]) -> None:
    assert guest.post(path, body).status_code == 403


def test_names_are_kept_from_guests_in_the_stream_of_events(page: Page, guest: Visitor, paired: Visitor) -> None:
    page.begin({"white": "Mara", "black": "Teo"}, 1)
    assert "Mara" not in guest.first_event()
    assert "Mara" in paired.first_event()


def test_the_stream_of_a_session_ends_with_it() -> None:
    """Whoever was paired once does not see names for ever."""
    now = [0.0]
    access = Access(lambda code: None, session_s=60.0, clock=lambda: now[0])
    session, hub = access.issue(Level.PAIRED), Hub(TableWords())

    async def heard() -> int:
        count = 0
        async for _ in hub.follow("en", True, lasts=lambda: access.lasts(session)):
            count += 1
            now[0] += 25.0
            hub.publish(replace(hub.moment, number=hub.moment.number + 1))
        return count

    assert in_a_loop(heard()) == 3


def test_nobody_alone_takes_all_places_among_those_who_follow() -> None:
    hub = Hub(TableWords())

    async def crowd() -> tuple[bool, bool]:
        streams = [hub.follow("en", False, "10.0.0.1") for _ in range(MOST_OF_ONE)]
        for stream in streams:
            await anext(stream)
        room = hub.has_room("10.0.0.1"), hub.has_room("10.0.0.2")
        for stream in streams:
            await stream.aclose()  # type: ignore[attr-defined]
        return room

    assert in_a_loop(crowd()) == (False, True)
    assert hub.has_room("10.0.0.1")


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: a browser of other tests may keep a loop running in this one."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, work).result()


def test_behind_a_pin_a_stranger_sees_nothing_and_a_wrong_pin_opens_nothing() -> None:
    with quiet_page(WebConfig(port=0, pin="4711")) as page, Visitor(page) as stranger:
        for path in ("/", "/overlay", "/events"):
            assert stranger.get(path).status_code == 403
        stranger.get("/pin")
        assert stranger.post("/pin", {"pin": "4712"}).status_code == 403
        assert stranger.get("/").status_code == 403
        assert stranger.post("/pair/ask", {}).status_code == 403
        assert stranger.post("/pin", {"pin": "4711"}).status_code == 200
        assert stranger.get("/").status_code == 200


# Other sites, and other names for this machine


@pytest.mark.parametrize(
    "host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""]
)
def test_another_host_name_is_refused(guest: Visitor, host: str) -> None:
    assert guest.get("/", headers={"host": host.format(port=guest.port)}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1", None])
def test_a_change_from_another_site_is_refused(paired: Visitor, origin: str | None) -> None:
    answer = paired.post("/press", {"input": "adjust", "side": None}, origin=origin)
    assert answer.status_code == 403


def test_a_browser_that_says_cross_site_is_refused(paired: Visitor) -> None:
    answer = paired.post("/press", {"input": "adjust"}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
def test_a_change_without_the_page_s_token_is_refused(paired: Visitor, token: str) -> None:
    headers = {"x-csrf-token": token.encode()}
    assert paired.post("/press", {"input": "adjust"}, headers=headers).status_code == 403  # type: ignore[arg-type]


def test_the_token_of_another_session_is_refused(page: Page, paired: Visitor) -> None:
    with Visitor(page) as other:
        other.get("/")
        headers = {"x-csrf-token": other.token}
        assert paired.post("/press", {"input": "adjust"}, headers=headers).status_code == 403


def test_a_form_of_another_site_cannot_stand_in_for_json(paired: Visitor) -> None:
    answer = paired.post("/press", {"input": "adjust"}, headers={"content-type": "text/plain"})
    assert answer.status_code == 415


# Sessions and codes


def test_a_session_cannot_be_forged(page: Page, guest: Visitor) -> None:
    guest.get("/")
    name, level, expires, mac = guest.cookie.split(".")
    for forged in (f"{name}.2.{expires}.{mac}", f"{name}.{level}.{int(expires) + 1}.{mac}", "a.2.9999999999.x", "..."):
        with Visitor(page) as forger:
            forger.set_cookie(forged)
            assert forger.get("/history").status_code == 403


def test_a_session_ends_and_a_code_ends_and_is_good_once() -> None:
    now = [1000.0]
    shown: list[str] = []
    access = Access(shown.append, session_s=60.0, clock=lambda: now[0])
    access.ask()
    session = access.pair(shown[-1])
    assert session is not None
    assert access.pair(shown[-1]) is None
    assert access.read(session.token) == session
    now[0] += 61
    assert access.read(session.token) is None
    access.ask()
    now[0] += 121
    assert access.pair(shown[-1]) is None


def test_a_code_cannot_be_guessed() -> None:
    shown: list[str] = []
    access = Access(shown.append)
    assert access.pair("000000") is None
    access.ask()
    wrong = "111111" if shown[-1] != "111111" else "222222"
    for _ in range(5):
        assert access.pair(wrong) is None
    assert access.pair(shown[-1]) is None


def test_tries_are_counted() -> None:
    with quiet_page() as page, Visitor(page) as guest:
        guest.get("/pair")
        answers = [guest.post("/pair", {"code": f"{i:06d}"}).status_code for i in range(14)]
    assert answers[0] == 403
    assert answers[-1] == 429


def test_wrong_codes_and_pins_count_for_all_visitors_together() -> None:
    """Ten thousand PINs, and a million codes, from as many addresses: nearly all of them are not even looked at."""
    now = [0.0]
    shown: list[str] = []
    access = Access(shown.append, pin="0019", clock=lambda: now[0])
    opened = [access.unlock(f"{pin:04d}") for pin in (*range(19), *range(20, 1000))]
    assert opened == [None] * len(opened)
    assert access.unlock("0019") is None  # the right one has to wait as well, or guessing would go on
    now[0] += 31.0
    assert access.unlock("0019") is not None
    for number in range(WRONG.burst):  # type: ignore[arg-type]
        access.ask()
        assert access.pair(f"x{number}") is None
    access.ask()
    assert access.pair(shown[-1]) is None


def test_a_device_with_many_addresses_is_one_visitor() -> None:
    assert visitor("2001:db8:1:2:aaaa::1") == visitor("2001:db8:1:2:bbbb::9") != visitor("2001:db8:1:3::1")
    assert visitor("fe80::1%eth0") == visitor("fe80::2%wlan0")
    assert visitor("::ffff:10.0.0.1") == visitor("10.0.0.1") != visitor("10.0.0.2")
    assert visitor("?") == "?"


def test_nobody_gets_too_much_and_nobody_else_suffers_for_it() -> None:
    now = [0.0]
    limiter = Limiter(ALL, clock=lambda: now[0])
    answers = [limiter.admits("10.0.0.1") for _ in range(int(ALL.burst) + 50)]
    assert answers.count(True) == ALL.burst
    assert limiter.admits("10.0.0.2")
    now[0] = 1.0
    assert [limiter.admits("10.0.0.1") for _ in range(int(ALL.per_s) + 1)].count(True) == ALL.per_s


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(page: Page) -> None:
    with Visitor(page) as newcomer:
        cookie = newcomer.get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_levels_are_ordered() -> None:
    assert Level.STRANGER < Level.GUEST < Level.PAIRED


# What browsers are told


@pytest.mark.parametrize(
    "path", ["/", "/overlay", "/pair", "/pin", "/setup", "/table", "/history", "/match/1", "/nowhere"]
)
def test_no_page_may_run_what_is_not_ours(paired: Visitor, path: str) -> None:
    answer = paired.get(path, headers={"accept": "text/html"})
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy
    html = answer.text
    assert not re.search(r"<script(?![^>]*\ssrc=\"/static/)", html)
    assert not re.search(r"\s(style|on[a-z]+)=", html)
    assert not re.search(r"(src|href)=\"(https?:)?//", html)


def test_a_name_is_text_and_no_markup(paired: Visitor) -> None:
    html = paired.get("/history").text
    assert "Mara &lt;b&gt;" in html
    assert "Mara <b>" not in html


# Files


@pytest.mark.parametrize(
    "path",
    [
        "/static/../settings.py", "/static/%2e%2e/settings.py", "/static/..%2fsettings.py", "/static//etc/passwd",
        "/static/page.css%00", "/match/1/export/..%2f..%2fetc%2fpasswd", "/match/1/export/py",
        "/match/../../etc/passwd", "/match/99999999999999999999", "/match/1/turn/0",
    ],
)  # fmt: skip
def test_no_request_names_a_file(paired: Visitor, path: str) -> None:
    assert paired.raw(f"GET {path} HTTP/1.1") == 404


def test_a_file_to_download_is_no_page(paired: Visitor) -> None:
    answer = paired.get("/match/1/export/json")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"] == "application/json; charset=utf-8"


# Bodies and photographs


def test_a_long_body_is_refused_with_and_without_its_length(paired: Visitor) -> None:
    long = b"{" + b" " * MOST_BYTES + b"}"
    assert paired.send("/press", long).status_code == 413
    assert paired.send("/press", iter([long[:1000], long[1000:]])).status_code == 413
    said = f"origin: {paired.url}\r\ncontent-length: {MOST_PHOTO_BYTES + 1}\r\n"
    assert paired.raw("POST /setup/photo HTTP/1.1", said) == 413


@pytest.mark.parametrize(
    "body",
    [b"", b"[", b"[]", b"1", b"\xff\xfe", b"[" * 50_000, b'{"input": 1e999}', b'{"input": {}}'],
    ids=range(8),
)
def test_a_body_that_is_no_object_is_told_so(paired: Visitor, body: bytes) -> None:
    assert paired.send("/press", body).status_code == 400


def photograph(form: str, size: tuple[int, int] = (64, 64)) -> bytes:
    out = BytesIO()
    Pillow.new("RGB", size).save(out, form)
    return out.getvalue()


def test_a_picture_that_would_fill_the_memory_is_refused_unopened() -> None:
    bomb = bytearray(photograph("PNG", (32, 32)))
    bomb[16:24] = (60_000).to_bytes(4, "big") + (60_000).to_bytes(4, "big")
    with pytest.raises(OSError, match=r"photograph|megapixels"):
        from_upload(bytes(bomb))
    assert MOST_PIXELS < 60_000**2


def test_a_small_file_that_unpacks_to_much_is_refused() -> None:
    """Text, colour profile and pixels are packed in a PNG: none of them may grow without a bound."""
    packer = zlib.compressobj(9)
    many = b"".join(packer.compress(bytes(2**20)) for _ in range(200)) + packer.flush()
    for kind, head in ((b"zTXt", b"a\0\0"), (b"iTXt", b"a\0\1\0\0\0"), (b"iCCP", b"a\0\0")):
        data = head + many
        chunk = struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        plain = photograph("PNG", (32, 32))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with contextlib.suppress(PictureError):
            from_upload(plain[:33] + chunk + plain[33:])
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_the_largest_picture_that_is_taken_fits_into_the_memory() -> None:
    side = math.isqrt(MOST_PIXELS)
    out = BytesIO()
    Pillow.new("L", (side, side)).save(out, "PNG")
    assert len(out.getvalue()) < MOST_PHOTO_BYTES
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert max(from_upload(out.getvalue()).shape) == LONGEST_SIDE
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KiB
    out = BytesIO()
    Pillow.new("L", (side + 1, side + 1)).save(out, "PNG")
    with pytest.raises(PictureError, match="megapixels"):
        from_upload(out.getvalue())


@pytest.mark.parametrize("kind", ["image/svg+xml", "image/gif", "text/html", "application/json", "", "image/jpeg; a"])
def test_what_says_that_it_is_no_photograph_is_not_even_opened(paired: Visitor, kind: str) -> None:
    answer = paired.send("/setup/photo", photograph("JPEG"), headers={"content-type": kind})
    assert answer.status_code == 415


def test_fifty_megabytes_in_pieces_are_not_waited_for(paired: Visitor) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(50):
            sent += 1
            yield b"\xff" * 2**20

    with contextlib.suppress(httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        assert paired.send("/setup/photo", pieces(), headers={"content-type": "image/jpeg"}).status_code == 413
    assert paired.get("/").status_code == 200


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", photograph("GIF"), photograph("BMP"), b"<svg/>", photograph("JPEG")[:200]]
)
def test_what_is_no_photograph_is_refused(paired: Visitor, data: bytes) -> None:
    answer = paired.send("/setup/photo", data, headers={"content-type": "image/jpeg"})
    assert answer.status_code == 422
    assert "photograph" in answer.json()["error"]


# Where it listens


def test_nothing_listens_beside_the_configured_address(page: Page) -> None:
    with socket.create_connection(("127.0.0.1", page.port)):
        pass
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", page.port)).close()


def test_the_page_has_one_listening_socket() -> None:
    """The whole process is asked, not the page."""
    before = listening_sockets()
    with quiet_page() as page:
        assert len(listening_sockets() - before) == 1
        assert f"0100007F:{page.port:04X}" in next(iter(listening_sockets() - before))


def listening_sockets() -> set[str]:
    """Local address and inode of every TCP socket on which this process listens."""
    own = {os.readlink(link) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()}
    rows = [row.split() for name in ("tcp", "tcp6") for row in Path("/proc/net", name).read_text().splitlines()[1:]]
    return {f"{row[1]} {row[9]}" for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own}


def test_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slowly sent and silent connections would take every place."""
    monkeypatch.setattr(server, "ASK_S", 0.2)
    with quiet_page() as page:
        for begun in (b"", b"GET / HTTP/1.1\r\nhost: 127"):
            with socket.create_connection(("127.0.0.1", page.port), timeout=60.0) as slow:
                slow.sendall(begun)
                assert slow.recv(1) == b""
        monkeypatch.setattr(server, "SEND_S", 0.1)
        with Visitor(page) as visitor, socket.create_connection(("127.0.0.1", page.port), timeout=60.0) as slow:
            visitor.get("/")
            head = f"POST /language HTTP/1.1\r\nhost: 127.0.0.1:{page.port}\r\norigin: {visitor.url}\r\n"
            head += f"cookie: companion={visitor.cookie}\r\nx-csrf-token: {visitor.token}\r\n"
            slow.sendall((head + "content-type: application/json\r\ncontent-length: 99\r\n\r\n{").encode())
            assert slow.recv(1) == b""


def test_one_address_does_not_take_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_OF_ONE", 5)
    with quiet_page() as page, contextlib.ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(socket.create_connection(("127.0.0.1", page.port), timeout=60.0))
        with socket.create_connection(("127.0.0.1", page.port), timeout=60.0) as sixth:
            assert sixth.recv(1) == b""


def test_an_address_that_is_taken_is_told_in_one_line(page: Page) -> None:
    with pytest.raises(HardwareError, match=rf"^page: 127.0.0.1:{page.port}: address already in use$"):
        quiet_page(WebConfig(port=page.port)).close()


def test_an_address_is_read_or_told() -> None:
    assert parse_address("[::1]:80").host == "::1"
    for wrong in ("8080", ":8080", "host:", "host:99999", "host:٣"):
        with pytest.raises(ValueError, match="--page"):
            parse_address(wrong)


def test_other_methods_are_refused(guest: Visitor) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert httpx.request(method, guest.url + "/").status_code == 405
