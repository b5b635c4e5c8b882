"""A recording: a folder with pictures and ``frames.jsonl``, or with pictures alone (design.md §5).

``frames.jsonl`` has a line ``{"file", "t"}`` for each picture, with ``"details": [{"file", "box"}]`` where the camera
showed regions of it larger; ``inputs.jsonl`` a line ``{"t", "input", "side"}`` for each press of a button.
:class:`Recorder` writes what :class:`FolderSource` reads.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, TypeGuard

import cv2

from companion.attention import Attention, Box
from companion.camera.pictures import read_picture
from companion.closing import Closing
from companion.errors import RecordingError
from companion.frame import Frame, Image
from companion.inputs import Input

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


class FolderSource:
    """Frames from a folder; ``fps`` counts only where there is no ``frames.jsonl``."""

    def __init__(self, folder: Path, fps: float = 2.0) -> None:
        if not fps > 0 or not math.isfinite(fps):
            raise RecordingError(f"{folder}: frames per second: expected a number above 0, got {fps}")
        self.folder = folder
        self._listing = list(_listed(folder / "frames.jsonl") or _bare(folder, fps))
        if not self._listing:
            raise RecordingError(f"{folder}: expected frames.jsonl or pictures ({' '.join(PICTURES)}), found none")

    def __len__(self) -> int:
        return len(self._listing)

    def __iter__(self) -> Iterator[Frame]:
        for number, (name, t, closer) in enumerate(self._listing):
            details = tuple((box, read_picture(self.folder / file)) for file, box in closer)
            yield Frame(read_picture(self.folder / name), t, number, details)

    def attend(self, attention: Attention) -> None:
        """A recording cannot be steered."""

    def close(self) -> None:
        """Nothing is held open."""


def recorded_inputs(folder: Path) -> list[Input]:
    """The presses in ``inputs.jsonl``, in order of time; none when there is no such file."""
    path = folder / "inputs.jsonl"
    if not path.is_file():
        return []
    inputs = []
    for number, data in _json_lines(path):
        try:
            inputs.append(Input.from_json(data))
        except RecordingError as error:
            raise RecordingError(f"{path}: line {number}: {error}") from None
    return sorted(inputs, key=lambda item: item.t)


class Recorder(Closing):
    """Writes frames and inputs as a recording. A context manager; each line is flushed, so a cut loses one picture at
    most.
    """

    def __init__(self, folder: Path, quality: int = 90) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "frames.jsonl").exists():
            raise RecordingError(f"{folder}: expected a new or empty folder, found a recording in it")
        self.folder = folder
        self.quality = quality
        self._frames = (folder / "frames.jsonl").open("w", encoding="utf-8")
        self._inputs = (folder / "inputs.jsonl").open("w", encoding="utf-8")

    def frame(self, frame: Frame) -> None:
        """Store one frame, and what came with it in full resolution, as JPEG."""
        name = f"f{frame.number:07d}"
        details = [{"file": f"{name}-{n}.jpg", "box": box} for n, (box, _) in enumerate(frame.details)]
        for detail, (_, picture) in zip(details, frame.details, strict=True):
            self._picture(str(detail["file"]), picture)
        self._picture(f"{name}.jpg", frame.image)
        line = {"file": f"{name}.jpg", "t": round(frame.t, 4)}
        _line(self._frames, line | ({"details": details} if details else {}))

    def _picture(self, name: str, picture: Image) -> None:
        if not cv2.imwrite(str(self.folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality]):
            raise RecordingError(f"{self.folder / name}: cannot be written")

    def input(self, item: Input) -> None:
        """Store one press."""
        _line(self._inputs, item.to_json())

    def close(self) -> None:
        """Close the files; may be called twice."""
        self._frames.close()
        self._inputs.close()


def _line(file: IO[str], data: dict[str, Any]) -> None:
    file.write(json.dumps(data) + "\n")
    file.flush()


def _json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"{path}: expected JSON lines, got {error}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except json.JSONDecodeError:
            if number == len(lines):
                return  # the power went while the last line was written
            raise RecordingError(f"{path}: line {number}: expected JSON, got {line[:60]!r}") from None


_Closer = tuple[str, Box]
_Listed = tuple[str, float, tuple[_Closer, ...]]
"""A picture, its time, and the pictures of regions of it."""


def _listed(path: Path) -> list[_Listed]:
    if not path.is_file():
        return []
    listing: list[_Listed] = []
    for number, data in _json_lines(path):
        where = f"{path}: line {number}"
        name, t = (data.get("file"), data.get("t")) if isinstance(data, dict) else (None, None)
        if not isinstance(name, str) or not _is_number(t):
            raise RecordingError(f'{where}: expected {{"file", "t"}}, got {data!r}')
        _check_name(name, where)
        if listing and t < listing[-1][1]:
            raise RecordingError(f"{where}: t: expected at least {listing[-1][1]}, got {t}")
        listing.append((name, float(t), tuple(_details(data.get("details", []), where))))
    return listing


def _details(listed: Any, where: str) -> Iterator[_Closer]:
    for detail in listed if isinstance(listed, list) else [listed]:
        name, box = (detail.get("file"), detail.get("box")) if isinstance(detail, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(box, list) or len(box) != 4 or not all(map(_is_number, box)):
            raise RecordingError(f'{where}: details: expected {{"file", "box": [x, y, w, h]}}, got {detail!r}')
        _check_name(name, where)
        yield name, (box[0], box[1], box[2], box[3])


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_name(name: str, where: str) -> None:
    if Path(name).name != name:
        raise RecordingError(f"{where}: file: expected a name in this folder, got {name!r}")


def _bare(folder: Path, fps: float) -> list[_Listed]:
    names = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    return [(name, index / fps, ()) for index, name in enumerate(names)]
