"""Constants of the rewards in the configuration, and what parking pays beside finishing."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields

import pytest

from diorama.contracts.config import config_hash, parse_config
from diorama.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import INTERFACE_VERSION, WORLD_ID
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.choices import compose
from diorama.worlds.morphogenesis.data.tasks import task_named
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.reward_configs import contribution_reward_config, loss_reward_config
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.rewards.attribution import symlog
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.dispatch import compute_reward
from diorama.worlds.morphogenesis.rewards.potential import host_potential
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs
from tests.worlds.morphogenesis.learners import controller_settings
from tests.worlds.morphogenesis.reward_inputs import info, live, parts_of, step
from tests.worlds.morphogenesis.small_worlds import play, small_world

T, B, H, F = SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED
WAIT, ADVANCE, FOSSILIZE = LifecycleOp.WAIT, LifecycleOp.ADVANCE, LifecycleOp.FOSSILIZE
DEFAULT_HASH = "ce7e148324f94512ac922a78394afdb2f35c12af11e2921f2134ddf3f61342a6"  # before there were constants
EPOCHS = 40
GAIN_PP = 50.0
HALF_GAIN_PP = 40.0
"""A seed at half strength earns the host nearly what one at full strength does, which is why parking is tempting."""
Life = Mapping[int, tuple[SeedStage, LifecycleOp]]
PARKED: Life = {4: (T, WAIT), 8: (T, ADVANCE), 9: (B, WAIT)}
FINISHED: Life = {
    4: (T, WAIT),
    8: (T, ADVANCE),
    9: (B, WAIT),
    12: (B, ADVANCE),
    13: (H, WAIT),
    14: (H, FOSSILIZE),
    15: (F, WAIT),
}


def configured(given: Mapping[str, object]) -> MorphogenesisConfig:
    return parse_config(WORLD_ID, MorphogenesisConfig, given)


def rewards_of(config: MorphogenesisConfig) -> ContributionRewardConfig:
    return contribution_reward_config(config, param_budget=2_000, holding_epochs=2)


def lived(life: Life, config: ContributionRewardConfig) -> Iterator[ContributionRewardInputs]:
    """The steps of one seed's episode in which it does what it does from the epochs on that are given."""
    began, (stage, op) = 4, life[4]
    for epoch in range(4, EPOCHS + 1):
        if epoch in life:
            began = epoch if life[epoch][0] is not stage else began
            stage, op = life[epoch]
        elif op is not WAIT:
            op = WAIT
        after = life.get(epoch + 1, (stage, WAIT))[0]
        gain = {T: 0.0, B: HALF_GAIN_PP}.get(stage, GAIN_PP)
        state = info(stage, progress=gain, reference=gain, epochs=epoch - began, age=epoch - 4)
        yield step(
            live(state, gain if stage is not T else None, is_target=op is not WAIT),
            action=op,
            gain=gain,
            config=config,
            epoch=epoch,
            max_epochs=EPOCHS,
            num_fossilized_seeds=stage is F,
            num_contributing_fossilized=stage is F,
            n_active_seeds=1,
            effective_seed_params=1000.0 * (stage is not T),
            potential_before=host_potential([(stage, epoch - began)]),
            potential_after=host_potential([(after, 0 if after is not stage else epoch - began + 1)]),
        )


def paid(life: Life, config: ContributionRewardConfig) -> float:
    return math.fsum(compute_reward(inputs).reward for inputs in lived(life, config))


def test_without_constants_a_configuration_is_what_it_was() -> None:
    config = configured({})

    assert config_hash(INTERFACE_VERSION, WORLD_ID, config) == DEFAULT_HASH
    assert "reward_constants" not in config.canonical()
    assert configured({"reward_constants": {}}) == config
    assert rewards_of(config).growing_credit_share == 1.0


def test_constants_reach_the_rewards_and_survive_storage() -> None:
    given = {"target_loss": 0.5, "growing_credit_share": 0.25, "holding_warning_grace_epochs": 4.0, "pbrs_weight": 1}

    config = configured({"reward_constants": given})
    again = MorphogenesisConfig.model_validate_json(config.canonical())

    assert again == config
    assert again.canonical() == config.canonical()
    assert list(config.reward_constants) == sorted(given)
    paying = rewards_of(config)
    assert (paying.growing_credit_share, paying.holding_warning_grace_epochs, paying.pbrs_weight) == (0.25, 4, 1.0)
    by_loss = loss_reward_config(config, task_named("digits_impaired"))
    assert (by_loss.target_loss, by_loss.pbrs_weight) == (0.5, 1.0)
    same = configured({"reward_constants": {**given, "holding_warning_grace_epochs": 4, "pbrs_weight": 1.0}})
    assert same.canonical() == config.canonical()


@pytest.mark.parametrize(
    ("constants", "words"),
    [
        pytest.param({"growing_share": 0.2}, r"no constant 'growing_share'.*advance_cost, .*worse_share", id="unknown"),
        pytest.param(
            {"has_control_twin": 0}, "has_control_twin is set by the key control_twins", id="a-key-of-its-own"
        ),
        pytest.param({"growing_credit_share": 2}, "growing_credit_share: 2 is wrong; .* 1", id="more-than-all"),
        pytest.param({"ratio_threshold": 0}, "ratio_threshold: 0 is wrong", id="divisor"),
        pytest.param({"germinate_cost": -1}, "germinate_cost: -1 is wrong", id="negative-size"),
        pytest.param(
            {"drip_min_epochs": 2.5}, "drip_min_epochs: 2.5 is wrong; it should be a whole", id="half-an-epoch"
        ),
        pytest.param(
            {"attribution_scale": "cube"}, "attribution_scale: 'cube' is wrong; .*'log' or 'linear'", id="word"
        ),
        pytest.param({"target_loss": 2.303}, "baseline_loss and target_loss are both 2.303", id="no-way-to-go"),
        pytest.param({"pbrs_weight": math.nan}, "finite", id="not-a-number"),
    ],
)
def test_constants_that_cannot_be_are_refused_with_those_that_can(constants: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        configured({"reward_constants": constants})


def test_every_field_of_the_rewards_is_a_constant_or_has_a_key_of_its_own() -> None:
    keys = {"control_twins" if name == "has_control_twin" else name for name in MorphogenesisConfig.model_fields}
    keys |= {"has_control_twin"}

    for field in fields(ContributionRewardConfig):
        if field.name not in keys:
            assert configured({"reward_constants": {field.name: field.default}}).reward_constants


@pytest.mark.parametrize("make_engine", [ReferenceEngine, StackedEngine], ids=["reference", "stacked"])
def test_both_engines_pay_by_the_constants(make_engine: type) -> None:
    def first_reward(constants: Mapping[str, object]) -> float:
        world = small_world({"reward_constants": constants}, make_engine=make_engine)
        return play(world, [compose(LifecycleOp.GERMINATE, 0, blueprint=1)])[0]  # type: ignore[arg-type]

    assert first_reward({}) - first_reward({"germinate_cost": 5.15}) == pytest.approx(5.0, abs=1e-5)


def test_a_share_of_one_pays_what_was_always_paid() -> None:
    for life in (PARKED, FINISHED):
        for inputs in lived(life, ContributionRewardConfig()):
            parts = parts_of(inputs)
            assert parts.bounded_attribution == symlog(parts.attribution_sum or 0.0)


def test_growing_seeds_are_paid_their_share_of_what_they_add_and_harm_counts_in_full() -> None:
    config = ContributionRewardConfig(growing_credit_share=0.25)
    good = live(info(B, progress=40.0, reference=40.0), 20.0, slot=0)
    bad = live(info(B, progress=40.0, reference=40.0), -3.0, slot=1)
    kept = live(info(F, progress=40.0, reference=40.0), 10.0, slot=2)

    def credited(*seeds: object) -> float | None:
        return parts_of(step(*seeds, config=config)).bounded_attribution  # type: ignore[arg-type]

    assert credited(good) == pytest.approx(0.25 * symlog(20.0))
    assert credited(kept) == symlog(10.0)
    assert credited(bad) == symlog(-3.0)
    assert credited(good, kept) == pytest.approx(symlog(10.0) + 0.25 * (symlog(30.0) - symlog(10.0)))
    assert credited(good, bad, kept) == pytest.approx(symlog(7.0) + 0.25 * (symlog(27.0) - symlog(7.0)))


def test_parking_pays_nearly_as_much_as_finishing_by_default_and_clearly_less_by_the_presets() -> None:
    usual = rewards_of(configured({}))
    mended = rewards_of(configured(controller_settings("default").config))

    assert paid(PARKED, usual) > 0.9 * paid(FINISHED, usual)
    assert paid(PARKED, mended) < 0.5 * paid(FINISHED, mended)
    assert paid(FINISHED, mended) > 0.8 * paid(FINISHED, usual)
