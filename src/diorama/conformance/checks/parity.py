"""Parity: a short walk of both tiers in lockstep, for each quick suite of the world's plan."""

import tempfile
from pathlib import Path
from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.parity.cases import Column, Selection, plan_cases
from diorama.parity.matrix import check_case
from diorama.parity.profiles import declared_profile

_FIRST_STEPS: Final = 40
_MOST_STEPS: Final = 1_000
_SECONDS: Final = 2.0  # a quick world is compared for longer, so that what happens late is seen


def check_parity(subject: Subject, report: Report) -> None:
    """Compare the tiers in the configuration under examination."""
    world = subject.world
    if subject.missing_fast_tier:
        report.skip(f"nothing to compare: {subject.missing_fast_tier} (World.accelerate makes the fast tier)")
        return
    if not world.parity.quick_suites:
        report.fail(
            "the world's plan names no parity suites, so nobody compares its tiers",
            fix="give World.parity suites of actions, and name some of them quick",
        )
        return
    planned = world.parity.quick_steps or world.parity.steps
    with tempfile.TemporaryDirectory() as folder:
        steps = min(planned, _FIRST_STEPS)
        affordable = int(_SECONDS * steps / max(_compare(subject, report, steps, Path(folder)), 1e-3))
        further = min(max(planned, _MOST_STEPS), affordable)
        if further > steps and not report.findings:
            _compare(subject, report, further, Path(folder))
        report.note(f"{max(steps, further)} decisions of each quick suite: {', '.join(world.parity.quick_suites)}")


def _compare(subject: Subject, report: Report, steps: int, folder: Path) -> float:
    """Walk every quick suite for so many decisions, and return the seconds it took."""
    world, taken = subject.world, 0.0
    column = Column(label="checked", config=subject.config.model_dump(mode="json"))
    for case in plan_cases(world, Selection(seeds=1, steps=steps, columns=(column,))):
        result = check_case(world, case, declared_profile(world), folder)
        report.expect(
            result.mismatch is None,
            f"suite {case.suite}: {result.mismatch}",
            fix=f"run 'diorama parity {world.id} --suite {case.suite}' and look into its mismatch bundle",
        )
        taken += result.seconds
    return taken
