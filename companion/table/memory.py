"""The memory of a table as JSON and back, so that a power cut in any phase loses nothing.

Whoever keeps it stores :func:`Table.remembered <companion.table.Table.remembered>` with the step that it belongs to;
a table that recalls it is in the same state, to the last doubt. The form follows the dataclasses of
:mod:`companion.table.state`.
"""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.errors import RecordError

T = TypeVar("T")
_Hints = dict[str, Any]


def plain(value: Any) -> Any:
    """A value of the table's memory as JSON; what maps from other things than names becomes a list of pairs."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value


def recalled(kind: type[T], data: Any) -> T:
    """The value of this type; raises RecordError that says what was expected."""
    try:
        made: T = _made(kind, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"memory of the table: expected a {kind.__name__}, got {str(data)[:80]}: {error}") from error
    return made


def _made(kind: Any, data: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(kind), data)
    if origin is Literal:
        if data not in get_args(kind):
            raise ValueError(f"expected one of {get_args(kind)}")
        return data
    if origin is tuple:
        return _tuple(get_args(kind), data)
    if origin is frozenset:
        return frozenset(_made(get_args(kind)[0], each) for each in data)
    if origin is not None and issubclass(origin, Mapping):
        return {key: _made(get_args(kind)[1], each) for key, each in data.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        # what an older version did not know yet is as it is by itself
        return kind(**{name: _made(hint, data[name]) for name, hint in _hints(kind).items() if name in data})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if isinstance(kind, type) and not isinstance(data, (int, float) if kind is float else kind):
        raise ValueError(f"expected a {kind.__name__}, got {data!r}")
    return data


def _one_of(kinds: tuple[Any, ...], data: Any) -> Any:
    """None, or the value of the one other type."""
    if data is None:
        return None
    return _made(next(kind for kind in kinds if kind is not type(None)), data)


def _tuple(kinds: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_made(kinds[0], each) for each in data)
    return tuple(_made(kind, each) for kind, each in zip(kinds, data, strict=True))


@lru_cache(maxsize=32)
def _hints(kind: type) -> _Hints:
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}
