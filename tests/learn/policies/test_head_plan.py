"""Plans of action heads: order, relevance, conditional masks, exploration."""

import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.learn.policies.head_plan import HeadPlan, plan_heads
from diorama.learn.settings import HeadSettings
from tests.learn.toys import head, toy_spec
from tests.refusals import refused

SPEC = toy_spec((), (head("slot", 2), head("kind", 4, noop=3), head("op", 3)))


def plan(**heads: dict[str, object]) -> HeadPlan:
    return plan_heads(SPEC, {name: HeadSettings.model_validate(item) for name, item in heads.items()})


def test_plain_heads_are_chosen_together_in_their_order() -> None:
    plain = plan()

    assert plain.order == (0, 1, 2)
    assert not plain.is_stepwise
    assert [item.placeholder for item in plain.heads] == [0, 3, 0]


def test_a_head_is_chosen_after_the_heads_it_depends_on() -> None:
    dependent = plan(
        slot={"inputs": ("op",), "relevance": {"given": "op", "options": ("op1",)}},
        kind={"inputs": ("op", "slot"), "conditional_mask": {"given": "op", "extra": "table"}},
    )

    assert dependent.order == (2, 0, 1)
    assert dependent.is_stepwise
    assert dependent.heads[0].relevance is not None
    assert dependent.heads[0].relevance.table == (False, True, False)
    assert dependent.mask_extras == {"table": 12}


def test_heads_with_relevance_alone_share_one_linear_layer() -> None:
    assert not plan(slot={"relevance": {"given": "op", "options": ("op1",)}}).is_stepwise


def test_heads_that_depend_on_one_another_are_refused() -> None:
    with refused(ConfigError, "heads_depend_in_cycle", heads=("slot", "kind")):
        plan(slot={"inputs": ("kind",)}, kind={"inputs": ("slot",)})


@pytest.mark.parametrize(
    ("heads", "code", "name"),
    [
        pytest.param({"speed": {}}, "unknown_action_head", "speed", id="head"),
        pytest.param({"slot": {"inputs": ("speed",)}}, "unknown_action_head", "speed", id="input"),
        pytest.param({"slot": {"placeholder": "slot9"}}, "unknown_action_option", "slot9", id="option"),
    ],
)
def test_unknown_names_are_refused(heads: dict[str, dict[str, object]], code: str, name: str) -> None:
    with refused(UnknownName, code, name=name):
        plan(**heads)


def test_exploration_follows_its_schedule() -> None:
    ramp = {"start": 0.2, "end": 0.05, "env_steps": 100}

    assert plan(op={"exploration": ramp}).exploration(50) == pytest.approx((0.0, 0.0, 0.125))
