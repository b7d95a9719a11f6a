import json

import pytest

from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError
from diorama.worlds.tidebreak import layout
from diorama.worlds.tidebreak.config import ObservationProfile, TidebreakConfig
from diorama.worlds.tidebreak.contract import (
    HEAD_OFFSETS,
    HEAD_SIZES,
    INTERFACE_VERSION,
    N_OPTIONS,
    RUDDERS,
    THROTTLES,
    WORLD_ID,
    Event,
    Head,
    describe,
)
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reward_weights import Component
from tests.worlds.tidebreak.samples import demo

SPEC = describe(TidebreakConfig())
COMPACT = describe(TidebreakConfig(observation=ObservationProfile.COMPACT))


@pytest.mark.parametrize(("observation", "blocks"), [("v1", (48, (16, 24), 180)), ("compact", (48, (12, 24), 68))])
def test_three_blocks_follow_one_another(observation: str, blocks: tuple[int, tuple[int, int], int]) -> None:
    spec = describe(TidebreakConfig(observation=ObservationProfile(observation)))

    own_state, contacts, environment = spec.observation

    assert [field.name for field in spec.observation] == ["own_state", "contacts", "environment"]
    assert (own_state.shape, contacts.shape, environment.shape) == ((blocks[0],), blocks[1], (blocks[2],))
    assert (own_state.start, own_state.stop, contacts.stop) == (0, contacts.start, environment.start)


def test_the_widths_are_612_and_404() -> None:
    assert (SPEC.obs_width, COMPACT.obs_width) == (612, 404)
    assert [(field.start, field.stop) for field in SPEC.observation] == [(0, 48), (48, 432), (432, 612)]
    assert layout.Env.FOVEATED + layout.FOVEATED_SECTORS * layout.FOVEATED_FIELDS == layout.Env.SIZE


def test_seven_heads_have_their_options_and_noops() -> None:
    assert HEAD_SIZES == (7, 7, 4, 4, 8, 17, 8)
    assert HEAD_OFFSETS == (0, 7, 14, 18, 22, 30, 47)
    assert N_OPTIONS == len(SPEC.option_names) == 55
    assert SPEC.noop == (1, 3, 0, 0, 0, 0, 0)
    assert [head.name for head in SPEC.heads] == [head.name.lower() for head in Head]
    assert THROTTLES[SPEC.noop[Head.THROTTLE]] == RUDDERS[SPEC.noop[Head.RUDDER]] == 0.0


def test_every_option_stands_in_one_group() -> None:
    assert sorted(action for group in SPEC.groups for action in group.actions) == list(range(N_OPTIONS))


def test_hotkeys_are_single_and_name_what_they_do() -> None:
    keys = [hotkey.key for hotkey in SPEC.hotkeys]

    assert len(set(keys)) == len(keys)
    assert SPEC.option_names[next(key.action for key in SPEC.hotkeys if key.key == "t")] == "torpedo"


def test_events_have_the_bits_of_their_kinds() -> None:
    assert [event.name for event in Event] == [kind.name for kind in EventKind]
    assert len(SPEC.events) == 39


def test_metrics_headline_and_reward_components_are_those_of_the_rules() -> None:
    assert len(SPEC.metrics) == 11
    assert SPEC.headline == ("win", "cost_margin")
    assert len(Component) == 12
    assert (SPEC.interface_version, SPEC.snapshot_magic) == (INTERFACE_VERSION, b"TBSN")


@pytest.mark.parametrize("seats", [1, 8, 64])
def test_the_configuration_sets_the_seats(seats: int) -> None:
    assert describe(TidebreakConfig(seats=seats)).agents == seats


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"stage": 13}, "tidebreak.stage", id="no-such-stage"),
        pytest.param({"stage": 2, "scenario": "demo"}, "only one of", id="two-battles"),
        pytest.param({"scenario": "waterloo"}, "no scenario is called 'waterloo'", id="no-such-scenario"),
        pytest.param({"opponents": "pirate"}, "tidebreak.opponents", id="no-such-script"),
        pytest.param({"opponents": "aggressor@1.5"}, "tidebreak.opponents", id="impossible-skill"),
        pytest.param({"seats": 0}, "tidebreak.seats", id="no-seat"),
        pytest.param({"ships": ["a", "b"], "seats": 1}, "2 ships are named for 1 seats", id="too-many-ships"),
        pytest.param({"reward_weights": {"glory": 1}}, "tidebreak.reward_weights", id="no-such-component"),
        pytest.param({"package": {"schema_version": "arena.v1"}}, "P002", id="half-a-package"),
        pytest.param({"speed": 2}, "tidebreak.speed: there is no such key", id="unknown-key"),
    ],
)
def test_a_wrong_setting_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_config(WORLD_ID, TidebreakConfig, given)


def test_the_default_battle_is_the_duel() -> None:
    config = TidebreakConfig()

    assert (config.stage, config.opponent_script, config.team_weight) == (2, "aggressor", 0.3)
    assert TidebreakConfig(stage=7).team_weight == 0.5
    assert TidebreakConfig(stage=10).opponent_script == "auto"
    assert TidebreakConfig(stage=1, opponents="drifter@0.5").opponent_script == "drifter@0.5"


def test_a_package_is_taken_as_it_is_or_resolved() -> None:
    plain = TidebreakConfig(package=demo())
    first = plain.resolved_package()
    assert first is not None

    again = TidebreakConfig(package=json.loads(first.document)).resolved_package()

    assert plain.stage is None
    assert again is not None
    assert again.sha256 == first.sha256


def test_a_configuration_survives_its_canonical_text() -> None:
    config = TidebreakConfig(scenario="demo", seats=3, ships=("acc-corvette-1",), reward_weights={"time": 0.1})

    assert TidebreakConfig(**json.loads(config.canonical())) == config
