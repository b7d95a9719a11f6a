from collections.abc import Mapping
from dataclasses import astuple, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.actions import (
    CAUSAL_RELEVANCE,
    HEAD_NAMES,
    PLACEHOLDERS,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    head_sizes,
)
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm, AlphaMode
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS, BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ConfigError, ContractError, InvalidStateMachineError
from diorama.worlds.morphogenesis.contracts.gates import GateLevel
from diorama.worlds.morphogenesis.contracts.stages import COOLING_STAGES, SeedStage
from diorama.worlds.morphogenesis.controller.choices import WAIT, canonical, compose
from diorama.worlds.morphogenesis.controller.decoding import decode
from diorama.worlds.morphogenesis.controller.mask_rules import MaskRules
from diorama.worlds.morphogenesis.controller.masks import (
    ActionMasks,
    check_masks,
    write_flags,
    write_masks,
    write_wait_only,
)
from diorama.worlds.morphogenesis.controller.situations import SlotSituation, situations_of
from diorama.worlds.morphogenesis.vectorized_types import ActionMaskFlags, ActionSpec
from tests.worlds.morphogenesis.beds import Plot

SLOT_IDS = ("r0c0", "r0c1", "r0c2")
RULES = MaskRules(topology="cnn", slot_ids=SLOT_IDS, min_prune_age=3)
STAGES = [stage for stage in SeedStage if stage not in (SeedStage.UNKNOWN, SeedStage.DORMANT)]

SITUATIONS = st.none() | st.builds(
    SlotSituation,
    stage=st.sampled_from(STAGES),
    epochs_total=st.integers(0, 6),
    alpha_mode=st.sampled_from(AlphaMode),
    style=st.sampled_from(GerminationStyle),
    gate_refusal=st.sampled_from(["", "insufficient_training_1_of_4"]),
)
HOSTS = st.fixed_dictionaries(dict.fromkeys(SLOT_IDS, SITUATIONS))
RUNS = st.builds(
    MaskRules,
    topology=st.sampled_from(["cnn", "transformer"]),
    slot_ids=st.just(SLOT_IDS),
    min_prune_age=st.just(3),
    max_seeds=st.integers(0, 3),
    sequential_development=st.booleans(),
    mask_failing_gates=st.booleans(),
    auto_forward=st.frozensets(st.sampled_from([GateLevel.G1, GateLevel.G2, GateLevel.G3])),
)


def masked(rules: MaskRules, situations: Mapping[str, SlotSituation | None]) -> ActionMasks:
    masks = ActionMasks.allocate(1, len(rules.slot_ids))
    write_masks(masks, 0, rules, situations)
    return masks


def host(*slots: SlotSituation | None) -> dict[str, SlotSituation | None]:
    return dict(zip(SLOT_IDS, (*slots, None, None, None)[:3], strict=True))


def valid_ops(rules: MaskRules, situations: Mapping[str, SlotSituation | None], slot: int = 0) -> set[str]:
    return {op.name for op in LifecycleOp if masked(rules, situations).slot_by_op[0, op, slot]}


@settings(max_examples=500, deadline=None)
@given(RUNS, HOSTS, st.permutations(SLOT_IDS))
def test_masks_keep_their_invariants(
    rules: MaskRules, situations: dict[str, SlotSituation | None], order: list[str]
) -> None:
    masks = masked(rules, situations)

    check_masks(masks)
    by_op = masks.slot_by_op[0]
    assert masks.op[0, LifecycleOp.WAIT]
    assert by_op[LifecycleOp.WAIT].all()
    assert (masks.op[0] == by_op.any(axis=1)).all()
    assert set(np.flatnonzero(masks.blueprint[0])) == set(TOPOLOGY_BLUEPRINTS[rules.topology])
    assert not (by_op[LifecycleOp.FOSSILIZE] & by_op[LifecycleOp.ADVANCE]).any()
    assert not (by_op[LifecycleOp.GERMINATE] & by_op[LifecycleOp.PRUNE]).any()
    for index, slot_id in enumerate(SLOT_IDS):
        here = situations[slot_id]
        if here is not None and here.stage in COOLING_STAGES | {SeedStage.FOSSILIZED}:
            assert not by_op[1:, index].any()
    shuffled = masked(rules, {slot_id: situations[slot_id] for slot_id in order})
    assert all((a == b).all() for a, b in zip(astuple(masks), astuple(shuffled), strict=True))


@settings(max_examples=100, deadline=None)
@given(RUNS, HOSTS)
def test_the_decoder_agrees_with_the_masks(rules: MaskRules, situations: dict[str, SlotSituation | None]) -> None:
    masks, spec = masked(rules, situations), ActionSpec()

    for op, slot in product(LifecycleOp, range(3)):
        refusal = decode(spec, compose(op, slot, blueprint=BlueprintAction.NORM), rules, situations)
        # WAIT's slot is irrelevant, so that its canonical form names slot 0.
        assert spec.action_valid_for_reward == (refusal == "") == masks.slot_by_op[0, op, slot]
        assert spec.action_for_reward == (op if refusal == "" else LifecycleOp.WAIT)


def test_the_decoder_agrees_with_the_masks_for_every_op_stage_age_and_mode() -> None:
    spec = ActionSpec()
    for stage, age, mode, refusal in product(STAGES, range(6), AlphaMode, ("", "unhealthy")):
        situations = host(SlotSituation(stage=stage, epochs_total=age, alpha_mode=mode, gate_refusal=refusal))
        masks = masked(RULES, situations)
        for op in LifecycleOp:
            decode(spec, compose(op, 0, blueprint=BlueprintAction.NORM), RULES, situations)
            assert spec.action_valid_for_reward == masks.slot_by_op[0, op, 0], (stage, age, mode, op)


def seed(stage: SeedStage, age: int = 9, mode: AlphaMode = AlphaMode.HOLD, refusal: str = "") -> SlotSituation:
    return SlotSituation(stage=stage, epochs_total=age, alpha_mode=mode, gate_refusal=refusal)


@pytest.mark.parametrize(
    ("slot", "ops"),
    [
        pytest.param(None, {"WAIT", "GERMINATE"}, id="empty"),
        pytest.param(seed(SeedStage.GERMINATED), {"WAIT", "PRUNE", "ADVANCE"}, id="germinated"),
        pytest.param(seed(SeedStage.TRAINING, age=2), {"WAIT", "ADVANCE"}, id="too-young-to-prune"),
        pytest.param(seed(SeedStage.TRAINING, refusal="no"), {"WAIT", "PRUNE"}, id="gate-shut"),
        pytest.param(seed(SeedStage.BLENDING), {"WAIT", "SET_ALPHA_TARGET", "PRUNE", "ADVANCE"}, id="blending"),
        pytest.param(seed(SeedStage.BLENDING, mode=AlphaMode.UP, refusal="no"), {"WAIT"}, id="ramp"),
        pytest.param(seed(SeedStage.HOLDING), {"WAIT", "SET_ALPHA_TARGET", "PRUNE", "FOSSILIZE"}, id="holding"),
        pytest.param(seed(SeedStage.HOLDING, refusal="no"), {"WAIT", "SET_ALPHA_TARGET", "PRUNE"}, id="unmeasured"),
        pytest.param(seed(SeedStage.FOSSILIZED), {"WAIT"}, id="permanent"),
        pytest.param(seed(SeedStage.EMBARGOED), {"WAIT"}, id="cooling"),
    ],
)
def test_each_stage_allows_its_ops(slot: SlotSituation | None, ops: set[str]) -> None:
    assert valid_ops(RULES, host(slot)) == ops


@pytest.mark.parametrize(
    ("stage", "blocks"),
    [(stage, stage not in (SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED)) for stage in STAGES],
)
def test_one_seed_is_incubated_at_a_time(stage: SeedStage, blocks: bool) -> None:
    assert ("GERMINATE" in valid_ops(RULES, host(None, seed(stage)))) is not blocks
    assert "GERMINATE" in valid_ops(replace_rules(sequential_development=False), host(None, seed(stage)))


def replace_rules(**changes: object) -> MaskRules:
    return replace(RULES, **changes)  # type: ignore[arg-type]


def test_the_cap_counts_attached_seeds_only() -> None:
    capped = replace_rules(max_seeds=1, sequential_development=False)

    assert "GERMINATE" not in valid_ops(capped, host(None, seed(SeedStage.FOSSILIZED)))
    assert "GERMINATE" in valid_ops(capped, host(None, seed(SeedStage.EMBARGOED)))


def test_gates_that_open_by_themselves_leave_nothing_to_advance() -> None:
    rules = replace_rules(auto_forward=frozenset({GateLevel.G1, GateLevel.G2, GateLevel.G3}))

    for stage in STAGES:
        assert "ADVANCE" not in valid_ops(rules, host(seed(stage)))
    kept = replace_rules(auto_forward=frozenset({GateLevel.G1}), mask_failing_gates=False)
    assert "ADVANCE" not in valid_ops(kept, host(seed(SeedStage.GERMINATED)))
    assert "ADVANCE" in valid_ops(kept, host(seed(SeedStage.TRAINING, refusal="no")))


def test_heads_open_with_the_ops_that_read_them() -> None:
    growing = masked(RULES, host())
    cooling = masked(RULES, host(seed(SeedStage.EMBARGOED)))
    holding = masked(replace_rules(max_seeds=1), host(seed(SeedStage.HOLDING)))

    assert growing.style.all()
    assert growing.alpha_target.all()
    assert growing.alpha_speed.sum() == growing.alpha_curve.sum() == 1
    assert holding.alpha_speed.all()
    assert holding.alpha_target.all()
    assert [bool(mask[0, PLACEHOLDERS[2 + place]]) for place, mask in enumerate((holding.style, holding.tempo))]
    assert holding.style.sum() == holding.tempo.sum() == 1
    assert list(holding.slot[0]) == [True, False, False]
    assert cooling.slot.all()
    assert [int(mask.sum()) for mask in cooling.heads()][2:] == [1] * 6


def test_masks_are_views_of_the_batch_buffer() -> None:
    flat, by_op = np.zeros((2, sum(head_sizes(3))), np.uint8), np.zeros((2, 6, 3), np.uint8)
    masks = ActionMasks.over(flat, by_op)

    write_masks(masks, 1, RULES, host())
    write_wait_only(masks, 0, RULES)

    heads = ("111", "0111111100000", "1111", "111", "111", "1000", "10000", "110000")
    assert "".join(map(str, flat[1])) == "".join(heads)
    assert by_op[0].tolist() == [[1, 1, 1]] + [[0, 0, 0]] * 5
    with pytest.raises(ContractError, match="do not belong together"):
        ActionMasks.over(flat[:1], by_op)


def test_flags_tell_which_heads_had_no_free_choice() -> None:
    masks, flags = masked(RULES, host(seed(SeedStage.FOSSILIZED))), ActionMaskFlags()

    write_flags(flags, masks, 0, LifecycleOp.GERMINATE)
    planting = replace(flags)
    write_flags(flags, masks, 0, LifecycleOp.WAIT)

    assert planting == ActionMaskFlags(
        op_masked=True, slot_masked=True, blueprint_masked=True, alpha_speed_masked=True, alpha_curve_masked=True
    )
    assert all(astuple(flags))


def test_an_empty_mask_is_refused() -> None:
    with pytest.raises(InvalidStateMachineError, match="'slot' of env 0"):
        check_masks(ActionMasks.allocate(1, 3))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"topology": "mesh"}, "topology 'mesh' is unknown"),
        ({"slot_ids": ()}, "no slot is enabled"),
        ({"slot_ids": ("r0c0", "r00c0")}, "each may be enabled once"),
        ({"allowed_blueprints": frozenset({BlueprintAction.LORA})}, "leaves nothing to plant"),
    ],
)
def test_impossible_rules_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        replace_rules(**changes)
    assert ("allowed_blueprints" in changes) == isinstance(caught.value, ConfigError)


def test_a_slot_without_a_state_is_refused() -> None:
    with pytest.raises(ValueError, match="enabled slots r0c2"):
        masked(RULES, {"r0c0": None, "r0c1": None})


def test_allowed_blueprints_narrow_the_mask_and_the_decoder() -> None:
    rules, spec = replace_rules(allowed_blueprints=frozenset({BlueprintAction.NORM})), ActionSpec()

    assert np.flatnonzero(masked(rules, host()).blueprint[0]).tolist() == [BlueprintAction.NORM]
    for blueprint in BlueprintAction:
        decode(spec, compose(LifecycleOp.GERMINATE, blueprint=blueprint), rules, host())
        assert spec.action_valid_for_reward is (blueprint is BlueprintAction.NORM)


def test_decoding_takes_blend_and_target_from_where_they_belong() -> None:
    spec, gated = ActionSpec(), SlotSituation(stage=SeedStage.BLENDING, style=GerminationStyle.GATED_GATE)
    situations = host(gated)

    decode(spec, np.array([1, 1, 1, 0, 0, 3, 4, LifecycleOp.GERMINATE]), RULES, situations)
    assert (spec.target_slot, spec.alpha_target, spec.blend_algorithm_id) == ("r0c1", 0.5, "linear")
    assert spec.alpha_algorithm is AlphaAlgorithm.MULTIPLY
    assert (spec.alpha_speed_idx, spec.alpha_curve_idx, spec.tempo_idx) == (3, 4, 0)
    decode(
        spec,
        compose(LifecycleOp.SET_ALPHA_TARGET, 0, alpha_target=AlphaTargetAction.SEVENTY),
        RULES,
        situations,
    )
    assert (spec.alpha_target, spec.alpha_algorithm, spec.blend_algorithm_id) == (0.7, AlphaAlgorithm.GATE, "gated")
    decode(spec, compose(LifecycleOp.PRUNE, 1), RULES, situations)
    assert (spec.alpha_target, spec.alpha_algorithm, spec.blend_algorithm_id) == (1.0, AlphaAlgorithm.ADD, "linear")


def test_a_slot_that_is_not_there_is_invalid_and_any_other_index_out_of_range_an_error() -> None:
    spec = ActionSpec()

    refusal = decode(spec, (3, *compose(LifecycleOp.ADVANCE)[1:]), RULES, host())

    assert refusal == "slot 3 is outside 0..2"
    assert (spec.slot_is_enabled, spec.target_slot, spec.action_valid_for_reward) == (False, "", False)
    assert spec.op_idx == LifecycleOp.ADVANCE
    for place, size in list(enumerate(head_sizes(3)))[1:]:
        for index in (-1, size):
            with pytest.raises(ContractError, match=f"head '{HEAD_NAMES[place]}': option {index}"):
                decode(spec, (*WAIT[:place], index, *WAIT[place + 1 :]), RULES, host())


def test_irrelevant_heads_have_one_encoding() -> None:
    for op in LifecycleOp:
        full = canonical((1, 1, 0, 0, 0, 1, 1, op))
        for place, matters in enumerate(CAUSAL_RELEVANCE[op]):
            assert matters or full[place] == PLACEHOLDERS[place]
    assert canonical((2, 4, 1, 0, 1, 2, 3, LifecycleOp.WAIT)) == WAIT == PLACEHOLDERS


def test_situations_are_read_from_slots() -> None:
    plot = Plot().grown_to(SeedStage.TRAINING)

    here = situations_of(plot.growth)

    assert here["r0c1"] is None
    assert here["r0c0"] == SlotSituation(
        stage=SeedStage.TRAINING, epochs_total=1, gate_refusal="insufficient_training_0_of_4"
    )
    assert valid_ops(RULES, here) == {"WAIT"}
    for _ in range(4):
        plot.pass_epoch()
    assert valid_ops(RULES, situations_of(plot.growth)) == {"WAIT", "PRUNE", "ADVANCE"}
