"""Processes: an episode is the same in a process of its own, where texts have other hashes."""

import json
import os
import subprocess
import sys
import tempfile
from typing import Final

from diorama.conformance.elsewhere import EPISODE, footprint
from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import walk

_MODULE: Final = "diorama.conformance.elsewhere"
_HASH_SEED: Final = "20011"
_SECONDS: Final = 300.0
_FIX: Final = (
    "go by nothing but seed, configuration and decisions: no iteration over sets of texts, no hash(), no clock, "
    "no folder, no variable of the environment, nothing kept from other copies"
)


def check_processes(subject: Subject, report: Report) -> None:
    """Play an episode here, then the same in another process, and compare each step."""
    tier = subject.quickest
    batch = subject.opened(tier, (EPISODE,))
    actions = [taken.tolist() for taken in walk(batch)]
    batch.close()
    here = footprint(subject, tier, actions)
    asked = {
        "world": subject.world.id,
        "config": subject.config.model_dump(mode="json"),
        "tier": tier.value,
        "actions": actions,
    }
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", _MODULE],
            input=json.dumps(asked),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": _HASH_SEED},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    if done.returncode:
        report.fail(
            f"in another process: {(done.stderr.strip().splitlines() or ['it ended without words'])[-1]}",
            fix="the world must load and run wherever its package is installed",
        )
        return
    _compare(report, here, json.loads(done.stdout.splitlines()[-1]))
    report.note(f"{tier.value}: {len(actions)} steps")


def _compare(report: Report, here: list[str], there: list[str]) -> None:
    if here[0] != there[0]:
        report.fail(
            "the configuration has another hash in another process",
            fix="use lists or tuples in the configuration, not sets: their order is an accident",
        )
        return
    step = next((place for place, pair in enumerate(zip(here[1:], there[1:], strict=True)) if len(set(pair)) > 1), None)
    report.expect(
        step is None,
        f"seed {EPISODE} and the same decisions give another episode in another process, from step {step} on",
        fix=_FIX,
    )
