from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.config import (
    ObservationVariantMismatch,
    TownletConfig,
    effective_id,
    load_config,
    parse_simulation,
    plan_reload,
)
from diorama.worlds.townlet.config.identity import leaves

MINIMAL: dict[str, Any] = {"config_id": "test", "features": {}, "rewards": {}}


def test_the_three_required_keys_are_enough() -> None:
    config = parse_simulation(MINIMAL, "town.yaml")

    assert config.seed == 1337
    assert list(config.jobs) == ["barista", "grocer", "clerk", "attendant"]
    assert config.jobs["clerk"].location == (31, 29)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param({"config_id": "a b"}, "config_id: 'a b' is wrong", id="bad-label"),
        pytest.param({"world": {"seats": 65}}, "world.seats: 65 is wrong", id="out-of-range"),
        pytest.param({"world": {"seats": "8"}}, "world.seats: '8' is wrong", id="text-is-no-number"),
        pytest.param({"world": {"seat": 8}}, "world.seat: there is no such key", id="unknown-key"),
        pytest.param({"economy": {"meal_cost": True}}, "economy.meal_cost", id="truth-is-no-number"),
        pytest.param({"world": {"population": 17}}, "does not fit into 16 seats", id="more-people-than-seats"),
        pytest.param(
            {"features": {"stages": {"social_rewards": "C1"}}}, "features.stages.social_rewards", id="stage-too-far"
        ),
        pytest.param({"features": {"console": {"mode": "admin"}}}, "console_auth.enabled", id="admin-without-auth"),
        pytest.param({"embedding_allocator": {"max_slots": 8}}, "fewer than world.seats", id="too-few-slots"),
        pytest.param({"employment": {"absent_cutoff": 2}}, "below grace_ticks", id="cutoff-below-grace"),
        pytest.param({"observations": {"local_window": 10}}, "must be odd", id="even-window"),
        pytest.param({"rewards": {"homeostasis_scale": 0.0005}}, "missed meal", id="bonus-beats-a-meal"),
        pytest.param({"rewards": {"faint_penalty": 0.0}}, "living must beat dying", id="dying-pays"),
        pytest.param({"economy": {"rent_per_day": 5}}, "of the basket of 6.6", id="wages-do-not-buy-a-day"),
        pytest.param(
            {"jobs": {"cook": {"start_tick": 5, "end_tick": 5, "location": [1, 1], "zone": "cafe"}}},
            "not after its start",
            id="empty-shift",
        ),
        pytest.param({"console_auth": {"enabled": True}}, "at least one token", id="auth-without-token"),
        pytest.param(
            {"console_auth": {"tokens": [{"label": "a", "role": "admin", "token": "short"}]}}, "16", id="short-token"
        ),
        pytest.param({"telemetry": {"privacy_mode": True}}, "privacy_salt_env", id="privacy-without-salt"),
        pytest.param(
            {"perturbations": {"events": {"x": {"kind": "blackout", "prob_per_day": 1, "duration": [9, 3]}}}},
            "runs backwards",
            id="backward-range",
        ),
        pytest.param(
            {
                "perturbations": {
                    "events": {
                        "x": {
                            "kind": "price_spike",
                            "prob_per_day": 1,
                            "duration": [1, 2],
                            "magnitude": [1, 2],
                            "targets": ["moon"],
                        }
                    }
                }
            },
            "'moon' is neither a price group nor a price",
            id="unknown-target",
        ),
        pytest.param({"snapshot": {"autosave_cadence_ticks": 50}}, "autosave_cadence_ticks", id="autosave-too-often"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(document: dict[str, Any], expected: str) -> None:
    with pytest.raises(ConfigError, match=r"town\.yaml") as refusal:
        parse_simulation({**MINIMAL, **document}, "town.yaml")

    assert expected in str(refusal.value)


def test_every_bad_path_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as refusal:
        parse_simulation({"config_id": "", "world": {"seats": 0}, "economy": {"x": 1}}, "town.yaml")

    for place in ("config_id", "world.seats", "economy.x", "features: is missing", "rewards: is missing"):
        assert place in str(refusal.value)


def test_yaml_words_and_numbers_mean_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "town.yaml"
    path.write_text(
        "config_id: v1\nrewards: {survival_tick: 2e-3}\n"
        "features: {stages: {relationships: OFF}, systems: {lifecycle: off}, training: {curiosity: off}}\n"
    )

    config = load_config(path)

    assert config.features.stages.relationships == "OFF"
    assert config.features.systems.lifecycle == "off"
    assert config.rewards.survival_tick == 0.002


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("config_id: a\nconfig_id: b\n", "stands twice", id="key-twice"),
        pytest.param("[1, 2]", "must be a mapping", id="a-list"),
        pytest.param("a: [", "must be YAML", id="broken"),
        pytest.param("!!python/object:os.system {}", "must be YAML", id="code"),
        pytest.param("", "holds nothing", id="empty"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "town.yaml"
    path.write_text(text)

    with pytest.raises(ConfigError, match=expected):
        load_config(path)


def test_a_missing_file_is_told() -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_config(Path("nowhere/town.yaml"))


def test_the_effective_id_hangs_on_restart_fields_only() -> None:
    base = TownletConfig()
    cheap = TownletConfig.model_validate({"economy": {"ingredients_cost": 0.1}})
    crowded = TownletConfig.model_validate({"world": {"population": 7}})
    named = TownletConfig.model_validate({"config_id": "other"})

    assert effective_id(base, "x").startswith("townlet+hybrid.")
    assert effective_id(base, "x") == effective_id(cheap, "x")
    assert effective_id(base, "x") != effective_id(crowded, "x")
    assert effective_id(base, "x") != effective_id(base, "y")
    assert effective_id(named, "x").split(".")[-1] == effective_id(base, "x").split(".")[-1]


def test_the_order_of_jobs_belongs_to_the_identity_and_survives_storage() -> None:
    jobs = {name: job.model_dump() for name, job in TownletConfig().jobs.items()}
    turned = TownletConfig.model_validate({"jobs": dict(reversed(jobs.items()))})

    again = TownletConfig.model_validate_json(turned.canonical())

    assert list(again.jobs) == ["attendant", "clerk", "grocer", "barista"]
    assert effective_id(turned, "x") != effective_id(TownletConfig(), "x")


def test_a_reload_takes_hot_fields_and_refuses_the_others() -> None:
    live = TownletConfig()
    hot = TownletConfig.model_validate({"economy": {"shower_cost": 0.1}, "perturbations": {"enabled": False}})
    mixed = TownletConfig.model_validate({"economy": {"shower_cost": 0.1}, "world": {"population": 7}})

    assert plan_reload(live, hot).changed == ("economy.shower_cost", "perturbations.enabled")
    assert plan_reload(live, hot).is_allowed
    assert plan_reload(live, mixed).refused == ("world.population",)
    assert not plan_reload(live, live).changed


def test_every_field_says_whether_it_needs_a_restart() -> None:
    marked = {path: is_fixed for path, is_fixed, _ in leaves(TownletConfig())}

    assert marked["ppo.gamma"]
    assert not marked["ppo.learning_rate"]
    assert marked["jobs"]
    assert not marked["affordances.affordances_file"]
    assert marked["queue_fairness.request_radius"]
    assert not marked["queue_fairness.queue_timeout"]


def test_a_policy_for_another_variant_is_refused() -> None:
    with pytest.raises(ObservationVariantMismatch, match="'full'"):
        TownletConfig().require_observation_variant("full")
    TownletConfig().require_observation_variant("hybrid")


def test_the_schema_describes_the_whole_tree() -> None:
    schema = TownletConfig.model_json_schema()

    assert "queue_fairness" in schema["properties"]


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(("world", "initial_needs", "energy"), id="need"),
        pytest.param(("economy", "rent_per_day"), id="rent"),
        pytest.param(("conflict", "rivalry", "min_value"), id="rivalry"),
    ],
)
def test_nothing_has_no_sign(place: tuple[str, ...]) -> None:
    document: Any = -0.0
    for key in reversed(place):
        document = {key: document}

    found: Any = TownletConfig.model_validate(document)
    for key in place:
        found = getattr(found, key)

    assert str(found) == "0.0"
