import math
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.dispatch import compute_reward
from diorama.worlds.morphogenesis.rewards.economy import RentedSeed, effective_seed_params, weighted_alpha_change
from diorama.worlds.morphogenesis.rewards.hindsight import Boost, HindsightCredit, hindsight_credit
from diorama.worlds.morphogenesis.rewards.progress import progress_since_germination, reference_improvement
from diorama.worlds.morphogenesis.rewards.suspicion import SuspicionWatch
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LiveSeedInput, SeedInfo
from tests.worlds.morphogenesis.reward_inputs import PLAIN, info, live, parts_of, step

T, B, H, F = SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED
WAIT, PRUNE, FOSSILIZE = LifecycleOp.WAIT, LifecycleOp.PRUNE, LifecycleOp.FOSSILIZE
CONFIG = ContributionRewardConfig()
TWINLESS = ContributionRewardConfig(has_control_twin=False)


def sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


@pytest.mark.parametrize(
    ("seed", "action", "credit_pp"),
    [
        pytest.param(live(info(B, progress=4.0), -3.0), WAIT, -3.0, id="harmful"),
        pytest.param(live(info(B), 3.0), WAIT, 1.5, id="progress-unknown"),
        pytest.param(live(info(B, progress=-1.0, reference=-1.0), 3.0), WAIT, 0.0, id="no-progress"),
        pytest.param(live(info(B, progress=2.0, reference=2.0), 6.0), WAIT, 3.0, id="harmonic"),
        pytest.param(live(info(B, progress=6.0, reference=6.0), 2.0), WAIT, 2.0, id="less-than-progress"),
        pytest.param(live(info(F, progress=6.0, reference=6.0), 2.0), WAIT, 2.0, id="permanent-goes-on-earning"),
        pytest.param(live(info(B, improvement=2.0), None), WAIT, 0.6, id="unmeasured-and-improving"),
        pytest.param(live(info(B, improvement=-2.0), None), WAIT, 0.0, id="unmeasured-and-falling"),
        pytest.param(live(info(T, improvement=2.0), None), WAIT, 0.0, id="training"),
        pytest.param(live(info(B, progress=6.0, reference=-1.0), 2.0), WAIT, 4.0 * sigmoid(-3.0), id="discounted"),
        pytest.param(
            live(info(H, progress=6.0, reference=-1.0), 2.0, is_target=True), FOSSILIZE, 0.0, id="fossilize-the-worse"
        ),
        pytest.param(live(info(H, progress=6.0), 2.0, is_target=True), PRUNE, -2.0, id="prune-the-good"),
        pytest.param(live(info(H, progress=6.0), -2.0, is_target=True), PRUNE, 2.0, id="prune-the-bad"),
        pytest.param(live(info(H, progress=6.0), -2.0), PRUNE, -2.0, id="prune-another"),
    ],
)
def test_a_seed_is_credited_with_what_it_brought(seed: LiveSeedInput, action: LifecycleOp, credit_pp: float) -> None:
    parts = parts_of(step(seed, action=action))

    assert parts.attribution_sum == pytest.approx(credit_pp)
    assert parts.bounded_attribution == pytest.approx(math.copysign(math.log1p(abs(credit_pp)), credit_pp))


@pytest.mark.parametrize(("planted", "factor"), [(0, 0.4), (5, 0.7), (10, 1.0), (30, 1.0)])
def test_without_a_twin_early_planting_is_discounted(planted: int, factor: float) -> None:
    seed = live(info(B, progress=9.0, reference=9.0, planted=planted), 2.0, is_target=True)

    parts = parts_of(step(seed, config=TWINLESS, gain=None))

    assert parts.attribution_sum == pytest.approx(2.0 * factor)
    assert parts.timing_discount == pytest.approx(factor)
    assert parts_of(step(seed)).attribution_sum == 2.0


def test_credits_together_never_exceed_the_gain() -> None:
    seeds = (live(info(B, progress=9.0), 4.0), live(info(F, progress=9.0), 6.0), live(info(B, progress=9.0), -3.0))

    parts = parts_of(step(*seeds, gain=5.0))

    assert parts.attribution_cap == 0.5
    assert parts.attribution_sum == pytest.approx(5.0 - 3.0)
    assert parts_of(step(*seeds, gain=-1.0)).attribution_sum == -3.0
    assert parts_of(step(*seeds, gain=None, total_seed_effect=2.5)).attribution_cap == 0.25
    assert parts_of(step(*seeds, gain=None)).attribution_cap == 1.0


def test_alternatives_of_formula_and_scale() -> None:
    seed = live(info(B, progress=2.0), 40.0)
    least = ContributionRewardConfig(attribution_formula="minimum")
    linear = ContributionRewardConfig(attribution_scale="linear")

    assert parts_of(step(seed, config=least)).attribution_sum == 2.0
    assert parts_of(step(live(info(B, progress=99.0), 40.0), config=linear)).bounded_attribution == 10.0
    assert parts_of(step(live(info(B), -40.0), config=linear)).bounded_attribution == -10.0
    assert parts_of(step()).bounded_attribution is None


@pytest.mark.parametrize(
    ("contribution", "reference", "action", "penalty"),
    [
        (6.0, 1.0, WAIT, -0.1 * 1.0 / 5.0),
        (60.0, 1.0, WAIT, -0.3),
        (5.0, 1.0, WAIT, 0.0),
        (5.0, 0.05, WAIT, -0.15),
        (50.0, 0.0, WAIT, -0.3),
        (1.0, 0.0, WAIT, 0.0),
        (50.0, -0.1, WAIT, 0.0),
        (50.0, None, WAIT, 0.0),
        (50.0, 0.0, PRUNE, 0.0),
    ],
)
def test_a_seed_that_costs_far_more_to_remove_than_it_brought_is_penalized(
    contribution: float, reference: float | None, action: LifecycleOp, penalty: float
) -> None:
    seed = live(info(B, reference=reference), contribution, is_target=True)

    assert parts_of(step(seed, action=action)).ratio_penalty == pytest.approx(penalty)
    free = ContributionRewardConfig(disable_anti_gaming=True)
    assert parts_of(step(seed, action=action, config=free)).ratio_penalty == 0.0
    permanent = replace(seed, seed_info=seed.seed_info._replace(stage=F))
    assert parts_of(step(permanent, action=action)).ratio_penalty == 0.0


@pytest.mark.parametrize(
    ("stage", "reference", "epochs", "warning"),
    [(B, -0.1, 0, -0.1), (B, -0.1, 4, -0.3), (B, -0.1, 40, -0.4), (B, 0.0, 4, 0.0), (B, None, 4, 0.0), (H, -1.0, 4, 0)],
)
def test_blending_while_the_host_gets_worse_is_warned_of(
    stage: SeedStage, reference: float | None, epochs: int, warning: float
) -> None:
    parts = parts_of(step(live(info(stage, reference=reference, epochs=epochs), 0.0)))

    assert parts.blending_warning == pytest.approx(warning)


@pytest.mark.parametrize(
    ("epochs", "contribution", "action", "warning"),
    [
        (1, 3.0, WAIT, 0.0),
        (2, 3.0, WAIT, -0.1),
        (4, 3.0, WAIT, -0.2),
        (40, 3.0, WAIT, -0.3),
        (4, -3.0, WAIT, 0.0),
        (4, 3.0, FOSSILIZE, 0.0),
        (4, 3.0, PRUNE, 0.0),
    ],
)
def test_putting_off_the_verdict_is_warned_of(
    epochs: int, contribution: float, action: LifecycleOp, warning: float
) -> None:
    seed = live(info(H, progress=9.0, reference=9.0, epochs=epochs), contribution, is_target=True)

    assert parts_of(step(seed, action=action)).holding_warning == pytest.approx(warning)


@pytest.mark.parametrize(
    ("interaction", "contribution", "bonus"),
    [(2.0, 3.0, 0.1 * math.tanh(1.0)), (-2.0, 3.0, -0.1 * math.tanh(1.0)), (2.0, -3.0, 0.0), (0.0, 3.0, 0.0)],
)
def test_synergy_is_paid_to_credited_seeds(interaction: float, contribution: float, bonus: float) -> None:
    seed = live(info(B, progress=9.0, interaction=interaction), contribution)

    assert parts_of(step(seed)).synergy_bonus == pytest.approx(bonus)


@pytest.mark.parametrize(
    ("effective", "host", "rent"),
    [(0.0, 1000, 0.0), (1000.0, 1000, -0.5 * math.log(2.0)), (200.0, 160, -0.5 * math.log(2.0)), (1e9, 1000, -1.5)],
)
def test_rent_follows_the_growth(effective: float, host: int, rent: float) -> None:
    assert parts_of(step(effective_seed_params=effective, host_params=host)).compute_rent == pytest.approx(rent)


@pytest.mark.parametrize(("weighted", "shock"), [(0.0, 0.0), (1000.0, -0.1958), (1e9, -1.0)])
def test_moving_alphas_is_a_shock(weighted: float, shock: float) -> None:
    assert parts_of(step(alpha_delta_sq_sum=weighted)).alpha_shock == pytest.approx(shock)
    free = ContributionRewardConfig(disable_anti_gaming=True)
    assert parts_of(step(alpha_delta_sq_sum=weighted, config=free)).alpha_shock == 0.0


def test_size_in_force_counts_alphas_and_a_share_of_the_host() -> None:
    seeds = [RentedSeed(B, 0.5, 100), RentedSeed(F, 1.0, 30), RentedSeed(T, 0.0, 500)]

    assert effective_seed_params(seeds, 1000, CONFIG) == pytest.approx(2 * 3.9 + 50.0 + 30.0)
    assert weighted_alpha_change([(0.0, 0.5, 100), (1.0, 0.0, 10)]) == pytest.approx(25.0 + 10.0)


@pytest.mark.parametrize(("seeds", "rent"), [(0, 0.0), (1, 0.0), (3, -0.02)])
def test_seeds_beyond_the_first_pay_for_their_place(seeds: int, rent: float) -> None:
    assert parts_of(step(n_active_seeds=seeds)).occupancy_rent == pytest.approx(rent)
    assert parts_of(step(num_fossilized_seeds=seeds)).fossilized_rent == pytest.approx(-0.002 * seeds)


@pytest.mark.parametrize(
    ("op", "cost"),
    [("WAIT", 0.0), ("GERMINATE", -0.15), ("SET_ALPHA_TARGET", -0.005), ("ADVANCE", 0.0)],
)
def test_ops_have_their_price_if_they_succeed(op: str, cost: float) -> None:
    assert parts_of(step(action=LifecycleOp[op])).action_shaping == cost
    assert parts_of(step(action=LifecycleOp[op], action_success=False)).action_shaping == 0.0


@pytest.mark.parametrize(
    ("contribution", "reference", "epochs", "shaping"),
    [
        (5.0, None, 5, -1.0),
        (0.1, -1.0, 5, -0.7),
        (0.0, -50.0, 5, -1.5),
        (0.2, -1.0, 5, -1.0),
        (0.2, -0.2, 5, -0.54),
        (0.5, 1.0, 5, -0.2),
        (5.0, 0.0, 5, 1.0),
        (50.0, 1.0, 5, 1.5),
        (5.0, 1.0, 1, 0.2),
        (5.0, 1.0, 0, 0.0),
    ],
)
def test_the_verdict_on_a_seed_is_paid_by_what_it_brought(
    contribution: float, reference: float | None, epochs: int, shaping: float
) -> None:
    seed = live(info(H, reference=reference, epochs=epochs), contribution, is_target=True)

    parts = parts_of(step(seed, action=FOSSILIZE))

    assert parts.action_shaping == pytest.approx(shaping - 0.01)
    assert (parts.fossilize_terminal_bonus > 0.0) == (shaping > 0.0)


@pytest.mark.parametrize(("before", "bonus"), [(0, 0.9645), (1, 0.7838), (2, 0.5364)])
def test_each_further_good_seed_is_worth_less(before: int, bonus: float) -> None:
    seed = live(info(H, reference=1.0, epochs=9), 5.0, is_target=True)

    parts = parts_of(step(seed, action=FOSSILIZE, num_contributing_fossilized=before))

    assert parts.fossilize_terminal_bonus == pytest.approx(bonus, abs=1e-4)


@pytest.mark.parametrize(
    ("contribution", "age", "shaping"),
    [
        (None, 4, -0.1),
        (None, 5, 0.0),
        (-0.6, 3, 0.15),
        (-0.6, 2, -0.1),
        (-0.5, 9, 0.1),
        (-0.1, 0, 0.1),
        (0.0, 9, -0.3),
        (4.0, 9, -0.5),
        (40.0, 9, -0.9),
    ],
)
def test_pruning_pays_for_harmful_seeds_only(contribution: float | None, age: int, shaping: float) -> None:
    seed = live(info(H, age=age), contribution, is_target=True)

    assert parts_of(step(seed, action=PRUNE)).action_shaping == pytest.approx(shaping - 0.005)


@pytest.mark.parametrize(("epoch", "bonus"), [(39, 0.0), (40, 3.0), (1, 0.0)])
def test_the_end_pays_for_accuracy(epoch: int, bonus: float) -> None:
    assert parts_of(step(epoch=epoch)).terminal_bonus == pytest.approx(bonus)
    silent = ContributionRewardConfig(disable_terminal_reward=True)
    assert parts_of(step(epoch=epoch, config=silent)).terminal_bonus == 0.0


def test_shaping_is_the_change_of_the_potential() -> None:
    inputs = step(potential_before=2.0, potential_after=3.5)

    assert parts_of(inputs).pbrs_bonus == pytest.approx(0.3 * (0.995 * 3.5 - 2.0))
    assert parts_of(replace(inputs, config=ContributionRewardConfig(disable_pbrs=True))).pbrs_bonus == 0.0


def test_hindsight_pays_helpers_when_their_seed_becomes_permanent() -> None:
    boosts = [Boost(2.0, 10), Boost(1.0, 12)]

    credit = hindsight_credit(boosts, 5.0, 14, CONFIG)

    expected = 0.1 * math.tanh(1.0) * 0.995**4 + 0.1 * math.tanh(0.5) * 0.995**2
    assert credit.credit == pytest.approx(expected)
    assert (credit.scaffold_count, credit.scaffold_delay_total) == (2, 6.0)
    assert hindsight_credit(boosts * 3, 50.0, 14, CONFIG).credit == 0.2
    for reference in (None, 0.0, -1.0):
        assert hindsight_credit(boosts, reference, 14, CONFIG) == HindsightCredit()
    assert parts_of(step(pending_credit=0.15)).hindsight_credit == 0.15


def test_progress_is_measured_against_the_twin_where_there_is_one() -> None:
    def progress(gain: float | None, *, has_twin: bool) -> float | None:
        return progress_since_germination(
            val_acc=60.0, gain=gain, acc_at_germination=20.0, gain_at_germination=5.0, has_twin=has_twin
        )

    assert progress(25.0, has_twin=True) == 20.0
    assert progress(None, has_twin=True) is None
    assert progress(None, has_twin=False) == 40.0
    assert reference_improvement(progress=3.0, total_seed_effect=9.0, has_twin=True) == 3.0
    assert reference_improvement(progress=3.0, total_seed_effect=9.0, has_twin=False) == 9.0


def test_suspicions_are_told_once_in_five_epochs_for_each_seed_and_pattern() -> None:
    watch = SuspicionWatch()
    held = live(info(H, reference=-0.5), 2.0)
    rich = live(info(B, reference=1.0), 5.5, slot=1)
    mild = live(info(B, reference=-0.5), 0.5, slot=2)

    first = watch.look(step(held, rich, mild, epoch=3))
    again = [watch.look(step(held, rich, epoch=epoch)) for epoch in (4, 7, 8)]

    assert [(told.payload.pattern, told.payload.seed_id, told.is_critical) for told in first] == [
        ("ransomware", "s0", True),
        ("attribution_ratio", "s1", False),
        ("ransomware", "s2", False),
    ]
    assert [len(told) for told in again] == [0, 0, 2]
    assert first[1].payload.ratio == 5.5
    watch.reset()
    assert len(watch.look(step(held, epoch=9))) == 1


EXPLANATIONS = {
    *("seed_contribution", "progress_since_germination", "stable_val_acc", "attribution_discount", "attribution_sum"),
    *("attribution_cap", "escrow_credit_prev", "escrow_credit_target", "escrow_credit_next", "num_fossilized_seeds"),
    *("num_contributing_fossilized", "n_active_seeds", "timing_discount", "drip_deferred_total", "num_drip_sources"),
    *("action_name", "action_success", "seed_stage", "epoch", "val_acc", "acc_at_germination", "host_baseline_acc"),
    *("control_val_acc", "growth_ratio", "total_reward"),
}
FINITE = st.floats(-60.0, 60.0)
MAYBE = st.none() | FINITE
INFOS = st.builds(
    SeedInfo,
    stage=st.sampled_from([SeedStage.GERMINATED, T, B, H, F]),
    improvement_since_stage_start=MAYBE,
    total_improvement=MAYBE,
    epochs_in_stage=st.integers(0, 40),
    seed_age_epochs=st.integers(0, 40),
    interaction_sum=FINITE,
    boost_received=FINITE,
    counterfactual_total_improvement=MAYBE,
    progress_since_germination=MAYBE,
    germination_epoch=st.integers(0, 40),
)
SEEDS = st.lists(
    st.builds(live, INFOS, MAYBE, credit=st.floats(0.0, 9.0), is_target=st.booleans(), is_fading=st.booleans()),
    max_size=3,
)


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.sampled_from(LifecycleOp), st.sampled_from(RewardMode), st.sampled_from([1, 20, 40]), MAYBE)
def test_every_mode_is_the_sum_of_its_parts_and_of_nothing_else(
    seeds: list[LiveSeedInput], action: LifecycleOp, mode: RewardMode, epoch: int, gain: float | None
) -> None:
    inputs = step(
        *seeds,
        action=action,
        gain=gain,
        config=ContributionRewardConfig(reward_mode=mode),
        epoch=epoch,
        potential_before=1.0,
        potential_after=2.0,
        effective_seed_params=300.0,
        alpha_delta_sq_sum=12.0,
        committed_val_acc=50.0,
        episode_acc_gain=20.0,
        pending_credit=0.1,
    )

    outcome = compute_reward(inputs)

    assert outcome == compute_reward(inputs)
    assert outcome.components is not None
    assert math.isfinite(outcome.reward)
    assert outcome.components.total_reward == outcome.reward
    parts = {item.name: getattr(outcome.components, item.name) for item in fields(outcome.components)}
    assert outcome.reward == pytest.approx(sum(parts[name] or 0.0 for name in parts.keys() - EXPLANATIONS), abs=1e-9)
    assert outcome.components.compute_rent <= 0.0
    assert outcome.components.alpha_shock <= 0.0


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        (replace(PLAIN, val_acc=math.nan), "accuracy nan"),
        (replace(PLAIN, val_acc=101.0), "accuracy 101"),
        (replace(PLAIN, potential_after=math.inf), "potential_after is inf"),
        (step(live(info(B), math.nan)), "contribution of a live seed is nan"),
    ],
)
def test_what_is_not_finite_is_no_input(inputs: ContributionRewardInputs, reason: str) -> None:
    with pytest.raises(ContractError, match=reason):
        compute_reward(inputs)


def test_parts_are_returned_to_who_asks_for_them() -> None:
    assert compute_reward(replace(PLAIN, return_components=False)).components is None
