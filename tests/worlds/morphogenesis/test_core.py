"""Copies of the world as the platform steps them: buffers, snapshots, records, and what cannot be done."""

import json
from collections.abc import Mapping
from dataclasses import fields

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver, SnapshotError, UnknownOption
from diorama.contracts.spec import WorldSpec
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.snapshots import hash_words
from diorama.worlds.morphogenesis import WORLD
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import ROLLBACK
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.controller.choices import compose
from diorama.worlds.morphogenesis.engine.core import MorphogenesisCore
from diorama.worlds.morphogenesis.engine.records import REWARD_TERMS
from diorama.worlds.morphogenesis.explanations import explain_mask
from diorama.worlds.morphogenesis.rewards.components import RewardParts
from tests.worlds.morphogenesis.small_worlds import SMALL, rows

PLANT = compose(LifecycleOp.GERMINATE, 1, blueprint=BlueprintAction.DEPTHWISE)
ADVANCE = compose(LifecycleOp.ADVANCE, 1)


def small_batch(copies: int = 1, settings: Mapping[str, object] | None = None, *, seed: int = 5) -> Batch:
    config = {**SMALL, **(settings or {})}
    return make_batch(WORLD, copies=copies, seed=seed, tier="reference", config=config)  # type: ignore[arg-type]


def test_the_contract_is_that_of_the_slots() -> None:
    spec: WorldSpec = WORLD.describe(MorphogenesisConfig())

    assert (spec.obs_width, spec.obs_u8_width, spec.noop) == (23 + 31 * 3, 3, PLACEHOLDERS)
    assert WORLD.describe(MorphogenesisConfig(slots=("r1c0", "r0c2"))).heads[0].options == ("r0c2", "r1c0")


def test_a_round_that_ends_opens_the_next_one_in_the_same_call() -> None:
    batch = small_batch(2, {"max_epochs": 2})
    batch.reset()
    seed = batch.episode_seed(0)

    batch.step(rows(PLANT, PLACEHOLDERS))
    batch.step(rows(ADVANCE, PLACEHOLDERS))

    assert batch.truncated.tolist() == batch.episode_start.tolist() == [1, 1]
    assert batch.final_obs_u8.tolist() == [[13, BlueprintAction.DEPTHWISE, 13], [13, 13, 13]]
    assert batch.obs_u8.tolist() == [[13] * 3] * 2
    assert batch.metrics[0, batch.spec.metric_keys.index("germinate_count")] == 1
    assert batch.episode_seed(0) != seed
    assert batch.opening_record(0).info["round"] == 1
    assert batch.step_record(0).events[-1] == "EPISODE_OUTCOME"


def test_a_copy_goes_on_from_its_snapshot_as_if_nothing_had_happened() -> None:
    batch = small_batch()
    batch.reset()
    batch.step(rows(PLANT))
    batch.step(rows(ADVANCE))
    stored, obs = batch.snapshot(0), batch.obs.copy()
    batch.step(rows(PLACEHOLDERS))
    later = batch.state_hash(0)

    other = small_batch(seed=77)
    other.reset()
    other.restore(0, stored)

    assert np.array_equal(other.obs, obs)
    other.step(rows(PLACEHOLDERS))
    assert other.state_hash(0) == later
    simulation = WORLD.simulate(MorphogenesisConfig.model_validate(SMALL))
    simulation.reset(5)
    for decision in (PLANT, ADVANCE, PLACEHOLDERS):
        simulation.step([decision])
    assert hash_words(simulation.state_words()) == later


def test_a_snapshot_of_another_moment_env_or_configuration_is_refused_and_changes_nothing() -> None:
    batch = small_batch(2)
    batch.reset()
    first, other = batch.snapshot(0), batch.snapshot(1)
    batch.step(rows(PLANT, PLANT))
    before = batch.state_hash(0)

    for data, reason in ((first, "epoch"), (other, "env 1"), (first[:-9], "cut short")):
        with pytest.raises(SnapshotError, match=reason):
            batch.restore(0, data)

    assert batch.state_hash(0) == before
    stranger = small_batch(1, {"max_epochs": 3})
    stranger.reset()
    with pytest.raises(SnapshotError, match="configuration"):
        stranger.restore(0, first)


def test_a_rollback_ends_the_row_and_clears_its_memory_twice() -> None:
    batch = small_batch()
    batch.reset()
    core = batch._core
    assert isinstance(core, MorphogenesisCore)
    core.world(0).nursery.engine.inject(0, "nan")

    batch.step(rows(PLACEHOLDERS))
    record = batch.step_record(0)
    ended = (batch.terminated[0], batch.episode_start[0], batch.rewards[0])
    batch.step(rows(PLANT))

    assert ended == (1, 1, -10.0)
    assert record.events[-1] == ROLLBACK
    assert record.reward_terms[0] == {"rollback_penalty": -10.0}
    assert (batch.terminated[0], batch.episode_start[0], batch.rewards[0]) == (0, 1, 0.0)
    assert batch.step_record(0).effective == (PLACEHOLDERS,)
    assert ROLLBACK not in batch.step_record(0).events


def test_reward_terms_add_up_and_the_render_state_is_plain_json() -> None:
    batch = small_batch()
    batch.reset()
    batch.step(rows(PLANT))

    record = batch.step_record(0)
    drawn = json.loads(json.dumps(batch.render_state(0), allow_nan=False))

    assert sum(record.reward_terms[0].values()) == pytest.approx(record.rewards[0], abs=1e-12)
    assert drawn["slots"][1]["seed"]["blueprint"] == "depthwise"
    assert len(drawn["history"]["accuracy"]) == 2


def test_the_terms_that_are_told_are_those_a_reward_is_the_sum_of() -> None:
    paid = RewardParts(**{name: 2.0**place for place, name in enumerate(REWARD_TERMS)})  # type: ignore[arg-type]
    others = {item.name for item in fields(RewardParts)} - set(REWARD_TERMS)

    assert paid.total() == 2.0 ** len(REWARD_TERMS) - 1.0
    assert RewardParts(**dict.fromkeys(others, 7)).total() == 0.0
    assert set(REWARD_TERMS) <= {item.name for item in fields(RewardComponentsTelemetry)}


def test_every_option_that_is_masked_has_a_reason_and_no_other() -> None:
    batch = small_batch(1, {"max_epochs": 14, "allowed_blueprints": ["norm"], "min_prune_age": 2})
    batch.reset()
    core, bot = batch._core, WORLD.bots["random"]()
    assert isinstance(core, MorphogenesisCore)
    bot.reset(8)

    for epoch in range(13):
        if epoch == 11:
            core.world(0).nursery.engine.inject(0, "nan")
        reasons = explain_mask(batch.render_state(0), 0)
        assert [not reason for reason in reasons] == batch.masks[0].astype(bool).tolist()
        batch.step(rows(bot.act(batch.obs[0], batch.obs_u8[0], batch.masks[0])))


def test_copies_with_a_run_of_their_own_equal_batches_of_one() -> None:
    batch, alone = small_batch(2), small_batch()
    batch.reset([9, 4])
    alone.reset([4])

    for decision in (PLANT, ADVANCE):
        batch.step(rows(PLACEHOLDERS, decision))
        alone.step(rows(decision))

    assert batch.state_hash(1) == alone.state_hash(0)
    assert np.array_equal(batch.obs[1], alone.obs[0])
    assert (batch.episode_seed(0), batch.episode_seed(1)) == (9, 4)
    before = batch.state_hash(0)
    batch.reset([7], copies=[1])
    assert (batch.episode_seed(1), batch.state_hash(0)) == (7, before)
    parts = batch.split(2)
    parts[1].step(rows(PLANT))
    assert parts[1].step_record(0).received == (PLANT,)


def test_copies_that_share_a_run_are_neither_split_nor_reset_apart() -> None:
    batch = small_batch(2)
    batch.reset([9, 9])

    assert batch.episode_seed(0) == 9 != batch.episode_seed(1)
    with pytest.raises(ContractError, match="together"):
        batch.reset(copies=[1])
    with pytest.raises(UnknownOption):
        batch.step(rows((7, *PLACEHOLDERS[1:]), PLACEHOLDERS))
    with pytest.raises(ContractError, match="cannot be split"):
        batch.split(2)
    with pytest.raises(ContractError, match="one copy"):
        small_batch(2, {"episode": {"env": 0, "envs": 4}})


def test_a_simulation_that_is_over_wants_a_reset() -> None:
    simulation = WORLD.simulate(MorphogenesisConfig.model_validate({**SMALL, "max_epochs": 1}))

    simulation.step([PLACEHOLDERS])

    assert simulation.is_over
    with pytest.raises(EpisodeOver):
        simulation.step([PLACEHOLDERS])


def test_bots_play_a_round_of_any_size() -> None:
    for slots in (["r0c0"], ["r0c0", "r0c1", "r0c2"]):
        batch = small_batch(3, {"slots": slots, "max_epochs": 5})
        batch.reset()
        bots = [make() for make in WORLD.bots.values()]
        for bot in bots:
            bot.reset(3)
        for _ in range(5):
            rows = zip(bots, batch.obs, batch.obs_u8, batch.masks, strict=False)
            batch.step(np.array([bot.act(*views) for bot, *views in rows]))

        assert np.isfinite(batch.rewards).all()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        pytest.param({"task": "chess"}, "no task is called 'chess'", id="task"),
        pytest.param({"slots": "r0c0"}, "give a list", id="bare-text"),
        pytest.param({"slots": ["r0c7"], "reward_family": "loss", "reward_mode": "basic"}, "r0c0.*shaped", id="both"),
        pytest.param({"allowed_blueprints": ["lora"]}, "cannot grow", id="foreign-blueprint"),
        pytest.param({"augment": "crop_flip"}, "CIFAR", id="augment"),
        pytest.param({"nonsense": 1}, "no such key", id="unknown-key"),
        pytest.param({"episode": {"env": 4, "envs": 4}}, "outside", id="place"),
    ],
)
def test_a_wrong_configuration_is_refused_with_every_reason(settings: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        small_batch(1, settings)
