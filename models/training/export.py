"""Writes the ONNX files and their cards, and checks that cv2.dnn gives what torch gives."""

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

MODELS = Path(__file__).resolve().parents[1]

ATTRIBUTION = [
    {"what": "synthetic pictures", "by": "models/training/synthesis", "licence": "Apache-2.0"},
    {"what": "path-traced scenes, made for this project", "licence": "free"},
    {"what": "photographs of dice", "by": "nell-byler/dice_detection", "licence": "BSD-3-Clause"},
    {"what": "photographs of dice", "by": "matteop65/Dice_Detection_Recognition", "licence": "MIT"},
    {"what": "photographs of dice", "by": "skovy/tensorflow-dice-model", "licence": "MIT"},
    {"what": "photographs of dice", "by": "tomitomi3/DiceRecognitionDatasetForML", "licence": "MIT"},
    {"what": "photographs of dice", "by": "DamianTab/DiceDetection", "licence": "Apache-2.0"},
    {"what": "photographs of boards", "by": "Dhracyr/BackgammonBoardDetection", "licence": "MIT"},
    {"what": "photograph of a board", "licence": "CC0-1.0"},
]


def export(
    net: nn.Module, name: str, shape: tuple[int, int], outputs: list[str], card: dict[str, Any], folder: Path = MODELS
) -> float:
    """Writes NAME.onnx and NAME.json (height and width in ``shape``).

    Returns the greatest difference to cv2.dnn.
    """
    net = net.eval().to(memory_format=torch.contiguous_format)
    example = torch.from_numpy(np.random.default_rng(1).uniform(0, 255, (1, 3, *shape)).astype(np.float32))
    path = folder / f"{name}.onnx"
    torch.onnx.export(
        net,
        (example,),
        str(path),
        opset_version=11,
        input_names=["picture"],
        output_names=outputs,
        dynamo=False,
        do_constant_folding=True,
    )
    data = path.read_bytes()
    with torch.no_grad():
        expected = net(example)
    expected = expected if isinstance(expected, tuple) else (expected,)
    loaded = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
    loaded.setInput(example.numpy())
    got = loaded.forward(outputs)
    worst = max(float(np.abs(e.numpy() - g).max()) for e, g in zip(expected, got, strict=True))
    full = {
        "name": name,
        "input": {"height": shape[0], "width": shape[1], "colour": "BGR", "range": [0, 255], "dtype": "float32"},
        "outputs": outputs,
        **card,
        "training_data": ATTRIBUTION,
        "bytes": len(data),
        "opset": 11,
        "largest_difference_cv2_torch": round(worst, 6),
        "date": date.today().isoformat(),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    (folder / f"{name}.json").write_text(json.dumps(full, indent=2) + "\n")
    print(f"{name}: {len(data) / 1e6:.2f} MB, largest difference to cv2.dnn {worst:.2g}", flush=True)
    return worst
