"""One browser with a phone's and a desktop's page for all tests: Debian's chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import sync_playwright

from tests.web.people import DESKTOP, PHONE, Device


@pytest.fixture(scope="session")
def devices() -> Iterator[dict[str, Device]]:
    """Both, opened when the first test wants one; opening costs more than everything else."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path is not None, "the tests of the page need a browser: apt install chromium-headless-shell"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield {"phone": Device(browser, PHONE), "desktop": Device(browser, DESKTOP)}
        browser.close()


@pytest.fixture
def phone(devices: dict[str, Device]) -> Iterator[Device]:
    with devices["phone"].fresh() as device:
        yield device


@pytest.fixture
def desktop(devices: dict[str, Device]) -> Iterator[Device]:
    with devices["desktop"].fresh() as device:
        yield device
