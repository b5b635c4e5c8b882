"""The options that ``run`` and ``replay`` share, in one place.

:class:`RigOptions` and :class:`KeepOptions` are dataclasses; each field is an option with its help. A command takes one
as a parameter and is decorated with :func:`spread`, which puts the options themselves into the command's signature,
where typer finds them.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

Command = TypeVar("Command", bound=Callable[..., None])


@dataclass(frozen=True)
class RigOptions:
    """What the command line says about the rig, before it is checked; None: as the settings say."""

    game: Annotated[
        str | None, typer.Option("--game", help="long, short, tabla … (default: the calibration's, else long).")
    ] = None
    calibration: Annotated[Path | None, typer.Option("--calibration", help="A calibration file.")] = None
    corners: Annotated[
        str | None,
        typer.Option("--corners", help='The playing field\'s outer corners in pixels, "x,y x,y x,y x,y": TL TR BR BL.'),
    ] = None
    home: Annotated[
        str | None, typer.Option("--home", help="The corner where the light player bears off: BR BL TR TL.")
    ] = None
    white: Annotated[str | None, typer.Option("--white", help="Whose checkers White plays: light or dark.")] = None
    start: Annotated[Path | None, typer.Option("--start", help="A position (JSON) to begin from.")] = None
    profile: Annotated[
        str | None, typer.Option("--profile", help="House rules: the name or the file of a profile.")
    ] = None
    options: Annotated[
        list[str] | None, typer.Option("--option", help="One house rule, name=value; may be repeated.")
    ] = None
    mode: Annotated[
        str | None, typer.Option("--mode", help="teach, referee, director or silent (default: referee).")
    ] = None
    policy: Annotated[
        str | None,
        typer.Option("--policy", help="What becomes of an illegal play: legal (default), responsible or demand."),
    ] = None
    clock: Annotated[
        str | None,
        typer.Option(
            "--clock", metavar="BANK+DELAY", help="A game clock in seconds, 600+12: bank and delay; off (default)."
        ),
    ] = None
    length: Annotated[
        int | None, typer.Option("--length", help="Points of the match; 0: money (default: 3).", min=0)
    ] = None
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings (companion.toml); default: the usual places.")
    ] = None
    language: Annotated[
        str | None, typer.Option("--language", help="en, ru or bg (default: the settings', else that of the machine).")
    ] = None
    page: Annotated[
        str | None,
        typer.Option(
            "--page", metavar="HOST:PORT", help="Serve the page there (default: as the settings say, or not)."
        ),
    ] = None
    events: Annotated[
        str | None, typer.Option("--events", help="Where to write events as JSON lines; - prints them.")
    ] = None


@dataclass(frozen=True)
class KeepOptions:
    """What the record says of the players, and what is kept beside it."""

    white_name: Annotated[str, typer.Option("--white-name", help="Who plays White, for display and record.")] = ""
    black_name: Annotated[str, typer.Option("--black-name", help="Who plays Black.")] = ""
    evidence: Annotated[
        bool | None,
        typer.Option("--evidence/--no-evidence", help="Keep pictures of the field and the dice of each turn."),
    ] = None

    @property
    def names(self) -> tuple[str, str]:
        """White's and Black's name; empty when not known."""
        return self.white_name, self.black_name


def spread(command: Command) -> Command:
    """Put the fields of every parameter that is a set of options into the command's signature."""
    hints = get_type_hints(command, include_extras=True)
    own = inspect.signature(command).parameters
    sets = {name: hints[name] for name in own if hints[name] in (RigOptions, KeepOptions)}

    @wraps(command)
    def taken(**values: Any) -> None:
        for name, kind in sets.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        command(**values)

    parameters = [p.replace(annotation=hints[p.name]) for p in own.values() if p.name not in sets]
    for kind in sets.values():
        parameters += _parameters(kind)
    # Without a kind that is keyword-only, one with a default could not stand before one without.
    only = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
    taken.__signature__ = inspect.Signature(only)  # type: ignore[attr-defined]
    taken.__annotations__ = {p.name: p.annotation for p in only}
    return taken  # type: ignore[return-value]


def _parameters(kind: type[RigOptions] | type[KeepOptions]) -> list[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for field in fields(kind):
        assert field.default is not MISSING
        keyword = inspect.Parameter.KEYWORD_ONLY
        found.append(inspect.Parameter(field.name, keyword, default=field.default, annotation=hints[field.name]))
    return found
