"""`Typist`: types what a document says, in a folder of its own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.docs.blocks import ROOT
from tests.docs.terminal import Terminal

PATIENCE_SECONDS: Final = 1800
SILENCE_SECONDS: Final = 10
_EXPORT: Final = re.compile(r"export (?P<name>\w+)=")
_FOLDERS: Final = ("examples", "tests", "tools", "web")
_LEFT_OUT: Final = shutil.ignore_patterns("node_modules", "build", "*.egg-info", "__pycache__")
# What is installed stays in the folder, and takes nothing from afar but the package itself.
_SHIMS: Final = {
    "diorama": 'exec "{python}" -m diorama "$@"',
    "python": 'exec "{python}" "$@"',
    "pip": 'shift; exec "{python}" -m pip install --quiet --no-deps --no-build-isolation --target "{folder}/site" "$@"',
    "make": 'exec "{make}" --dry-run -C "{root}" "$@"',
}


class Typist:
    """Keeps what a shell would: the folder, the environment, and programs that are still running."""

    def __init__(self, folder: Path, *, speaks_of: str = "") -> None:
        """Sit down in an empty folder, with a copy of those folders of the repository that a text speaks of."""
        self._folder = folder
        self._terminals: list[tuple[str, Terminal]] = []
        for name in _FOLDERS:
            if re.search(rf"\b{name}\b", speaks_of):
                shutil.copytree(ROOT / name, folder / name, ignore=_LEFT_OUT, symlinks=True)
        if (folder / "web").is_dir():
            (folder / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
        shims = folder / "bin"
        shims.mkdir()
        for name, line in _SHIMS.items():
            shim = shims / name
            filled = line.format(python=sys.executable, folder=folder, root=ROOT, make=shutil.which("make"))
            shim.write_text(f"#!/bin/sh\n{filled}\n", encoding="utf-8")
            shim.chmod(0o755)
        self._environment = {
            **os.environ,
            "PATH": f"{shims}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "site"),
            "PYTHONWARNINGS": "ignore",
            "COLUMNS": "120",
            "BROWSER": "true",
        }

    def write(self, name: str, text: str) -> None:
        """Write a file that a document shows."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def type(self, line: str, *, exit_code: int = 0) -> str:
        """Type a line and wait for its end; returns what went wrong, empty where nothing did."""
        exported = _EXPORT.match(line)
        if exported is not None:
            told = self._run(f'{line}\nprintf %s "${exported["name"]}"')
            self._environment[exported["name"]] = told.stdout
            return "" if told.returncode == 0 and told.stdout else f"{line}\nleft nothing\n{told.stderr}"
        if line.startswith((". ", "source ")):
            return ""  # what it would put on the path is there
        done = self._run(line)
        return "" if done.returncode == exit_code else f"{line}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"

    def start(self, line: str) -> str:
        """Type a line that does not end by itself, and wait for what it shows; returns what went wrong."""
        terminal = Terminal(["bash", "-c", f"exec {line}"], folder=self._folder, environment=self._environment)
        self._terminals.append((line, terminal))
        command = shlex.split(line)[1]
        wanted = b"http://" if command in ("serve", "live") else b""
        # Events are told when something happens, which may be never.
        is_well = terminal.stays(SILENCE_SECONDS) if command == "events" else terminal.shows(wanted, PATIENCE_SECONDS)
        if is_well:
            return ""
        return f"{line}\nended before it showed anything useful\n{terminal.told()}"

    def stop(self) -> str:
        """End what is still running, as somebody at the terminal would; returns what went wrong."""
        problems = [
            f"{line}\ndid not end well ({code})\n{terminal.told()}"
            for line, terminal in reversed(self._terminals)
            if (code := terminal.end()) not in (0, 130)
        ]
        self._terminals.clear()
        return "\n".join(problems)

    def _run(self, line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", line],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
