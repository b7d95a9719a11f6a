from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.alpha import AlphaCurve, AlphaMode
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import BlueprintError, ContractError
from diorama.worlds.morphogenesis.contracts.gates import GateLevel
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import SeedPrunedPayload
from diorama.worlds.morphogenesis.contracts.stages import (
    NUM_STAGES,
    STAGE_TO_ONE_HOT,
    VALID_TRANSITIONS,
    SeedStage,
    is_attached,
    next_stage,
)
from diorama.worlds.morphogenesis.contracts.timings import QUICK_TIMINGS, STANDARD_TIMINGS, LifecycleTimings
from diorama.worlds.morphogenesis.hosting.slot import Moment, Ramp, SeedOrder, SeedSlot
from tests.worlds.morphogenesis.beds import Plot, seed_in

PRESETS = pytest.mark.parametrize("timings", [STANDARD_TIMINGS, QUICK_TIMINGS], ids=["standard", "quick"])
INSTANT = Ramp(steps=0)


def stage_of(slot: SeedSlot) -> SeedStage:
    """Read anew: a type checker takes what an earlier line saw for settled."""
    return slot.stage


def test_stages_have_their_values_and_five_is_reserved() -> None:
    assert [int(stage) for stage in SeedStage] == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert sorted(STAGE_TO_ONE_HOT.values()) == list(range(NUM_STAGES))
    with pytest.raises(ValueError, match="5"):
        SeedStage(5)


@pytest.mark.parametrize(("start", "end"), list(product(SeedStage, SeedStage)))
def test_a_seed_goes_only_where_the_lifecycle_leads(start: SeedStage, end: SeedStage) -> None:
    state = seed_in(start)
    state.metrics.epochs_in_current_stage = 7

    moved = state.transition(end)

    assert moved == (end in VALID_TRANSITIONS[start])
    if moved:
        assert (state.stage, state.previous_stage, state.previous_epochs_in_stage) == (end, start, 7)
        assert state.epochs_in_stage == 0
    else:
        assert (state.stage, state.epochs_in_stage) == (start, 7)


def test_the_default_of_advance_is_the_first_target_that_is_no_failure() -> None:
    assert next_stage(SeedStage.HOLDING) is SeedStage.FOSSILIZED
    assert next_stage(SeedStage.TRAINING) is SeedStage.BLENDING
    assert next_stage(SeedStage.FOSSILIZED) is None


@PRESETS
def test_the_happy_path_keeps_to_the_clock(timings: LifecycleTimings) -> None:
    plot = Plot(timings)
    slot = plot.growth.slot("r0c0")
    tempo = timings.blend_steps[1]
    blending_at = 2 + timings.min_training_dwell
    holding_at = blending_at + tempo
    entered: dict[str, int] = {}

    plot.pass_epoch()
    plot.plant(tempo=tempo)
    plot.growth.step()
    while slot.stage is not SeedStage.FOSSILIZED:
        plot.pass_epoch()
        before = slot.stage
        if before is SeedStage.HOLDING:
            plot.growth.fossilize("r0c0")
        else:
            slot.advance()
        plot.growth.step()
        if slot.stage is not before:
            entered[slot.stage.name] = plot.epoch

    assert entered == {
        "TRAINING": 2,
        "BLENDING": blending_at,
        "HOLDING": holding_at,
        "FOSSILIZED": holding_at + 1,
    }
    assert plot.bed.alphas["r0c0"] == 1.0
    assert plot.growth.snapshot_requested


@PRESETS
def test_a_slot_pruned_at_once_is_free_after_its_cool_down(timings: LifecycleTimings) -> None:
    plot = Plot(timings).grown_to(SeedStage.TRAINING)
    slot = plot.growth.slot("r0c0")

    assert slot.prune(INSTANT)
    plot.growth.step()
    stages, cooldowns = [slot.stage.name], [slot.cooldown_epochs]
    for _ in range(timings.embargo_epochs + 1):
        plot.pass_epoch()
        assert not plot.plant()
        plot.growth.step()
        stages.append(slot.stage.name)
        cooldowns.append(slot.cooldown_epochs)
    plot.pass_epoch()

    assert stages == ["EMBARGOED"] * timings.embargo_epochs + ["RESETTING", "DORMANT"]
    assert cooldowns == list(range(timings.embargo_epochs + timings.resetting_epochs, -1, -1))
    assert slot.state is None
    assert "r0c0" not in plot.bed.stages
    assert plot.plant()


def test_a_scheduled_prune_fades_first_and_cools_one_step_later() -> None:
    plot = Plot().grown_to(SeedStage.HOLDING)
    slot = plot.growth.slot("r0c0")

    assert slot.prune(Ramp(steps=2))
    assert (slot.stage, plot.bed.frozen["r0c0"]) == (SeedStage.BLENDING, True)
    plot.growth.step()
    assert (slot.stage, plot.bed.alphas["r0c0"]) == (SeedStage.BLENDING, 0.5)
    plot.pass_epoch()
    assert not slot.prune(Ramp(steps=3))
    plot.growth.step()

    assert stage_of(slot) is SeedStage.PRUNED
    assert isinstance(plot.told[-1], SeedPrunedPayload)
    plot.pass_epoch()
    plot.growth.step()
    assert stage_of(slot) is SeedStage.EMBARGOED


def test_advance_never_makes_permanent_and_fossilize_never_advances() -> None:
    for stage in (SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING):
        plot = Plot().grown_to(stage)
        assert not plot.growth.fossilize("r0c0").passed
        assert plot.growth.slot("r0c0").stage is stage
    plot = Plot().grown_to(SeedStage.HOLDING)
    assert plot.growth.slot("r0c0").advance().checks_failed == ["no_valid_transition"]
    assert plot.growth.slot("r0c0").stage is SeedStage.HOLDING


def test_a_permanent_seed_leaves_only_for_the_governor() -> None:
    plot = Plot().grown_to(SeedStage.FOSSILIZED)
    slot = plot.growth.slot("r0c0")

    assert not slot.prune(INSTANT)
    assert not slot.set_alpha_target(0.5, INSTANT)
    assert slot.uproot("governor_nan")

    last = plot.told[-1]
    assert isinstance(last, SeedPrunedPayload)
    assert (last.reason, last.initiator, last.auto_pruned) == ("governor_nan", "governor", True)
    assert plot.changes()[-1] == ("FOSSILIZED", "PRUNED")


def test_a_lower_target_leads_from_holding_back_to_blending() -> None:
    plot = Plot().grown_to(SeedStage.HOLDING)
    slot = plot.growth.slot("r0c0")

    assert slot.set_alpha_target(1.0, Ramp(steps=3))
    assert stage_of(slot) is SeedStage.HOLDING
    assert slot.set_alpha_target(0.5, Ramp(steps=2, curve=AlphaCurve.COSINE))
    assert stage_of(slot) is SeedStage.BLENDING
    assert not slot.set_alpha_target(0.7, INSTANT)
    assert not slot.set_alpha_target(0.6, INSTANT)
    plot.growth.step()
    plot.growth.step()

    assert slot.state is not None
    assert (slot.state.alpha.alpha, slot.state.alpha.alpha_mode) == (0.5, AlphaMode.HOLD)
    assert not plot.bed.frozen["r0c0"]
    assert slot.advance().checks_failed == ["alpha_target_not_full_0.50"]


def test_a_blend_that_starts_in_an_operation_has_its_first_step_in_force_at_once() -> None:
    plot = Plot().grown_to(SeedStage.BLENDING)
    assert plot.bed.alphas["r0c0"] == 0.0

    plot.growth.step()

    assert plot.bed.alphas["r0c0"] == pytest.approx(1 / 3)


def test_gates_on_auto_forward_carry_a_seed_to_holding_and_no_further() -> None:
    plot = Plot(auto_forward=frozenset({GateLevel.G1, GateLevel.G2, GateLevel.G3}))
    plot.plant()
    for _ in range(30):
        plot.growth.step()
        plot.pass_epoch()

    assert plot.growth.slot("r0c0").stage is SeedStage.HOLDING
    assert plot.changes() == [("GERMINATED", "TRAINING"), ("TRAINING", "BLENDING"), ("BLENDING", "HOLDING")]


def test_a_foreign_blueprint_is_not_planted() -> None:
    order = SeedOrder(blueprint=BlueprintAction.LORA, style=GerminationStyle.LINEAR_ADD, tempo_epochs=3)

    with pytest.raises(BlueprintError, match="lora"):
        Plot().growth.germinate("r0c0", order, Moment(epoch=1))


def test_a_module_is_gone_even_when_the_listener_fails() -> None:
    plot = Plot().grown_to(SeedStage.TRAINING)
    told = plot.told.append

    def fail(payload: object) -> None:
        raise RuntimeError("sink")

    plot.growth.slot("r0c0")._listener = fail
    with pytest.raises(RuntimeError, match="sink"):
        plot.growth.slot("r0c0").prune(INSTANT)

    assert plot.bed.stages == {}
    assert plot.growth.slot("r0c0").stage is SeedStage.PRUNED
    plot.growth.slot("r0c0")._listener = told


def test_improvements_are_gains_over_the_twin_where_there_is_one() -> None:
    state = seed_in(SeedStage.TRAINING)

    state.record_accuracy(40.0, 1.0, has_twin=True)
    state.record_accuracy(60.0, 4.0, has_twin=True)
    state.record_accuracy(70.0, None, has_twin=True)

    assert state.metrics.total_improvement == 3.0
    assert (state.metrics.initial_val_accuracy, state.metrics.current_val_accuracy) == (40.0, 70.0)
    with pytest.raises(ContractError, match="percentage"):
        state.record_accuracy(100.5, None, has_twin=False)


def test_contribution_velocity_starts_with_the_second_measurement() -> None:
    state = seed_in(SeedStage.HOLDING)

    velocities = []
    for contribution in (2.0, 4.0, 3.0):
        state.record_contribution(contribution, interaction_sum=0.0, boost_received=0.0)
        velocities.append(state.metrics.contribution_velocity)

    assert velocities == pytest.approx([0.0, 0.6, 0.12])


def test_a_report_is_a_copy() -> None:
    plot = Plot().grown_to(SeedStage.BLENDING)
    report = plot.growth.reports()["r0c0"]

    report.metrics.epochs_total = 99
    report.stage = SeedStage.PRUNED

    assert plot.growth.reports()["r0c0"].metrics.epochs_total != 99
    assert plot.growth.slot("r0c0").stage is SeedStage.BLENDING


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["wait", "plant", "advance", "fossilize", "prune", "fade", "target", "uproot"]),
        st.sampled_from(["r0c0", "r0c1", "r0c2"]),
    ),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(operations=OPERATIONS, target=st.sampled_from([0.5, 0.7, 1.0]))
def test_whatever_is_done_the_slots_stay_lawful(operations: list[tuple[str, str]], target: float) -> None:
    plot = Plot()
    for operation, slot_id in operations:
        plot.pass_epoch()
        slot = plot.growth.slot(slot_id)
        match operation:
            case "plant":
                plot.plant(slot_id, alpha_target=target)
            case "advance":
                slot.advance()
            case "fossilize":
                plot.growth.fossilize(slot_id)
            case "prune":
                slot.prune(INSTANT)
            case "fade":
                slot.prune(Ramp(steps=2))
            case "target":
                slot.set_alpha_target(target, Ramp(steps=2))
            case "uproot":
                slot.uproot("governor_divergence")
        plot.growth.step()

        for state in plot.growth.states():
            assert is_attached(state.stage) == (state.slot_id in plot.bed.stages)
            assert 0.0 <= state.alpha.alpha <= 1.0
            if is_attached(state.stage):
                assert plot.bed.stages[state.slot_id] is state.stage
                assert plot.bed.alphas.get(state.slot_id, 0.0) == state.alpha.alpha or state.stage < SeedStage.BLENDING
            if state.stage in (SeedStage.HOLDING, SeedStage.FOSSILIZED):
                assert state.alpha.alpha == 1.0
    lawful = {(start.name, end.name) for start, ends in VALID_TRANSITIONS.items() for end in ends}
    assert set(plot.changes()) <= lawful | {("FOSSILIZED", "PRUNED")}
