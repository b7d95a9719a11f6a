"""The descriptor of a world is that of the configuration in which it is played, recorded or asked for."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from diorama.contracts.config import parse_config
from diorama.server.descriptors import descriptor
from diorama.server.models.worlds import WorldDescriptor
from diorama.worlds.registry import load_world
from diorama.worlds.townlet.codes import OPTION_NAMES, PRIMITIVE_NAMES
from tests.server.conftest import TRAINED
from tests.server.play_factories import opened


def described(world_id: str, config: Mapping[str, object]) -> WorldDescriptor:
    world = load_world(world_id)
    return WorldDescriptor.model_validate_json(
        descriptor(world, parse_config(world_id, world.config_type, config)), strict=True
    )


def path(state: dict[str, Any], call: str) -> str:
    return f"/api/play/session/{state['session_id']}{call}"


@pytest.mark.parametrize(
    ("world_id", "config", "variant"),
    [
        pytest.param("townlet", {}, None, id="default"),
        pytest.param("townlet", {"policy_runtime": {"action_level": "primitive"}}, "primitive", id="as-the-variant"),
        pytest.param("townlet", {"economy": {"meal_cost": 0.3}}, None, id="same-contract"),
        pytest.param("townlet", {"world": {"seats": 9}}, None, id="a-contract-without-a-name"),
        pytest.param("tidebreak", {"observation": "compact"}, "compact", id="another-world"),
    ],
)
def test_a_configuration_is_told_with_the_variant_whose_contract_it_has(
    world_id: str, config: Mapping[str, object], variant: str | None
) -> None:
    told = described(world_id, config)

    assert (told.variant, told.variants) == (variant, list(load_world(world_id).variants))


def test_a_variant_is_described_by_name(client: httpx.Client) -> None:
    usual = client.get("/api/worlds/townlet").json()
    walked = client.get("/api/worlds/townlet", params={"variant": "primitive"}).json()

    assert [head["options"] for head in usual["action_heads"]] == [list(OPTION_NAMES)]
    assert [head["options"] for head in walked["action_heads"]] == [list(PRIMITIVE_NAMES)]
    assert (usual["variant"], walked["variant"]) == (None, "primitive")


@pytest.mark.parametrize(
    ("world_id", "said"),
    [
        pytest.param("tidebreak", "; there are: compact", id="some"),
        pytest.param("prospector", "; it has none; leave it out", id="none"),
    ],
)
def test_an_unknown_variant_is_told_with_those_there_are(client: httpx.Client, world_id: str, said: str) -> None:
    asked = client.get(f"/api/worlds/{world_id}", params={"variant": "upside-down"})
    played = client.post("/api/play/session", json={"world": world_id, "variant": "upside-down"})

    detail = f"no variant of {world_id!r} is called 'upside-down'{said}"
    assert (asked.status_code, asked.json()) == (404, {"detail": detail})
    assert (played.status_code, played.json()) == (404, {"detail": detail})


def test_a_session_is_played_in_a_variant_and_keeps_it_in_another_seat(client: httpx.Client) -> None:
    state = opened(client, world="townlet", variant="primitive", seed=4)
    world = client.get(path(state, "/world"))
    assert world.content == client.get("/api/worlds/townlet", params={"variant": "primitive"}).content
    assert len(state["action_mask"]) == len(state["action_reasons"]) == world.json()["n_actions"]

    moved = client.post(path(state, "/reset"), json={"seed": 4, "seat": 3}).json()
    refused = client.post(path(state, "/reset"), json={"seat": 99})

    assert (moved["seat"], moved["seed"], moved["config_hash"]) == (3, 4, state["config_hash"])
    assert moved["render_state"]["seat"] == 3
    assert refused.status_code == 422
    assert refused.json() == {"detail": "seat 99 does not exist; 'townlet' has 0..15"}
    assert client.get(path(state, "")).json()["seat"] == 3


def test_a_variant_and_a_configuration_contradict_one_another(client: httpx.Client) -> None:
    answer = client.post("/api/play/session", json={"world": "townlet", "variant": "full", "config": {"x": 1}})

    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "variant is 'full' and config is given, too; give one",
    )


def test_a_replay_is_described_in_the_configuration_it_was_recorded_in(client: httpx.Client) -> None:
    replays = f"/api/runs/{TRAINED}/replays"
    newest = client.get(replays).json()["replays"][0]["replay_id"]

    told = client.get(f"{replays}/{newest}/world")

    assert told.status_code == 200
    world = load_world("prospector")
    config = client.get(f"{replays}/{newest}").json()["meta"]["config"]
    assert json.loads(told.content) == json.loads(descriptor(world, parse_config(world.id, world.config_type, config)))
