"""The trained networks as files: complete, small, unaltered."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from companion.config import data_folder
from companion.errors import ModelError
from companion.vision.nets import Net

NAMES = ("bar", "checkers", "dice-find", "dice-read")


def test_all_networks_together_stay_below_eight_megabytes() -> None:
    sizes = [path.stat().st_size for path in data_folder("models").glob("*.onnx")]
    assert sum(sizes) < 8_000_000
    assert max(sizes) < 5_000_000


@pytest.mark.parametrize("name", NAMES)
def test_a_network_gives_finite_outputs_for_its_cards_input(name: str) -> None:
    net = Net(name)
    shape = net.card["input"]["height"], net.card["input"]["width"], 3
    picture = np.random.default_rng(1).integers(0, 255, (1, *shape), dtype=np.uint8)
    outputs = net.run(picture)
    assert len(outputs) == len(net.outputs)
    assert all(np.isfinite(out).all() for out in outputs)
    assert net.card["opset"] <= 11
    assert net.card["training_data"]


def test_a_batch_gives_what_single_pictures_give() -> None:
    net = Net("dice-read")
    pictures = np.random.default_rng(2).integers(0, 255, (3, 48, 48, 3), dtype=np.uint8)
    (together,) = net.run(pictures)
    (alone,) = net.run(pictures[1:2])
    assert together[1] == pytest.approx(alone[0], abs=1e-3)


def test_a_missing_network_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"checkers\.onnx: network cannot be read"):
        Net("checkers", tmp_path)


def test_an_altered_network_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"not the network")
    (tmp_path / "x.json").write_text(json.dumps({"sha256": "0" * 64, "outputs": ["a"]}))
    with pytest.raises(ModelError, match="expected sha256 0000"):
        Net("x", tmp_path)


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    data = b"not a network"
    (tmp_path / "x.onnx").write_bytes(data)
    (tmp_path / "x.json").write_text(json.dumps({"sha256": hashlib.sha256(data).hexdigest(), "outputs": ["a"]}))
    with pytest.raises(ModelError, match=r"x\.onnx.*cannot load"):
        Net("x", tmp_path)
