"""Parity: a short walk of both tiers in lockstep, for each quick suite of the world's plan."""

import tempfile
from pathlib import Path
from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.parity.cases import Column, Selection, plan_cases
from diorama.parity.matrix import check_case
from diorama.parity.profiles import declared_profile

_MOST_STEPS: Final = 40


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
    selection = Selection(
        seeds=1,
        steps=min(planned, _MOST_STEPS),
        columns=(Column(label="checked", config=subject.config.model_dump(mode="json")),),
    )
    with tempfile.TemporaryDirectory() as folder:
        for case in plan_cases(world, selection):
            result = check_case(world, case, declared_profile(world), Path(folder))
            report.expect(
                result.mismatch is None,
                f"suite {case.suite}: {result.mismatch}",
                fix=f"run 'diorama parity {world.id} --suite {case.suite}' and look into its mismatch bundle",
            )
            report.note(f"suite {case.suite}: {result.steps} decisions")
