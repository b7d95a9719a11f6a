"""Reports as JSON files, and scripts that repeat what they report."""

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.storage.atomic_files import replace_file

_EXECUTABLE: Final = 0o755


def write_report(path: Path, report: JsonObject) -> None:
    """Replace the file with a report, whole or not at all; missing parent directories are made."""
    replace_file(path, (json.dumps(report, indent=2, allow_nan=False) + "\n").encode())


def write_repro(path: Path, arguments: str, *, comment: str, first: Sequence[str] = ()) -> None:
    """Write a shell script that runs `diorama` again in the folder where the script lies.

    The script looks for nothing on the search path: it names the interpreter that wrote it, which DIORAMA_PYTHON
    replaces on another machine.

    Args:
        path: The script.
        arguments: Of `diorama`, quoted for the shell.
        comment: What the script does, in one line.
        first: Lines that run where the script is called, before it changes to its folder.
    """
    lines = (
        "#!/bin/sh",
        f"# {comment}",
        *first,
        "case $0 in */*) folder=${0%/*} ;; *) folder=. ;; esac",
        'cd "$folder" || exit 2',
        f"python={shlex.quote(sys.executable)}",
        f'exec "${{DIORAMA_PYTHON:-$python}}" -m diorama {arguments}',
        "",
    )
    path.write_text("\n".join(lines), encoding="utf-8")
    path.chmod(_EXECUTABLE)
