"""What every test runs with."""

import os
import signal
from typing import Final

from tests.capi.build import build

__all__ = ["build"]

# Whoever runs the tests may ask for colors, or have a terminal that knows none: what is printed must not depend on it.
# Typer and rich read these when they are imported.
_OF_TERMINALS: Final = (
    "GITHUB_ACTIONS",
    "FORCE_COLOR",
    "PY_COLORS",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
)

for name in _OF_TERMINALS:
    os.environ.pop(name, None)
os.environ["TERM"] = "xterm-256color"

# What a shell starts in the background ignores Ctrl-C, and so would every command that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
