"""The mean of the weights of several runs of one network, which reads unseen boards better than each of them.

``python -m models.training.average OUT.pt ONE.pt:0.4 OTHER.pt:0.6``; a file without a share counts as 1.
"""

import argparse
from pathlib import Path

import torch


def mean(states: list[tuple[dict[str, torch.Tensor], float]]) -> dict[str, torch.Tensor]:
    """The weighted mean of states of the same network; whole numbers (counts of batches) are the first's."""
    total = sum(share for _, share in states)
    first = states[0][0]
    return {
        name: torch.as_tensor(sum(state[name] * (share / total) for state, share in states), dtype=value.dtype)
        if value.dtype.is_floating_point
        else value
        for name, value in first.items()
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("runs", nargs="+", metavar="FILE[:SHARE]")
    options = parser.parse_args()
    states = []
    for run in options.runs:
        path, _, share = run.partition(":")
        states.append((torch.load(path, map_location="cpu"), float(share or 1)))
    torch.save(mean(states), options.out)


if __name__ == "__main__":
    main()
