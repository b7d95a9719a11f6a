import numpy as np
import pytest

import diorama
from diorama.contracts.config import config_hash, parse_config
from diorama.contracts.errors import ConfigError, ContractError
from diorama.contracts.named_files import named_files, named_modules
from diorama.worlds.registry import load_world
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.contract import INTERFACE_VERSION

WORLD = load_world("townlet")


def test_metrics_and_events_are_in_the_published_order() -> None:
    spec = WORLD.describe(TownletConfig())

    assert spec.metric_keys == (
        "self_sufficiency", "starvation_incidents", "attendance", "lateness", "relationship_coverage",
        "conflict_escalation", "option_thrash", "exits_per_day", "lived_days", "mean_need", "wallet", "wages_earned",
    )  # fmt: skip
    assert (spec.event_names[0], spec.event_names[-1], spec.tick_seconds) == ("agent_spawn", "agent_released", 0.25)


def test_the_hash_of_a_configuration_names_the_world_and_every_setting() -> None:
    plain, other = TownletConfig(), TownletConfig.model_validate({"world": {"population": 7}})

    hashes = {
        config_hash(INTERFACE_VERSION, "townlet", plain),
        config_hash(INTERFACE_VERSION, "townlet", other),
        config_hash(INTERFACE_VERSION, "hamlet", plain),
        config_hash("townlet-v2", "townlet", plain),
    }

    assert len(hashes) == 4


def test_what_cannot_be_done_is_refused_with_what_can() -> None:
    with pytest.raises(ConfigError, match=r"spawn_policy: elitist needs replicas .* use release"):
        parse_config("townlet", TownletConfig, {"lifecycle": {"spawn_policy": "elitist"}})


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        pytest.param({}, (), id="shipped"),
        pytest.param({"world": {"town_file": "/etc/passwd"}}, ("/etc/passwd",), id="map"),
        pytest.param({"affordances": {"affordances_file": "mine.yaml"}}, ("mine.yaml",), id="manifest"),
        pytest.param({"perturbations": {"file": "storms.yaml"}}, ("storms.yaml",), id="events"),
        pytest.param({"telemetry": {"transport": {"file_path": "../a"}}}, ("../a",), id="transport"),
        pytest.param({"console": {"audit_path": "../a"}, "snapshot": {"root": "/b"}}, ("../a", "/b"), id="live"),
        pytest.param({"affordances": {"hook_modules": ["mine.hooks"]}}, ("mine.hooks",), id="hooks"),
    ],
)
def test_files_and_modules_of_the_user_are_named(settings: dict[str, object], named: tuple[str, ...]) -> None:
    config = TownletConfig.model_validate(settings)

    assert (*(text.value for text in named_files(config)), *named_modules(config)) == named


def test_a_batch_is_advised_by_the_scripted_controller() -> None:
    batch = diorama.make("townlet", copies=2, seed=3, tier="reference")
    batch.reset()
    for _ in range(3):
        advice = batch.expert_actions()
        batch.step(advice)

    assert advice.shape == (32, 1)
    assert not advice.reshape(2, 16)[:, 8:].any()
    assert (advice.reshape(2, 16)[:, :8] == 5).any()  # somebody sleeps in the night
    masks = batch.masks[np.arange(32), batch.expert_actions()[:, 0]]
    assert masks[batch.masks.sum(axis=1) > 1].all()


def test_who_has_no_controller_gives_no_advice() -> None:
    batch = diorama.make("prospector", tier="reference")
    batch.reset()
    with pytest.raises(ContractError, match="'prospector' has no controller of its own"):
        batch.expert_actions()
    steps = diorama.make("townlet", tier="reference", config={"policy_runtime": {"action_level": "primitive"}})
    steps.reset()
    with pytest.raises(ContractError, match="action_level to option"):
        steps.expert_actions()


def test_a_newcomers_row_opens_an_episode_inside_a_running_copy() -> None:
    lifecycle = {"collapse": {"threshold": 0.99, "ticks": 3}, "spawn_delay_ticks": [2, 2], "exit_cooldown_ticks": 500}
    batch = diorama.make("townlet", tier="reference", config={"lifecycle": lifecycle})
    batch.reset([5])
    assert batch.episode_start.all()
    seen = []
    for _ in range(8):
        batch.step(np.zeros((16, 1), np.int32))
        seen.append((np.flatnonzero(batch.terminated).tolist(), np.flatnonzero(batch.episode_start).tolist()))
        assert not batch.obs[batch.alive == 0].any()

    terminated, starts = zip(*seen, strict=True)
    assert terminated.count([0]) == 1
    assert [rows for rows in starts if rows] == [[0]]
    assert starts.index([0]) > terminated.index([0])  # the row is seen dead in between
    assert batch.episode_seed(0) == 5


def test_starts_that_are_pending_survive_a_snapshot() -> None:
    batch = diorama.make("townlet", tier="reference")
    batch.reset([5])
    opened = batch.snapshot(0)
    batch.step(np.zeros((16, 1), np.int32))
    assert not batch.episode_start.any()

    batch.restore(0, opened)

    assert batch.episode_start.tolist() == [1] * 8 + [0] * 8


def test_the_numbers_of_a_day_are_told_at_midnight() -> None:
    config = {
        "world": {"ticks_per_day": 100, "population": 1, "initial_needs": {"hunger": 0.2}},
        "features": {"systems": {"lifecycle": "off"}},
        "jobs": {},
        "rewards": {"punctuality_bonus": 0.01},
    }
    batch = diorama.make("townlet", tier="reference", config=config)
    batch.reset([5])
    for _ in range(100):
        batch.step(np.zeros((16, 1), np.int32))

    told = dict(zip(batch.spec.metric_keys, batch.metrics[0].tolist(), strict=True))

    assert batch.step_record(0).info["tick"] == 100
    assert told["self_sufficiency"] == 0.0  # all day long, though the new day has no ticks yet
