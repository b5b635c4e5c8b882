"""Scripts, styles and pictures of the page: read once at the start, so that no request ever names a file."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str
    etag: str


def load() -> dict[str, Asset]:
    """All files of the folder ``static`` by name."""
    folder = files("companion.web") / "static"
    return {item.name: _asset(item) for item in folder.iterdir() if _suffix(item.name) in _TYPES}


def version(assets: dict[str, Asset]) -> str:
    """A short mark that changes with any of them."""
    joined = "".join(f"{name}{asset.etag}" for name, asset in sorted(assets.items()))
    return hashlib.sha256(joined.encode()).hexdigest()[:8]


def _asset(item: Traversable) -> Asset:
    content = item.read_bytes()
    return Asset(content, _TYPES[_suffix(item.name)], f'"{hashlib.sha256(content).hexdigest()[:16]}"')


def _suffix(name: str) -> str:
    return name[name.rfind(".") :] if "." in name else ""
