"""``companion doctor``: looks at everything that a table needs, and says what to do where something is not right."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from companion import languages
from companion.languages import _

if TYPE_CHECKING:
    from companion.cli.checks import Found

MARKS = {"good": "+", "look": "~", "bad": "-", "none": " "}


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("doctor", epilog="Example: companion doctor --self-test")(doctor)


def doctor(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings (companion.toml); default: the usual places.")
    ] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="The camera (default: as the settings say).")] = None,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Light each lamp, show each page, ask for each button.")
    ] = False,
    mounting: Annotated[
        bool, typer.Option("--mounting", help="How high a camera must hang, by lens and board, and stop.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check camera, focus, light, pins, display, models, disk, clock and service; exit code 1: something is wrong."""
    if mounting:
        _mountings(as_json)
        return
    from companion.cli.checks import Found, Patient, examined
    from companion.config import Settings, load_settings
    from companion.errors import ConfigError

    wrong: list[Found] = []
    try:
        settings = load_settings(config)
    except ConfigError as error:
        wrong, settings = [Found("settings", "bad", str(error), _("correct this line of the file"))], Settings()
    if settings.language is not None and context.find_root().params.get("language") is None:
        languages.use(settings.language)
    if self_test:
        from companion.cli.selftest import self_test as tested

        found: Iterable[Found] = tested(settings, _say)
    else:
        found = examined(Patient(settings, camera or settings.camera.device))
    bad = _told(wrong, found, as_json)
    if bad:
        raise typer.Exit(1)


def _told(first: "list[Found]", found: "Iterable[Found]", as_json: bool) -> int:
    """Print every finding as soon as it is there; how many are bad."""
    from companion.cli.checks import NAMES, named

    everything = []
    width = max(11, 1 + max(map(len, map(named, NAMES))))
    for finding in chain(first, found):
        everything.append(finding)
        if not as_json:
            advice = f"\n  {'':<{width}}→ {finding.advice}" if finding.advice and finding.state != "good" else ""
            print(f"{MARKS[finding.state]} {named(finding.check):<{width}}{finding.words}{advice}", flush=True)
    bad = sum(finding.state == "bad" for finding in everything)
    look = sum(finding.state == "look" for finding in everything)
    if as_json:
        print(json.dumps({"ok": not bad, "findings": [f.to_json() for f in everything]}, ensure_ascii=False))
    elif bad:
        print(_("Something is wrong ({0}): see the lines that begin with -.").format(bad))
    elif look:
        print(_("It works; look at the lines that begin with ~ ({0}).").format(look))
    else:
        print(_("All is well."))
    return bad


def _say(line: str) -> None:
    print("companion:", line, file=sys.stderr, flush=True)


def _mountings(as_json: bool) -> None:
    from companion.cli.mounting import AROUND, GOOD_DIE_PX, mountings, table

    found = mountings()
    if as_json:
        print(json.dumps([asdict(m) | {"possible": m.possible} for m in found]))
        return
    print(table(found))
    words = _(
        "From the lens straight down to the middle of the board: the least height at which the field and {0} around it "
        "are seen, the greatest at which a die has {1} pixels, and its pixels at the least. Where there is one height "
        "alone the dice are small: larger dice or another camera are better."
    )
    print(fill(words.format(f"{AROUND:.0%}", GOOD_DIE_PX), 110))
