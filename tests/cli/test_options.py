"""How option texts become values."""

import pytest

from diorama.cli.options import parse_counts, parse_settings
from diorama.contracts.errors import ConfigError


def test_values_are_read_as_yaml() -> None:
    settings = parse_settings(
        ["time_max=2000", "pirates=false", "reward_profile=v2", "rate=0.5", "none=null", "text='5'"]
    )

    assert settings == {
        "time_max": 2000,
        "pirates": False,
        "reward_profile": "v2",
        "rate": 0.5,
        "none": None,
        "text": "5",
    }


def test_dots_reach_inside_and_a_value_may_hold_an_equals_sign() -> None:
    assert parse_settings(["queue.ghost.after=3", "queue.size=[1, 2]", "rule=a=b"]) == {
        "queue": {"ghost": {"after": 3}, "size": [1, 2]},
        "rule": "a=b",
    }


def test_nothing_given_is_an_empty_configuration() -> None:
    assert parse_settings(None) == {}


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        pytest.param(["time_max"], "is not of the form KEY=VALUE", id="no-equals-sign"),
        pytest.param(["=5"], "is not of the form KEY=VALUE", id="no-key"),
        pytest.param(["a..b=5"], "is not of the form KEY=VALUE", id="empty-part"),
        pytest.param(["a=[1, 2"], "cannot be read as a YAML value", id="yaml"),
        pytest.param(["a=1", "a=2"], "'a' was given before", id="twice"),
        pytest.param(["a=1", "a.b=2"], "'a' was given a value of its own before", id="inside-a-value"),
        pytest.param(["a.b=1", "a=2"], "'a' was given before", id="over-a-branch"),
    ],
)
def test_a_setting_that_makes_no_sense_is_quoted(pairs: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as raised:
        parse_settings(pairs)

    assert repr(pairs[-1]) in str(raised.value)


def test_counts_are_listed_with_commas() -> None:
    assert parse_counts("--copies", "1, 64,1024") == (1, 64, 1024)


@pytest.mark.parametrize("text", ["", "1,,2", "0", "-1", "1.5", "many", "²"])
def test_counts_below_one_or_no_numbers_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="write it like 1,64,1024"):
        parse_counts("--copies", text)
