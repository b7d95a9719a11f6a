"""Every check passes what is right, and finds the flaw it is there for."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from orchard import WORLD
from orchard.simulation import OrchardSimulation

from diorama.conformance import kit
from diorama.conformance.kit import CHECKS, run_check, run_checks
from diorama.conformance.report import MOST_FINDINGS, Outcome, Report, Verdict
from diorama.conformance.subject import Subject
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from diorama.worlds.registry import load_world
from tests.conformance.conftest import Register
from tests.conformance.flawed_orchards import FLAWS, Flaw, orchard
from tests.engine.toy_world import TOY, ToyConfig, ToySimulation, toy_spec
from tests.worlds.installed import install
from tests.worlds.installed import site as site

SHORT: dict[str, object] = {"length": 30}


def outcome_of(check: str, world: World, settings: dict[str, object] | None = SHORT) -> Outcome:  # type: ignore[type-arg]
    chosen = next(one for one in CHECKS if one.name == check)
    return run_check(chosen, Subject.of(world, settings))


WHOLE = """
from orchard.simulation import OrchardSimulation
from tests.conformance.flawed_orchards import with_fast_tier
WORLD = with_fast_tier(OrchardSimulation)
"""


MOODY = """
import os
from dataclasses import replace
from pydantic import Field
from orchard import WORLD as RIGHT
from orchard.contract import OrchardConfig
from orchard.simulation import OrchardSimulation

class ByNames(OrchardSimulation):
    def reset(self, seed):
        super().reset(seed)
        self._tree = int(next(iter({{str(tree) for tree in range(25)}})))

class ByFolder(OrchardSimulation):
    def reset(self, seed):
        super().reset(seed)
        self._picked = len(os.getcwd())

class Kept(OrchardSimulation):
    views = {{}}
    def observe(self, obs, obs_u8):
        super().observe(obs, obs_u8)
        obs[0] = self.views.setdefault(self._tick, obs[0].copy())

class Sorts(OrchardConfig):
    sorts: frozenset[str] = Field(default=frozenset("abcdefgh"), description="what grows")

{change}
WORLD = world
"""


def told(outcome: Outcome) -> str:
    return " | ".join(finding.what for finding in outcome.findings)


def test_a_right_world_passes_everything_that_can_be_checked(site: Path) -> None:
    install(site, "diorama-orchard", "orchard-v1 = whole:WORLD", modules={"whole": WHOLE})
    world = load_world("orchard")

    verdicts = {outcome.name: (outcome.verdict, told(outcome)) for outcome in run_checks(Subject.of(world, SHORT))}

    skipped = {name for name, (verdict, _) in verdicts.items() if verdict is Verdict.SKIP}
    assert [what for verdict, what in verdicts.values() if verdict is Verdict.FAIL] == []
    assert skipped == {"pettingzoo", "presets"}
    assert list(verdicts) == [check.name for check in CHECKS]


@pytest.mark.parametrize("flaw", FLAWS.values(), ids=FLAWS)
def test_a_flaw_is_found(flaw: Flaw, register: Register) -> None:
    register(flaw.world)

    outcome = outcome_of(flaw.check, flaw.world, SHORT if flaw.world.id == "orchard" else None)

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


def test_a_call_that_never_returns_is_ended_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waits(OrchardSimulation):
        def step(self, decisions: Sequence[Decision]) -> StepRecord:
            while True:
                pass

    monkeypatch.setattr(kit, "_SECONDS", 0.2)

    outcomes = list(run_checks(Subject.of(orchard(Waits))))

    assert outcomes[-1].name == "simulation"
    assert "did not return within 0.2 seconds (at test_checks.py:" in told(outcomes[-1])


def test_what_every_check_would_stumble_over_is_told_once() -> None:
    class Breaks(OrchardSimulation):
        def step(self, decisions: Sequence[Decision]) -> StepRecord:
            raise KeyError("tree")

    outcomes = list(run_checks(Subject.of(orchard(Breaks))))

    assert [outcome.name for outcome in outcomes if outcome.findings] == ["simulation"]
    assert outcomes[-1].name == "simulation"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(
            "world = replace(RIGHT, simulate=ByNames)", "another episode in another process", id="order-of-a-set"
        ),
        pytest.param("world = replace(RIGHT, simulate=ByFolder)", "another episode in another process", id="folder"),
        pytest.param("world = replace(RIGHT, simulate=Kept)", "another episode in another process", id="kept-for-all"),
        pytest.param("world = replace(RIGHT, config_type=Sorts)", "another hash in another process", id="set-of-texts"),
    ],
)
def test_what_differs_in_another_process_is_found(site: Path, change: str, words: str) -> None:
    install(site, "diorama-orchard", "orchard-v1 = moody:WORLD", modules={"moody": MOODY.format(change=change)})
    world = load_world("orchard")
    for check in ("seeds", "batches"):
        assert outcome_of(check, world).verdict is Verdict.PASS

    outcome = outcome_of("processes", world)

    assert words in told(outcome)


def test_episodes_of_one_decision_are_as_right_as_any(site: Path) -> None:
    install(site, "diorama-orchard", "orchard-v1 = orchard:WORLD")
    world = load_world("orchard")

    outcomes = {outcome.name: outcome for outcome in run_checks(Subject.of(world, {"length": 1}))}

    assert [told(outcome) for outcome in outcomes.values() if outcome.findings] == []
    assert "check_env takes for a mistake" in outcomes["gymnasium"].notes[0]


def test_findings_are_told_once_and_not_without_end() -> None:
    report = Report()

    for place in [0, 0, *range(2 * MOST_FINDINGS)]:
        report.fail(f"wrong {place}", fix="mend it")

    assert [finding.what for finding in report.findings] == [f"wrong {place}" for place in range(MOST_FINDINGS)]
