"""What is told of a learned policy's decisions."""

import math

import numpy as np
import pytest

from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, PLACEHOLDERS, LifecycleOp, head_sizes
from diorama.worlds.morphogenesis.engine.policy_notes import OP, notes_on

SLOTS = 3
SIZES = head_sizes(SLOTS)


def thoughts(op: LifecycleOp, chances: dict[str, list[float]]) -> PolicyOutputs:
    action = np.array([PLACEHOLDERS], np.int32)
    action[0, OP] = op
    probabilities = np.concatenate(
        [
            np.array(chances[name], np.float32) if name in chances else np.full(size, 1.0 / size, np.float32)
            for name, size in zip(HEAD_NAMES, SIZES, strict=True)
        ]
    )
    starts = np.concatenate([[0], np.cumsum(SIZES)[:-1]])
    taken = probabilities[starts + action[0]]
    return PolicyOutputs(
        actions=action,
        log_probs=np.log(taken)[None],
        values=np.array([2.5], np.float32),
        probabilities=probabilities[None],
    )


def test_heads_that_matter_say_how_sure_they_were_and_others_that_they_were_certain() -> None:
    slot = [0.5, 0.25, 0.25]
    op = [0.1, 0.0, 0.0, 0.6, 0.0, 0.3]

    note = notes_on(thoughts(LifecycleOp.PRUNE, {"slot": slot, "op": op}), slots=SLOTS)[0]

    heads = note.head_telemetry
    assert heads is not None
    assert note.action_confidence == heads.op_confidence == pytest.approx(0.6)
    assert heads.slot_confidence == pytest.approx(0.5)
    assert heads.slot_entropy == pytest.approx(1.5 * math.log(2.0))
    assert heads.curve_entropy == pytest.approx(math.log(SIZES[HEAD_NAMES.index("alpha_curve")]))
    assert (heads.blueprint_confidence, heads.blueprint_entropy) == (1.0, 0.0)
    assert (heads.tempo_confidence, heads.tempo_entropy) == (1.0, 0.0)
    parts = (heads.op_entropy, heads.slot_entropy, heads.alpha_speed_entropy, heads.curve_entropy)
    assert note.decision_entropy == pytest.approx(sum(parts))
    assert note.value_estimate == 2.5


def test_the_two_likeliest_of_the_other_operations_are_named() -> None:
    op = [0.1, 0.2, 0.05, 0.0, 0.0, 0.65]

    note = notes_on(thoughts(LifecycleOp.GERMINATE, {"op": op}), slots=SLOTS)[0]

    assert [one.op for one in note.alternatives] == ["ADVANCE", "WAIT"]
    assert [one.probability for one in note.alternatives] == pytest.approx([0.65, 0.1])


def test_an_operation_without_any_choice_has_no_alternatives_and_no_doubt() -> None:
    note = notes_on(thoughts(LifecycleOp.WAIT, {"op": [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]}), slots=SLOTS)[0]

    assert note.alternatives == ()
    assert note.decision_entropy == 0.0


def test_where_nobody_kept_probabilities_only_what_was_chosen_is_told() -> None:
    known = thoughts(LifecycleOp.WAIT, {"op": [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]})

    note = notes_on(
        PolicyOutputs(actions=known.actions, log_probs=known.log_probs, values=known.values, probabilities=None),
        slots=SLOTS,
    )[0]

    assert note.action_confidence == pytest.approx(0.5)
    assert note.head_telemetry is None
