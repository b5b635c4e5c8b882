"""Pictures of every page for docs/page: on a desktop in the light, on a phone in the dark.

python -m tests.bench.page_pictures docs/page
"""

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image as Pillow
from playwright.sync_api import sync_playwright

from tests.web.gallery import exhibition, visits
from tests.web.people import DESKTOP, PHONE, Device


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as state, exhibition(Path(state)) as world:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for kind, device in (("desktop", DESKTOP), ("phone", PHONE)):
            scheme = {"color_scheme": "light" if kind == "desktop" else "dark"}
            for name, page in visits(Device(browser, device | scheme), world):
                clip = (
                    {"x": 0, "y": 0, "width": 820, "height": 340} if name == "overlay" and kind == "desktop" else None
                )
                whole = name in ("live", "setup") and kind == "desktop"
                page.screenshot(
                    path=folder / f"{name}-{kind}.png", full_page=whole, clip=clip, omit_background=name == "overlay"
                )
                if name != "overlay":  # it is transparent, the others are smaller with few colours
                    smaller(folder / f"{name}-{kind}.png")
                print(f"{name}-{kind}", flush=True)
        browser.close()


def smaller(path: Path) -> None:
    with Pillow.open(path) as picture:
        picture.convert("RGB").quantize(200).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
