"""Reports as JSON files."""

import json
from pathlib import Path

from diorama.contracts.values import JsonObject
from diorama.storage.atomic_files import replace_file


def write_report(path: Path, report: JsonObject) -> None:
    """Replace the file with a report, whole or not at all; missing parent directories are made."""
    replace_file(path, (json.dumps(report, indent=2, allow_nan=False) + "\n").encode())
