"""The pages of an SQLite file, read without SQLite: what can still be read of a file that it refuses.

SQLite's file format (sqlite.org/fileformat2.html): a table WITHOUT ROWID keeps its rows in pages of an index, leaves
(type 10) and inner ones (type 2); any other table in leaves of type 13. Pages are looked at one by one, without the
tree above them, so that a torn, missing or overwritten page costs the rows on it and nothing else. Pages that were
committed to the write-ahead log and not yet copied into the file count as if they had been.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = 4096
"""The size of a page where the header does not tell it."""

Value = int | float | str | bytes | None
Row = tuple[int | None, tuple[Value, ...]]
"""The row id (None in a table without) and the columns."""

_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER = 13, 10, 2
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_LONGEST = 1 << 24


@dataclass(frozen=True)
class Pages:
    """The pages of a file by their number, from 1; the last one may be shorter than the others."""

    size: int
    pages: dict[int, bytes]

    def rows(self) -> Iterator[Row]:
        """All rows of all pages that can be read, in no order; the values are not yet trusted."""
        for number, page in self.pages.items():
            yield from self._page_rows(number, page)

    def _page_rows(self, number: int, page: bytes) -> Iterator[Row]:
        start = 100 if number == 1 else 0
        kind = page[start] if len(page) > start + 8 else 0
        if kind not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER):
            return
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + (12 if kind == _INDEX_INNER else 8)
        for index in range(min(count, len(page) // 4)):
            at = int.from_bytes(page[first + 2 * index : first + 2 * index + 2], "big")
            try:
                yield self._cell(page, at + (4 if kind == _INDEX_INNER else 0), table=kind == _TABLE_LEAF)
            except (IndexError, ValueError, struct.error, UnicodeDecodeError, KeyError):
                continue

    def _cell(self, page: bytes, at: int, *, table: bool) -> Row:
        length, at = _varint(page, at)
        row_id = None
        if table:
            row_id, at = _varint(page, at)
        return row_id, _columns(self._payload(page, at, length, table))

    def _payload(self, page: bytes, at: int, length: int, table: bool) -> bytes:
        """The bytes of a row: on its page, and where it is long also on pages of its own."""
        if not 0 < length < _LONGEST:
            raise ValueError(length)
        most = self.size - 35 if table else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            return _whole(page[at : at + length], length)
        least = (self.size - 12) * 32 // 255 - 23
        here = least + (length - least) % (self.size - 4)
        here = here if here <= most else least
        parts, missing = [_whole(page[at : at + here], here)], length - here
        following = int.from_bytes(_whole(page[at + here : at + here + 4], 4), "big")
        while missing > 0:
            more = self.pages[following]
            parts.append(_whole(more[4 : 4 + min(missing, self.size - 4)], min(missing, self.size - 4)))
            missing -= len(parts[-1])
            following = int.from_bytes(more[:4], "big")
        return b"".join(parts)


def read_pages(path: Path) -> Pages:
    """The pages of the file at ``path``, with those of its write-ahead log over them."""
    data = path.read_bytes()
    size = _page_size(data)
    pages = {n // size + 1: data[n : n + size] for n in range(0, len(data), size)}
    log = Path(f"{path}-wal")
    if log.is_file():
        pages |= committed(log.read_bytes(), size)
    return Pages(size, pages)


def committed(log: bytes, size: int) -> dict[int, bytes]:
    """The pages that a write-ahead log holds up to its last whole commit.

    A frame counts when it has the salts of the log and when the sums over all frames up to it are right.
    """
    if len(log) < 32:
        return {}
    magic, _, told_size, _, *salts, first, second = struct.unpack(">8I", log[:32])
    if magic not in _WAL_MAGIC or told_size != size:
        return {}
    order = ">" if magic & 1 else "<"
    sums = _sums(log[:24], order, (0, 0))
    if sums != (first, second):
        return {}
    whole: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for at in range(32, len(log) - 24 - size + 1, 24 + size):
        number, after_commit, *rest = struct.unpack(">6I", log[at : at + 24])
        page = log[at + 24 : at + 24 + size]
        sums = _sums(page, order, _sums(log[at : at + 8], order, sums))
        if rest[:2] != salts or sums != tuple(rest[2:]):
            break
        waiting[number] = page
        if after_commit:
            whole |= waiting
            waiting = {}
    return whole


def _sums(data: bytes, order: str, start: tuple[int, int]) -> tuple[int, int]:
    """The log's running checksum."""
    one, two = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for index in range(0, len(words), 2):
        one = (one + words[index] + two) & 0xFFFFFFFF
        two = (two + words[index + 1] + one) & 0xFFFFFFFF
    return one, two


def _page_size(data: bytes) -> int:
    told = int.from_bytes(data[16:18], "big") if data[:15] == b"SQLite format 3" else 0
    told = 65536 if told == 1 else told
    return told if told >= 512 and told & (told - 1) == 0 else PAGE


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    raise ValueError(value)


def _columns(payload: bytes) -> tuple[Value, ...]:
    head, at = _varint(payload, 0)
    kinds = []
    while at < head:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    at = head
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError(at)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return (None, 0, 1)[(0, 8, 9).index(kind)], at
    if kind == 7:
        return float(struct.unpack(">d", payload[at : at + 8])[0]), at + 8
    if kind <= 6:
        length = (1, 2, 3, 4, 6, 8)[kind - 1]
        return int.from_bytes(_whole(payload[at : at + length], length), "big", signed=True), at + length
    if kind < 12:
        raise ValueError(kind)
    length = (kind - 12) // 2
    data = _whole(payload[at : at + length], length)
    return data.decode("utf-8") if kind % 2 else data, at + length


def _whole(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise ValueError("torn")
    return data
