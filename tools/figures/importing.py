"""Takes over reports, without folders of the machine and without long profiles."""

import json
from collections.abc import Container
from pathlib import Path
from typing import Any, Final

_PROFILE: Final = "kernels"  # long lists for whoever makes a kernel faster
_DROPPED: Final = frozenset({"artifacts", "run_id", "run_root", "replay_root", "json"})


def take_over(source: Path, target: Path, known: Container[str]) -> list[Path]:
    """Copy the reports of a folder that have a known name, and return where the copies are."""
    target.mkdir(parents=True, exist_ok=True)
    copies = []
    for path in sorted(path for path in source.glob("*.json") if path.stem in known):
        report = json.loads(path.read_text(encoding="utf-8"))
        copy = target / path.name
        copy.write_text(json.dumps(without_folders(report), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        copies.append(copy)
    return copies


def without_folders(value: Any) -> Any:
    """Leave out what names a folder, and of paths all but their last part."""
    if isinstance(value, dict):
        return {
            key: without_folders(item)
            for key, item in value.items()
            if key not in _DROPPED and not key.endswith(_PROFILE)
        }
    if isinstance(value, list):
        return [without_folders(item) for item in value]
    if isinstance(value, str) and value.startswith("/"):
        return value.rpartition("/")[2]
    return value
