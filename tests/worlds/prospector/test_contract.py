import numpy as np
import pytest

from diorama.contracts.config import config_hash, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.values import sha256_hex
from diorama.rng import Pcg32
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import (
    ACTION_NAMES,
    INTERFACE_VERSION,
    N_ACTIONS,
    SPEC,
    WORLD_ID,
    Act,
    Obs,
)
from diorama.worlds.prospector.reference.actions import ACTION_TABLE
from diorama.worlds.prospector.reference.simulation import ProspectorSimulation
from tests.worlds.prospector.conftest import Fly


def indices(table: type) -> dict[str, int]:
    return {name: value for name, value in vars(table).items() if not name.startswith("_")}


def test_every_observation_field_starts_at_its_index() -> None:
    starts = {field.name.upper(): field.start for field in SPEC.observation}

    assert {**starts, "SIZE": SPEC.obs_width} == indices(Obs)
    assert SPEC.obs_width == 260


def test_every_action_index_names_its_action() -> None:
    for name, action in indices(Act).items():
        assert ACTION_NAMES[action] in (name, f"{name}_0", f"{name}_0_25PCT")
    assert len(ACTION_NAMES) == len(ACTION_TABLE) == N_ACTIONS == 69


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (5, "TRAVEL_NEIGHBOR_5"),
        (27, "SELECT_ASTEROID_15"),
        (41, "JETTISON_COMMODITY_5"),
        (54, "SELL_COMMODITY_3_100PCT"),
        (58, "SELL_COMMODITY_5_25PCT"),
        (68, "CASH_OUT_END_EPISODE"),
    ],
)
def test_blocks_of_actions_end_where_they_should(action: int, name: str) -> None:
    assert ACTION_NAMES[action] == name


def test_every_action_stands_in_one_group() -> None:
    assert [action for group in SPEC.groups for action in group.actions] == list(range(N_ACTIONS))


def test_thirteen_metrics_are_measured() -> None:
    simulation = ProspectorSimulation(ProspectorConfig())

    (metrics,) = simulation.opening_record().metrics

    assert len(metrics) == len(SPEC.metrics) == 13


def test_twenty_five_events_are_known() -> None:
    assert len(SPEC.events) == 25
    assert SPEC.event_names.index("truncated") == 24
    assert [event.name for event in SPEC.events if not event.payload] == [
        "emergency_burn", "threat_listen", "cooldown", "dock", "terminated", "truncated",
    ]  # fmt: skip


def test_every_event_brings_the_payload_it_promises(fly: Fly) -> None:
    pilot = fly(seed=3)
    payloads = {event.name: list(event.payload) for event in SPEC.events if event.payload}
    rng = Pcg32.from_seed(5, 1)
    happened: set[str] = set()

    for _ in range(1500):
        valid = np.flatnonzero(pilot.mask).tolist()
        record = pilot.step(valid[rng.randint_exclusive(0, len(valid))])

        happened.update(record.events)
        assert sorted(record.events, key=SPEC.event_names.index) == list(record.events)
        assert {name: list(data) for name, data in record.event_data.items()} == {
            name: payloads[name] for name in record.events if name in payloads
        }
    assert happened >= {"travel", "scan", "mine", "fracture", "pirate_encounter", "cash_out", "destroyed"}


def test_the_config_hash_covers_world_interface_and_every_key() -> None:
    config = parse_config(WORLD_ID, ProspectorConfig, {"time_max": 2000})

    assert config_hash(INTERFACE_VERSION, WORLD_ID, config) == sha256_hex(
        '{"fractures":true,"hazards":true,"interface":"prospector-v1","invalid_action_pen":0.01,"market_noise":true,'
        '"pirates":true,"price_impact":true,"reward_profile":"v1","scan_noise":true,"time_max":2000.0,'
        '"world":"prospector"}'
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [("time_max", 0), ("time_max", float("inf")), ("reward_profile", "v3"), ("invalid_action_pen", -0.1), ("fuel", 1)],
)
def test_a_wrong_setting_is_refused_by_its_path(key: str, value: object) -> None:
    with pytest.raises(ConfigError, match=f"prospector.{key}"):
        parse_config(WORLD_ID, ProspectorConfig, {key: value})
