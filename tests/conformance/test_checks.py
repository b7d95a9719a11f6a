"""Every check passes what is right, and finds the flaw it is there for."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from orchard import WORLD
from orchard.simulation import OrchardSimulation

from diorama.conformance.kit import CHECKS, run_check, run_checks
from diorama.conformance.report import MOST_FINDINGS, Outcome, Report, Verdict
from diorama.conformance.subject import Subject
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from tests.conformance.conftest import Register
from tests.conformance.flawed_orchards import FLAWS, Flaw, orchard, with_fast_tier
from tests.engine.toy_world import TOY, ToyConfig, ToySimulation, toy_spec

SHORT: dict[str, object] = {"length": 30}


def outcome_of(check: str, world: World, settings: dict[str, object] | None = SHORT) -> Outcome:  # type: ignore[type-arg]
    chosen = next(one for one in CHECKS if one.name == check)
    return run_check(chosen, Subject.of(world, settings))


def told(outcome: Outcome) -> str:
    return " | ".join(finding.what for finding in outcome.findings)


def test_a_right_world_passes_everything_that_can_be_checked(register: Register) -> None:
    world = with_fast_tier(OrchardSimulation)
    register(world)

    verdicts = {outcome.name: (outcome.verdict, told(outcome)) for outcome in run_checks(Subject.of(world, SHORT))}

    skipped = {name for name, (verdict, _) in verdicts.items() if verdict is Verdict.SKIP}
    assert [what for verdict, what in verdicts.values() if verdict is Verdict.FAIL] == []
    assert skipped == {"pettingzoo", "presets"}
    assert list(verdicts) == [check.name for check in CHECKS]


@pytest.mark.parametrize("flaw", FLAWS.values(), ids=FLAWS)
def test_a_flaw_is_found(flaw: Flaw, register: Register) -> None:
    register(flaw.world)

    outcome = outcome_of(flaw.check, flaw.world)

    assert outcome.verdict is Verdict.FAIL
    assert flaw.words in told(outcome)
    assert all(finding.fix for finding in outcome.findings)


def test_a_broken_preset_is_found(register: Register) -> None:
    register(WORLD, "tests.conformance.spoiled_presets")

    outcome = outcome_of("presets", WORLD)

    assert "preset 'broken'" in told(outcome)
    assert "steps" in told(outcome)


def test_a_world_of_several_seats_is_shown_to_pettingzoo(register: Register) -> None:
    class BreaksOnMinus(ToySimulation):
        def step(self, decisions: Sequence[Decision]) -> StepRecord:
            raise KeyError("minus")

    broken = replace(TOY, simulate=BreaksOnMinus)
    register(TOY)
    assert outcome_of("pettingzoo", TOY, None).verdict is Verdict.PASS
    register(broken)

    outcome = outcome_of("pettingzoo", broken, None)

    assert "KeyError: 'minus' (at test_checks.py:" in told(outcome)


def test_a_contract_that_cannot_be_described_ends_the_examination() -> None:
    def contradictory(config: ToyConfig) -> WorldSpec:
        return replace(toy_spec(config), interface_version="other-v1")

    outcomes = list(run_checks(Subject.of(replace(TOY, describe=contradictory))))

    assert [outcome.name for outcome in outcomes] == ["contract"]
    assert "does not belong to world 'toy'" in told(outcomes[0])


def test_a_world_without_a_fast_tier_is_told_what_is_missing() -> None:
    outcome = outcome_of("parity", orchard())

    assert outcome.verdict is Verdict.SKIP
    assert "orchard has no fast tier" in outcome.notes[0]


def test_findings_are_told_once_and_not_without_end() -> None:
    report = Report()

    for place in [0, 0, *range(2 * MOST_FINDINGS)]:
        report.fail(f"wrong {place}", fix="mend it")

    assert [finding.what for finding in report.findings] == [f"wrong {place}" for place in range(MOST_FINDINGS)]
