import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig, LossRewardConfig
from diorama.worlds.morphogenesis.rewards.dispatch import compute_reward
from diorama.worlds.morphogenesis.rewards.types import FossilizedSeedDripState, LiveSeedInput, LossRewardInputs
from tests.worlds.morphogenesis.reward_inputs import info, live, parts_of, step

T, B, H, F = SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED
WAIT, PRUNE, FOSSILIZE = LifecycleOp.WAIT, LifecycleOp.PRUNE, LifecycleOp.FOSSILIZE


def mode(name: RewardMode, **changes: object) -> ContributionRewardConfig:
    return ContributionRewardConfig(reward_mode=name, **changes)  # type: ignore[arg-type]


ESCROW = mode(RewardMode.ESCROW)


@pytest.mark.parametrize(
    ("seed", "action", "delta", "credit_next"),
    [
        pytest.param(live(info(B, progress=9.0, reference=9.0), 1.5), WAIT, 1.5, 1.5, id="rises"),
        pytest.param(live(info(B, progress=9.0, reference=9.0), 8.0), WAIT, 2.0, 2.0, id="not-too-fast"),
        pytest.param(live(info(B, progress=9.0, reference=9.0), 1.0, credit=8.0), WAIT, -2.0, 6.0, id="falls"),
        pytest.param(live(info(B), None, credit=3.0), WAIT, 0.0, 3.0, id="unmeasured"),
        pytest.param(live(info(B, progress=9.0), -1.0, credit=1.5), WAIT, -1.5, 0.0, id="harmful"),
        pytest.param(live(info(B, progress=9.0), 8.0, credit=7.0, is_target=True), PRUNE, -7.0, None, id="pruned"),
        pytest.param(live(info(B, progress=9.0), 8.0, is_fading=True), WAIT, 0.0, None, id="fading"),
        pytest.param(live(info(H, progress=9.0), 8.0, credit=7.0, is_target=True), FOSSILIZE, 0.0, None, id="closed"),
        pytest.param(live(info(F, progress=9.0), 8.0), WAIT, 0.0, None, id="permanent"),
        pytest.param(live(info(B, progress=40.0, reference=0.0), 1.2), WAIT, 1.2 - 0.036, 1.164, id="suspect"),
    ],
)
def test_an_account_follows_what_its_seed_is_worth(
    seed: LiveSeedInput, action: LifecycleOp, delta: float, credit_next: float | None
) -> None:
    outcome = compute_reward(step(seed, action=action, config=ESCROW))

    assert outcome.components is not None
    assert outcome.components.escrow_delta == pytest.approx(delta)
    assert outcome.escrow_credits == ({} if credit_next is None else {"s0": pytest.approx(credit_next)})
    assert outcome.components.ratio_penalty == 0.0


def test_a_harmful_seed_pays_at_once_unless_it_is_being_pruned() -> None:
    seed = live(info(B, progress=9.0), -3.0, is_target=True)

    assert parts_of(step(seed, config=ESCROW)).bounded_attribution == -3.0
    assert parts_of(step(seed, action=PRUNE, config=ESCROW)).bounded_attribution == 0.0


def test_escrow_holds_credit_against_the_least_of_the_last_gains() -> None:
    seed = live(info(B, progress=6.0, reference=6.0), 30.0)

    parts = parts_of(step(seed, gain=10.0, stable_val_acc=6.0, config=ESCROW))

    assert parts.escrow_credit_target == pytest.approx(2.0 * 2.0 * 30.0 / 32.0)
    alone = step(seed, gain=None, stable_val_acc=56.0, config=mode(RewardMode.ESCROW, has_control_twin=False))
    assert parts_of(alone).escrow_credit_target == pytest.approx(2.0 * 2.0 * 30.0 / 32.0)


def test_what_is_not_permanent_at_the_end_is_paid_back() -> None:
    seeds = (live(info(B, progress=9.0), 3.0, credit=2.0), live(info(F, progress=9.0), 5.0, slot=1))

    outcome = compute_reward(step(*seeds, epoch=40, config=ESCROW))

    assert outcome.components is not None
    assert outcome.components.escrow_forfeit == -3.0
    assert outcome.escrow_credits == {}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.none() | st.floats(0.0, 60.0), st.floats(-5.0, 60.0)), min_size=1, max_size=20))
def test_escrow_pays_back_exactly_what_it_paid_for_a_pruned_seed(history: list[tuple[float | None, float]]) -> None:
    credit = paid = 0.0
    for contribution, progress in history:
        seed = live(info(B, progress=progress, reference=progress), contribution, credit=credit)
        outcome = compute_reward(step(seed, config=ESCROW))
        assert outcome.components is not None
        paid += outcome.components.escrow_delta
        credit = outcome.escrow_credits["s0"]
        assert credit >= 0.0

    last = parts_of(step(live(info(B), 9.0, credit=credit, is_target=True), action=PRUNE, config=ESCROW))

    assert paid + last.escrow_delta == pytest.approx(0.0, abs=1e-9)


BASIC, PLUS = mode(RewardMode.BASIC, param_budget=1000), mode(RewardMode.BASIC_PLUS, param_budget=1000)


@pytest.mark.parametrize(
    ("stage", "contribution", "reference", "epochs", "shaping"),
    [
        pytest.param(H, 6.0, 2.0, 5, 0.3 + 0.5 * 3.0, id="good"),
        pytest.param(H, 6.0, 2.0, 1, 0.2 * 1.8, id="too-soon"),
        pytest.param(B, 6.0, 2.0, 5, -0.5, id="wrong-stage"),
        pytest.param(H, 6.0, 0.0, 5, -0.5, id="hostage"),
        pytest.param(H, 0.1, -3.0, 5, -0.2, id="useless"),
        pytest.param(H, 0.9, 3.0, 5, -0.2, id="weak"),
        pytest.param(H, 6.0, None, 5, -0.2, id="unknown"),
    ],
)
def test_basic_pays_for_permanent_seeds(
    stage: SeedStage, contribution: float, reference: float | None, epochs: int, shaping: float
) -> None:
    seed = live(info(stage, reference=reference, epochs=epochs), contribution, is_target=True)
    inputs = step(seed, action=FOSSILIZE, config=BASIC, effective_seed_params=500.0)

    parts, plus = parts_of(inputs), compute_reward(replace(inputs, config=PLUS))

    assert parts.action_shaping == pytest.approx(shaping)
    assert parts.compute_rent == pytest.approx(-0.05)
    assert parts.bounded_attribution is None
    assert plus.components is not None
    if shaping > 0.0:
        assert plus.components.drip_immediate_bonus == pytest.approx(0.3 * shaping)
        assert plus.components.drip_deferred_total == pytest.approx(0.7 * shaping)
        assert [state.drip_scale for state in plus.drip_states] == [pytest.approx(0.7 * shaping / 20)]
    else:
        assert plus.components.action_shaping == pytest.approx(shaping)
        assert plus.drip_states == ()


@pytest.mark.parametrize(
    ("contribution", "paid"), [(2.0, 0.06), (40.0, 0.1), (-1.0, -0.03), (-40.0, -0.05), (None, 0.0)]
)
def test_a_drip_pays_while_its_seed_is_worth_it(contribution: float | None, paid: float) -> None:
    state = FossilizedSeedDripState(
        seed_id="s0", slot_id="r0c0", fossilize_epoch=15, max_epochs=40, drip_total=0.75, drip_scale=0.03, drip_paid=0.5
    )
    known = {} if contribution is None else {"s0": contribution}

    outcome = compute_reward(step(config=PLUS, fossilized_drip_states=(state,), fossilized_contributions=known))

    assert outcome.components is not None
    assert outcome.components.drip_this_epoch == pytest.approx(paid)
    assert outcome.components.num_drip_sources == 1
    assert outcome.drip_states[0].drip_paid == pytest.approx(0.5 + paid)
    assert state.drip_paid == 0.5


def test_a_drip_opened_late_is_spread_over_five_epochs() -> None:
    seed = live(info(H, reference=2.0, epochs=9), 6.0, is_target=True)

    outcome = compute_reward(step(seed, action=FOSSILIZE, epoch=38, config=PLUS))

    assert outcome.drip_states[0].drip_scale == pytest.approx(0.7 * 1.8 / 5)


@pytest.mark.parametrize(("gain", "bonus"), [(30.0, 1.5), (-10.0, -0.5), (None, 0.0)])
def test_the_end_of_basic_pays_for_the_gain(gain: float | None, bonus: float) -> None:
    assert parts_of(step(epoch=40, episode_acc_gain=gain, config=BASIC)).terminal_bonus == pytest.approx(bonus)
    assert parts_of(step(epoch=39, episode_acc_gain=gain, config=PLUS)).terminal_bonus == 0.0


@pytest.mark.parametrize(
    ("committed", "params", "scale", "reward"),
    [(70.0, 500, 1.0, 0.65), (70.0, 500, 2.0, 1.3), (0.0, 90_000, 1.0, -1.0), (100.0, 0, 1.0, 1.0)],
)
def test_sparse_pays_at_the_end_for_the_permanent_network(
    committed: float, params: int, scale: float, reward: float
) -> None:
    config = mode(RewardMode.SPARSE, param_budget=1000, sparse_reward_scale=scale)
    inputs = step(
        epoch=40,
        committed_val_acc=committed,
        fossilized_seed_params=params,
        potential_after=4.0,
        effective_seed_params=900.0,
        config=config,
    )

    assert compute_reward(inputs).reward == pytest.approx(reward)
    assert compute_reward(replace(inputs, epoch=39)).reward == 0.0
    with pytest.raises(ContractError, match="committed_val_acc"):
        compute_reward(replace(inputs, committed_val_acc=None))


@pytest.mark.parametrize(("age", "action", "reward"), [(4, PRUNE, -0.1), (5, PRUNE, 0.0), (4, FOSSILIZE, 0.0)])
def test_minimal_charges_for_pruning_the_young(age: int, action: LifecycleOp, reward: float) -> None:
    seed = live(info(H, age=age), 1.0, is_target=True)

    assert compute_reward(step(seed, action=action, config=mode(RewardMode.MINIMAL))).reward == reward
    assert compute_reward(step(seed, action=action, config=mode(RewardMode.SPARSE))).reward == 0.0
    end = step(seed, action=action, epoch=40, committed_val_acc=50.0, config=mode(RewardMode.MINIMAL))
    assert compute_reward(end).reward == pytest.approx(0.5 + reward)


@pytest.mark.parametrize(
    ("action", "epoch", "reward"),
    [
        (WAIT, 20, 0.3 * 0.995),
        (LifecycleOp.ADVANCE, 20, 0.3 * 0.995 - 0.01),
        (WAIT, 40, 0.3 * 0.995 + 1.8 + 4.0),
        (FOSSILIZE, 40, 0.3 * 0.995 - 0.01 + 1.8 + 6.0),
    ],
)
def test_simplified_pays_for_stages_and_the_end(action: LifecycleOp, epoch: int, reward: float) -> None:
    seed = live(info(H, reference=1.0), 5.0, is_target=True)
    inputs = step(
        seed,
        action=action,
        epoch=epoch,
        potential_after=1.0,
        num_contributing_fossilized=2,
        effective_seed_params=900.0,
        config=mode(RewardMode.SIMPLIFIED),
    )

    assert compute_reward(inputs).reward == pytest.approx(reward)


LOSS = LossRewardInputs(
    action=WAIT,
    loss_delta=0.0,
    val_loss=1.0,
    seed_info=None,
    epoch=20,
    max_epochs=40,
    total_params=1000,
    host_params=1000,
)


@pytest.mark.parametrize(
    ("delta", "epoch", "reward"),
    [(-0.1, 20, 5.0), (-9.0, 20, 25.0), (0.1, 20, -2.5), (9.0, 20, -12.5), (9.0, 1, 0.0), (0.0, 20, 0.0)],
)
def test_a_falling_loss_is_rewarded(delta: float, epoch: int, reward: float) -> None:
    assert compute_reward(replace(LOSS, loss_delta=delta, epoch=epoch)).reward == pytest.approx(reward)


@pytest.mark.parametrize(
    ("total", "youngest", "rent"),
    [(2000, None, -0.05 * math.log(2.0)), (2000, 2, 0.0), (2000, 3, -0.05 * math.log(2.0)), (1000, None, 0.0)],
)
def test_the_loss_family_pays_a_light_rent_once_seeds_are_grown(total: int, youngest: int | None, rent: float) -> None:
    assert compute_reward(replace(LOSS, total_params=total, youngest_seed_age=youngest)).reward == pytest.approx(rent)


@pytest.mark.parametrize(("loss", "bonus"), [(2.303, 0.0), (0.1, 1.0), (9.0, 0.0), (1.2015, 0.5)])
def test_the_end_of_the_loss_family_pays_the_share_of_the_way(loss: float, bonus: float) -> None:
    end = replace(LOSS, epoch=40, val_loss=loss)

    assert compute_reward(end).reward == pytest.approx(bonus)
    assert compute_reward(replace(end, config=LossRewardConfig(disable_terminal_reward=True))).reward == 0.0


def test_the_loss_family_shapes_lightly() -> None:
    assert compute_reward(replace(LOSS, potential_before=1.0, potential_after=3.0)).reward == pytest.approx(0.1985)
    with pytest.raises(ContractError, match="loss_delta is nan"):
        compute_reward(replace(LOSS, loss_delta=math.nan))
