"""Pictures of every page for docs/page: on a desktop in the light, on a phone in the dark, some in other languages.

python -m tests.bench.page_pictures docs/page
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image as Pillow
from playwright.sync_api import Page, sync_playwright

from tests.web.gallery import PAGES, exhibition, visits
from tests.web.people import DESKTOP, PHONE, Device

WITH_PHOTOGRAPHS = ("live", "setup", "correct")
WHOLE = ("live", "setup")
"""Longer than the screen, and shown in full on the desktop."""
OVERLAY = {"x": 0, "y": 0, "width": 820, "height": 390}
ELSEWHERE = {"ru": ("live", "table"), "bg": ("setup", "match")}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as state, exhibition(Path(state)) as world:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        desktop = Device(browser, DESKTOP | {"color_scheme": "light"})
        desktop.open(world, "/pair")
        taken(desktop.page, "pair", folder / "pair-desktop.webp")  # as a visitor sees it who is not paired
        for name, page in visits(desktop, world):
            if name != "pair":
                taken(page, name, folder / f"{name}-desktop.webp", whole=name in WHOLE)
        phone = Device(browser, PHONE | {"color_scheme": "dark"})
        for name, page in visits(phone, world):
            if name not in ("pair", "overlay"):
                taken(page, name, folder / f"{name}-phone.webp")
        light = Device(browser, PHONE | {"color_scheme": "light"})
        light.pair(world)
        for language, names in ELSEWHERE.items():
            light.page.context.add_cookies([{"name": "language", "value": language, "url": world.url}])
            for name in names:
                page = light.open(world, dict(PAGES)[name])
                page.wait_for_timeout(3000)
                taken(page, name, folder / f"{name}-phone-{language}.webp")
        browser.close()


def taken(page: Page, name: str, file: Path, whole: bool = False) -> None:
    """One picture; those without photographs lose nothing."""
    overlay = name == "overlay"
    shot = page.screenshot(full_page=whole, clip=OVERLAY if overlay else None, omit_background=overlay)  # type: ignore[arg-type]
    with Pillow.open(io.BytesIO(shot)) as picture:
        picture.save(file, "WEBP", lossless=name not in WITH_PHOTOGRAPHS, quality=85, method=6)
    print(file.name, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
