"""Curiosity and the milestones it fades along."""

import pytest

from diorama.contracts.errors import UnknownName
from diorama.engine.venue import open_venue
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, settings_of
from diorama.worlds.townlet.codes import Option
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.milestones import (
    MILESTONE_NAMES,
    MILESTONES,
    may_advance,
    milestone,
    milestone_progress,
)
from diorama.worlds.townlet.reference.curiosity import Curiosity, note_visits
from diorama.worlds.townlet.reference.policy_runner import PolicyRunner, run_tick
from diorama.worlds.townlet.situations import Situation
from tests.worlds.townlet.towns import set_needs, town_of

CURIOUS = {"features": {"training": {"curiosity": "phase_A"}}}


def test_a_situation_is_worth_less_every_time_it_is_seen() -> None:
    town = town_of(CURIOUS)
    citizen = town.citizen(0)

    worth = []
    for _ in range(4):
        note_visits(town)
        worth.append(town.intrinsic[0])
    set_needs(citizen, hunger=0.1)
    note_visits(town)

    assert worth == pytest.approx([1.0, 0.5**0.5, 3**-0.5, 0.5])
    assert town.intrinsic[0] == 1.0


@pytest.mark.parametrize(
    ("overrides", "hooks", "paid"),
    [
        pytest.param(CURIOUS, (Curiosity(),), 0.02, id="in-training"),
        pytest.param({**CURIOUS, "curiosity": {"phase_A_weight": 0.0}}, (Curiosity(),), 0.0, id="faded-out"),
        pytest.param(CURIOUS, (), 0.0, id="outside-of-training"),
        pytest.param({}, (Curiosity(),), 0.0, id="switched-off"),
    ],
)
def test_new_situations_are_paid_for_and_told_in_the_breakdown(
    overrides: dict[str, object], hooks: tuple[Curiosity, ...], paid: float
) -> None:
    town = town_of(overrides)

    run_tick(town, PolicyRunner(), hooks)

    reward = town.report.rewards[0]
    assert reward.curiosity == pytest.approx(paid)
    assert reward.total == pytest.approx(reward.survival + reward.needs_penalty + reward.shaping + paid)


def test_what_counts_is_what_was_decided_in_the_tick() -> None:
    town = town_of(CURIOUS)
    set_needs(town.citizen(0), hunger=0.1)

    run_tick(town, PolicyRunner(), (Curiosity(),))

    (met,) = town.visits
    assert (Situation.of_number(met).option, Situation.of_number(met).hunger) == (Option.GET_FED, 0)


def test_nobody_is_judged_by_curiosity() -> None:
    curious, plain = open_venue("townlet", CURIOUS), open_venue("townlet")

    judged = curious.profile_configs()["town"]
    assert isinstance(judged, TownletConfig)
    assert judged.curiosity.phase_A_weight == 0.0
    assert plain.profile_configs()["town"] == plain.config


def test_milestones_are_configurations_and_city_events_wait_for_the_fourth() -> None:
    assert MILESTONE_NAMES == ("M0", "M1", "M2", "M2.5", "M3", "C1", "C2", "C3", "M4", "M5")
    configs = {name: TownletConfig.model_validate(item.overlay) for name, item in MILESTONES.items()}

    assert [name for name, config in configs.items() if config.perturbations.enabled] == ["M4", "M5"]
    assert [len(configs[name].jobs) for name in ("M0", "M1", "M2")] == [0, 0, 4]
    assert (configs["M0"].economy.meal_cost, configs["M1"].economy.stipend_per_day) == (0.0, 1.5)
    assert configs["M3"].features.observes_relationships
    assert not configs["M2.5"].features.observes_relationships
    with pytest.raises(UnknownName, match=r"M2\.5"):
        milestone("M9")


def test_a_run_trains_at_a_milestone_and_keeps_what_it_sets_itself() -> None:
    values = {"world": "townlet", "overlay": "M1", "config": {"economy": {"meal_cost": 0.1}}, "tier": "reference"}

    config = plan_training(settings_of([Layer(source="test", values=values)])).venue.config

    assert isinstance(config, TownletConfig)
    assert (config.economy.meal_cost, config.economy.stipend_per_day, len(config.jobs)) == (0.1, 1.5, 0)
    with pytest.raises(UnknownName, match="no overlay of 'townlet' is called 'M9'"):
        plan_training(settings_of([Layer(source="test", values={**values, "overlay": "M9"})]))


def test_curiosity_ends_with_its_milestone() -> None:
    assert [milestone_progress(name, "M2") for name in ("M0", "M1", "M2", "M5")] == [0.0, 0.5, 1.0, 1.0]
    assert milestone_progress("M0", "M0") == 1.0


def test_a_milestone_is_left_when_its_bands_hold_for_two_windows() -> None:
    good = {"self_sufficiency": 0.7, "starvation_incidents": 0.0, "attendance": 0.9}
    starving, absent = {**good, "starvation_incidents": 1.0}, {**good, "attendance": 0.69}

    assert may_advance("M2", [absent, good, good])
    assert not may_advance("M2", [good, absent])
    assert not may_advance("M2", [starving, good])
    assert not may_advance("M2", [good])
    assert may_advance("M0", [absent, absent])
