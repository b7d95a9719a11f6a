import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.actions import (
    AlphaCurveAction,
    AlphaSpeedAction,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    TempoAction,
    head_sizes,
)
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.timings import QUICK_TIMINGS
from diorama.worlds.morphogenesis.controller.action_text import action_text, parse_action
from diorama.worlds.morphogenesis.controller.choices import WAIT, canonical, compose
from diorama.worlds.morphogenesis.controller.schedules import grow_three, parse_schedule, schedule_named

SLOT_IDS = ("r0c0", "r0c1", "r0c2")
ACTIONS = st.tuples(*(st.integers(int(head == 1), size - 1) for head, size in enumerate(head_sizes(3))))


@settings(max_examples=60, deadline=None)
@given(ACTIONS.map(canonical))
def test_an_action_is_read_as_it_is_written(action: tuple[int, ...]) -> None:
    assert parse_action(action_text(action, SLOT_IDS).split(), SLOT_IDS) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("wait", WAIT),
        ("ADVANCE r0c2", compose(LifecycleOp.ADVANCE, 2)),
        ("SET_ALPHA_TARGET r0c0 target=1", compose(LifecycleOp.SET_ALPHA_TARGET, 0)),
        (
            "germinate R0C1 blueprint=conv_light tempo=FAST style=gated_gate target=0.5",
            compose(
                LifecycleOp.GERMINATE,
                1,
                blueprint=BlueprintAction.CONV_LIGHT,
                tempo=TempoAction.FAST,
                style=GerminationStyle.GATED_GATE,
                alpha_target=AlphaTargetAction.HALF,
            ),
        ),
        (
            "PRUNE r0c0 curve=cosine speed=slow",
            compose(LifecycleOp.PRUNE, 0, alpha_speed=AlphaSpeedAction.SLOW, alpha_curve=AlphaCurveAction.COSINE),
        ),
    ],
)
def test_people_write_actions_by_name(text: str, action: tuple[int, ...]) -> None:
    assert parse_action(text.split(), SLOT_IDS) == action


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with its op; there are: WAIT, GERMINATE"),
        ("GROW r0c0", "no op is called 'GROW'"),
        ("PRUNE", "PRUNE needs a slot; there are: r0c0, r0c1, r0c2"),
        ("PRUNE r9c9", "slot 'r9c9' is not enabled"),
        ("WAIT r0c0", "WAIT takes nothing"),
        ("GERMINATE r0c0", "needs a blueprint"),
        ("GERMINATE r0c0 blueprint=noop", "cannot be planted"),
        ("GERMINATE r0c0 blueprint=dense", "no blueprint is called 'dense'; there are: noop, conv_light"),
        ("GERMINATE r0c0 blueprint=norm speed=fast", "'speed=fast' does not belong to GERMINATE"),
        ("ADVANCE r0c0 tempo=fast", "behind the slot it takes nothing"),
        ("PRUNE r0c0 speed=fast speed=slow", "speed is given twice"),
        ("SET_ALPHA_TARGET r0c0 target=0.6", "no target is called '0.6'; there are: half, seventy, full"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse_action(text.split(), SLOT_IDS)


def test_a_schedule_is_a_line_for_each_action() -> None:
    text = "\n".join(
        f"{epoch} {action_text(action, SLOT_IDS)}" for epoch, action in grow_three(SLOT_IDS).actions.items()
    )

    schedule = parse_schedule("mine", f"# three seeds\n\n{text}  # the last one\n", SLOT_IDS)

    assert schedule.actions == grow_three(SLOT_IDS).actions
    assert schedule_named("grow_three", SLOT_IDS, QUICK_TIMINGS) == grow_three(SLOT_IDS)
    assert max(schedule_named("grow_norm", SLOT_IDS, QUICK_TIMINGS).actions) == 10
    with pytest.raises(ConfigError, match="there are: grow_three, grow_norm, plant_norm"):
        schedule_named("grow_four", SLOT_IDS, QUICK_TIMINGS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4 WAIT\n0 WAIT", "line 2: '0' is no epoch"),
        ("soon WAIT", "line 1: 'soon' is no epoch"),
        ("4", "line 1: an action begins with its op"),
        ("4 ADVANCE r0c0\n4 ADVANCE r0c1", "two actions at epochs"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse_schedule("mine", text, SLOT_IDS)


def test_deciding_paying_and_comparing_need_no_torch() -> None:
    modules = ("controller.rules", "controller.scripted", "controller.observation", "rewards.dispatch")
    names = ", ".join(
        f"diorama.worlds.morphogenesis.{name}" for name in (*modules, "contributions.shapley", "comparison.verdict")
    )
    code = f"import sys, {names}; sys.exit('torch' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
