"""Stages of a long measurement: each is stored with its core-minutes, and reused while nothing of it has changed."""

import hashlib
import json
import re
import resource
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from diorama.contracts.values import JsonObject
from diorama.storage.report_files import write_report

_SOURCES: Final = ("src/diorama", "crates")
_ROOT: Final = Path(__file__).resolve().parents[3]


@dataclass(slots=True)
class StageStore:
    """Results of stages in a folder.

    Attributes:
        folder: Holds one file per stage.
        revision: Of the code that measures; results of another one are measured again.
        core_minutes: Of all stages asked for so far, those that were stored included.
        reused: Stages that were there already.
    """

    folder: Path
    revision: str
    core_minutes: float = 0.0
    reused: int = 0

    def result(
        self,
        name: str,
        key: JsonObject,
        measure: Callable[[], JsonObject],
        *,
        is_kept: Callable[[], bool] = lambda: True,
    ) -> dict[str, Any]:
        """Return the stored result of a stage, or measure and store it.

        Args:
            name: Of the stage.
            key: Everything besides the code that the result depends on.
            measure: Returns the result as JSON values.
            is_kept: Whether files that the stage has left are still there.
        """
        path = self.folder / f"{re.sub('[^A-Za-z0-9]+', '-', name)}.json"
        wanted = json.loads(json.dumps({"revision": self.revision, "key": key}))
        if path.is_file() and is_kept():
            stored = json.loads(path.read_text(encoding="utf-8"))
            if {part: stored[part] for part in wanted} == wanted:
                self.reused += 1
                return self._counted(stored)
        before = _core_seconds()
        result = measure()
        stored = {**wanted, "core_minutes": (_core_seconds() - before) / 60.0, "result": result}
        write_report(path, stored)
        print(f"{stored['core_minutes']:8.2f} core-minutes  {name}", flush=True)
        # What is read back later is what is used now.
        return self._counted(json.loads(path.read_text(encoding="utf-8")))

    def _counted(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        self.core_minutes += stored["core_minutes"]
        result: dict[str, Any] = stored["result"]
        return result


def source_revision() -> str:
    """Return what tells the sources of this checkout from others, whatever is committed beside them."""
    trees = [_git("rev-parse", f"HEAD:{source}") for source in _SOURCES]
    changes = _git("diff", "HEAD", "--", *_SOURCES)
    return hashlib.sha256("\n".join([*trees, changes]).encode()).hexdigest()[:16]


def _git(*arguments: str) -> str:
    asked = subprocess.run(["git", "-C", str(_ROOT), *arguments], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def _core_seconds() -> float:
    """Return the processor time of this process and of those of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
