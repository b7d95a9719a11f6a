"""Policy names and what they mean."""

import pytest

from diorama.contracts.errors import ConfigError
from diorama.learn.policies.names import PolicyName, parse_name
from tests.refusals import refused


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mlp-256x256-tanh-v1", {"widths": (256, 256), "activation": "tanh"}),
        ("mlp-64-gelu-separate-v1", {"widths": (64,), "activation": "gelu", "is_separate": True}),
        ("cnn-v1", {"has_convolutions": True}),
        ("cnn-small-v1", {"has_convolutions": True, "is_small": True}),
        ("cnn-small-separate-v1", {"has_convolutions": True, "is_small": True, "is_separate": True}),
        ("cnn-separate-v1", {"has_convolutions": True, "is_separate": True}),
        ("mingru-128-v1", {"memory": "mingru", "memory_size": 128}),
        (
            "mlp-256x128-silu-mingru-v1",
            {"widths": (256, 128), "activation": "silu", "memory": "mingru", "memory_size": 128},
        ),
        ("cnn-lstm-64-v1", {"has_convolutions": True, "memory": "lstm", "memory_size": 64}),
    ],
)
def test_a_name_is_parsed(text: str, expected: dict[str, object]) -> None:
    assert parse_name(text) == PolicyName(text=text, **expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mlp-v1",
        "mlp-256x256-v1",
        "mlp-0-tanh-v1",
        "mingru-128",
        "gru-12-v1",
        "cnn-v2",
        "cnn-tiny-v1",
        "mlp-8-relu-separate-mingru-v1",
    ],
)
def test_other_names_are_refused(text: str) -> None:
    with refused(ConfigError, "policy_name_invalid", arch=text):
        parse_name(text)
