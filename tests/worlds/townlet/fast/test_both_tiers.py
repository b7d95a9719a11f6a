"""Whole episodes of both tiers: buffers, records, frames, advice and snapshots are the same, beyond their end."""

import numpy as np
import pytest

from diorama.contracts.errors import ContractError, SnapshotError
from diorama.native import load_native
from diorama.worlds.townlet.codes import OPTION_NAMES, PRIMITIVE_NAMES
from diorama.worlds.townlet.contract import METRICS
from diorama.worlds.townlet.events import EVENT_NAMES
from diorama.worlds.townlet.random_configs import random_config
from tests.worlds.townlet.fast.lockstep import assert_same, both_tiers, valid_actions

SHORT = {"episode_ticks": 25}
CASES = [
    pytest.param({}, 60, id="default"),
    pytest.param({**random_config(1), **SHORT}, 60, id="beyond-the-end"),
    pytest.param({**random_config(13), **SHORT}, 60, id="another-town"),
    *(pytest.param(random_config(seed), 2000, id=f"random-{seed}", marks=pytest.mark.slow) for seed in range(100, 105)),
]


@pytest.mark.parametrize(("config", "steps"), CASES)
def test_episodes_go_on_alike(config: dict[str, object], steps: int) -> None:
    reference, fast = both_tiers(config, seed=2)
    rng = np.random.default_rng(2)
    assert_same(fast, reference)

    for step in range(steps):
        actions = valid_actions(reference.masks, rng)
        for batch in (reference, fast):
            batch.step(actions)
        assert_same(fast, reference)
        if step % 20 == 10:
            assert fast.render_state(0) == reference.render_state(0)


def test_snapshots_are_exchanged_both_ways() -> None:
    config = random_config(4)
    reference, fast = both_tiers(config, seed=3)
    rng = np.random.default_rng(3)

    for step in range(80):
        actions = valid_actions(reference.masks, rng)
        for batch in (reference, fast):
            batch.step(actions)
        if step % 20 == 10:
            of_reference, of_fast = reference.snapshot(0), fast.snapshot(0)
            assert of_fast == of_reference
            reference.restore(0, of_fast)
            fast.restore(0, of_reference)
            assert fast.render_state(0) == reference.render_state(0)
        assert_same(fast, reference)


def test_a_town_whose_rent_is_nothing_shows_the_same_bits_when_it_is_restored() -> None:
    rng = np.random.default_rng(5)
    for batch in both_tiers({"economy": {"rent_per_day": -0.0}}, seed=5):
        batch.step(valid_actions(batch.masks, rng))
        shown = batch.obs.tobytes(), batch.metrics.tobytes()

        batch.restore(0, batch.snapshot(0))

        assert (batch.obs.tobytes(), batch.metrics.tobytes()) == shown


def test_a_snapshot_that_is_cut_off_is_refused_and_changes_nothing() -> None:
    _, fast = both_tiers({}, seed=3)
    before = fast.state_hash(0)

    with pytest.raises(SnapshotError):
        fast.restore(0, fast.snapshot(0)[:-16])

    assert fast.state_hash(0) == before


def test_the_controller_gives_the_same_advice() -> None:
    reference, fast = both_tiers({"world": {"ticks_per_day": 1000}}, seed=4)
    seen: set[int] = set()

    for _ in range(120):
        advice = reference.expert_actions()
        np.testing.assert_array_equal(fast.expert_actions(), advice)
        seen |= set(advice[reference.alive != 0, 0].tolist())
        for batch in (reference, fast):
            batch.step(advice)

    assert len(seen) > 2
    assert fast.state_hash(0) == reference.state_hash(0)


def test_advice_needs_options() -> None:
    _, fast = both_tiers({"policy_runtime": {"action_level": "primitive"}}, seed=4)

    with pytest.raises(ContractError, match="selects options"):
        fast.expert_actions()


def test_the_core_names_what_the_contract_names() -> None:
    tables = load_native().townlet_tables()

    assert tables["events"] == list(EVENT_NAMES)
    assert tables["actions"] == (len(OPTION_NAMES), len(PRIMITIVE_NAMES))
    assert tables["metrics"] == len(METRICS)
