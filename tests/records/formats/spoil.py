"""Mutations of files: what a disk, an editor or somebody ill-meaning makes of them."""

import random

_SIGNS = '0123456789:;/()[]{}"\\ \n\t|*@!,.-xWB?=>\u00d7\u0416\x00'


def spoiled(rng: random.Random, text: str) -> str:
    """The text after one to three mutations."""
    for _ in range(rng.randint(1, 3)):
        if not text:
            return rng.choice(_SIGNS)
        at = rng.randrange(len(text))
        to = min(len(text), at + rng.choice((1, 2, 5, 20, 200)))
        match rng.randrange(9):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:at] + rng.choice(_SIGNS) * rng.choice((1, 1, 2, 50, 3000)) + text[at:]
            case 2:
                text = text[:at] + rng.choice(_SIGNS) + text[at + 1 :]
            case 3:
                text = text[:at] + text[at:to] * rng.choice((2, 3, 40)) + text[to:]
            case 4:
                text = text[:at]
            case 5:
                begin = rng.randrange(len(text))
                text = text[:at] + text[begin : begin + 100] + text[to:]
            case 6:
                lines = text.split("\n")
                rng.shuffle(lines)
                text = "\n".join(lines) if rng.random() < 0.2 else "\n".join(lines[:50]) + text
            case 7:
                text = (
                    text[:at]
                    + rng.choice(("99999999999999999999", "-1", "1e400", "NaN", "null", "[[[[", "25", "0"))
                    + text[to:]
                )
            case 8:
                text = text.replace(
                    rng.choice(("31", "6", ":", "[", '"', "/", "\n")), rng.choice(_SIGNS), rng.randint(1, 9)
                )
    return text
