"""Loads the trained networks of ``models/`` and runs them with cv2.dnn (OpenCV 4.6 to 5.x)."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.config import data_folder
from companion.errors import ModelError


class Net:
    """One network: ``NAME.onnx`` with its card ``NAME.json``.

    The card gives the input (height, width, BGR 0 … 255), the outputs' names in order, and the sha256 of
    the file, which is checked. Raises ModelError when a file is missing, altered or cannot be read.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        folder = folder or data_folder("models")
        path, card_path = folder / f"{name}.onnx", folder / f"{name}.json"
        try:
            data = path.read_bytes()
            self.card: dict[str, Any] = json.loads(card_path.read_text())
        except (OSError, ValueError) as error:
            raise ModelError(f"{path}: network cannot be read: {error}") from None
        expected, got = self.card.get("sha256"), hashlib.sha256(data).hexdigest()
        if expected != got:
            raise ModelError(f"{path}: expected sha256 {expected}, got {got}: install the program again")
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except cv2.error as error:
            raise ModelError(f"{path}: OpenCV {cv2.__version__} cannot load this network: {error.err}") from None
        self.outputs: tuple[str, ...] = tuple(self.card["outputs"])

    def run(self, pictures: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
        """(N, h, w, 3) uint8 BGR pictures -> the outputs in the card's order."""
        blob = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32)
        self._net.setInput(blob)
        return tuple(np.asarray(out, np.float32) for out in self._net.forward(list(self.outputs)))


@cache
def net(name: str) -> Net:
    """The network of that name, loaded once."""
    return Net(name)
