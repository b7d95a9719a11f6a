"""A real Chromium for the scripts that show pages, and what they need beside it."""

import argparse
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import diorama
from diorama.contracts.errors import DioramaError

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_WEB: Final = Path(__file__).parents[2] / "web"


class BrowserFailed(DioramaError):
    """The browser did not show what was asked for; the message has its last words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Browsing:
    """Where Chromium is, and what is missing to show pages with it."""

    chromium: str
    missing: tuple[str, ...]


def add_browser_option(parser: argparse.ArgumentParser) -> None:
    """Let whoever runs a script name a Chromium."""
    parser.add_argument("--chromium", default=os.environ.get("CHROMIUM"), help="its executable")


def find_browser(named: str | None) -> Browsing:
    """Look for a Chromium, the one that is named or one on the path, and for everything it is driven with."""
    chromium = shutil.which(named) if named else next((path for name in _NAMES if (path := shutil.which(name))), None)
    client = Path(diorama.__file__).parent / "server" / "static" / "index.html"
    needs = {
        "the web client is not built: cd web && npm install && npm run build": client.is_file(),
        "the client's Node packages are not installed: cd web && npm install": (
            _WEB / "node_modules" / "playwright-core"
        ).is_dir(),
        "there is no node": shutil.which("node") is not None,
        "there is no Chromium; name one with --chromium": chromium is not None,
    }
    return Browsing(chromium=chromium or "", missing=tuple(words for words, is_there in needs.items() if not is_there))
