"""A contract that contradicts itself is refused with the contradiction."""

from dataclasses import replace
from typing import Any

import pytest

from diorama.contracts.errors import ContractError
from diorama.contracts.spec import ActionGroup, ActionHead, EventKind, Metric, Relevance, interface_number
from tests.engine.toy_world import ToyConfig, toy_spec

SPEC = toy_spec(ToyConfig())
FLOAT_FIELD, BYTE_FIELD = SPEC.observation


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"interface_version": "toy1"}, "write it like 'prospector-v1'", id="malformed-version"),
        pytest.param({"interface_version": "other-v1"}, "does not belong to world 'toy'", id="version-of-another"),
        pytest.param({"agents": 0}, "at least one seat", id="no-seat"),
        pytest.param({"agents": 2.0}, "it is a whole number", id="half-seats"),
        pytest.param({"snapshot_magic": b"TOY"}, "four bytes", id="short-magic"),
        pytest.param({"snapshot_magic": "TOYS"}, "four bytes", id="magic-as-text"),
        pytest.param(
            {"observation": (replace(FLOAT_FIELD, dtype="float32"), BYTE_FIELD)},  # type: ignore[arg-type] # the flaw
            "has the dtype 'float32'; use Dtype.FLOAT32 or Dtype.UINT8",
            id="dtype-as-text",
        ),
        pytest.param(
            {"observation": (replace(FLOAT_FIELD, start=1), BYTE_FIELD)},
            "'total' starts at 1; the one before ends at 0",
            id="gap-in-layout",
        ),
        pytest.param(
            {"observation": (FLOAT_FIELD, replace(BYTE_FIELD, name="total"))}, "named twice: total", id="field-twice"
        ),
        pytest.param(
            {"heads": (ActionHead(name="amount", options=("none",), noop=1),)}, r"no-op 1 is outside 0\.\.0", id="noop"
        ),
        pytest.param(
            {"groups": (ActionGroup(id="all", title="All", description="", actions=(5,)),)},
            r"names action 5, outside 0\.\.4",
            id="group-beyond-actions",
        ),
        pytest.param({"metrics": (Metric(key="a", label="A"),) * 2, "headline": ()}, "named twice: a", id="metric"),
        pytest.param(
            {"events": tuple(EventKind(name=f"event{number}") for number in range(65))}, "bits for 64", id="events"
        ),
        pytest.param(
            {"relevance": Relevance(head="mood", heads=())}, "'mood', which is no head of 'toy'", id="relevance-head"
        ),
        pytest.param(
            {"relevance": Relevance(head=SPEC.heads[0].name, heads=(("none", ()),))},
            "each once and in order",
            id="relevance-options",
        ),
        pytest.param(
            {
                "relevance": Relevance(
                    head=SPEC.heads[0].name, heads=tuple((option, ("mood",)) for option in SPEC.heads[0].options)
                )
            },
            "unknown heads: mood",
            id="relevance-heads",
        ),
        pytest.param({"headline": ("profit",)}, "'profit' is no metric of 'toy'; there are: total", id="headline"),
    ],
)
def test_a_contradiction_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ContractError, match=message):
        replace(SPEC, **change)


def test_the_number_of_an_interface_version_is_read() -> None:
    assert interface_number("prospector-v12") == 12


def test_options_of_all_heads_stand_one_after_another() -> None:
    assert SPEC.option_names == ("none", "one", "two", "plus", "minus")
    assert SPEC.noop == (0, 0)
    assert (SPEC.obs_width, SPEC.obs_u8_width) == (1, 2)
