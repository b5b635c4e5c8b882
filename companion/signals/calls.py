"""How a roll is called: in Russian and Bulgarian as nardy and tabla players do, the higher number first.

The words are those of the old game, half Persian, half Turkish. They differ from table to table; the setting
``voice.calls`` puts others in their place.
"""

from collections.abc import Mapping

from companion.events import Dice
from companion.languages import Language

_RUSSIAN = {
    "1-1": "геп-як",
    "2-2": "ду-бара",
    "3-3": "ду-се",
    "4-4": "дорт-чахар",
    "5-5": "ду-беш",
    "6-6": "ду-шеш",
    "2-1": "ду-як",
    "3-1": "се-ба-як",
    "3-2": "се-ба-ду",
    "4-1": "чари-як",
    "4-2": "чари-ду",
    "4-3": "чари-се",
    "5-1": "пянджи-як",
    "5-2": "пянджи-ду",
    "5-3": "пянджи-се",
    "5-4": "пянджи-чар",
    "6-1": "шеш-як",
    "6-2": "шеш-ду",
    "6-3": "шеш-се",
    "6-4": "шеш-чар",
    "6-5": "шеш-беш",
}
_BULGARIAN = {
    "1-1": "хеп-ек",
    "2-2": "дубара",
    "3-3": "дюсе",
    "4-4": "дорт-джихар",
    "5-5": "дюбеш",
    "6-6": "дюшеш",
    "2-1": "ики-бир",
    "3-1": "се-бай-ек",
    "3-2": "се-бай-дю",
    "4-1": "джихари-ек",
    "4-2": "джихари-дю",
    "4-3": "джихари-се",
    "5-1": "пенджи-ек",
    "5-2": "пенджи-дю",
    "5-3": "пенджи-се",
    "5-4": "беш-дорт",
    "6-1": "шеши-ек",
    "6-2": "шеши-дю",
    "6-3": "шеши-се",
    "6-4": "шеши-джихар",
    "6-5": "шеш-беш",
}
_NUMBERS = ("one", "two", "three", "four", "five", "six")
_ENGLISH = {
    f"{high}-{low}": f"double {_NUMBERS[high - 1]}" if high == low else f"{_NUMBERS[high - 1]} {_NUMBERS[low - 1]}"
    for high in range(1, 7)
    for low in range(1, high + 1)
}
CALLS: Mapping[Language, Mapping[str, str]] = {"en": _ENGLISH, "ru": _RUSSIAN, "bg": _BULGARIAN}


def call(dice: Dice, language: Language, others: Mapping[str, str] | None = None) -> str:
    """How a roll is called in a language; ``others`` are the calls of this table."""
    roll = f"{max(dice)}-{min(dice)}"
    return (others or {}).get(roll) or CALLS[language][roll]
