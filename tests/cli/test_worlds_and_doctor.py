"""`diorama worlds` and `diorama doctor`."""

import json

import pytest
from typer.testing import CliRunner

from diorama.cli.app import app
from diorama.cli.examination import WorldHealth, examine
from diorama.contracts.descriptor import describe_world
from diorama.contracts.tiers import Tier
from diorama.worlds.registry import load_world, world_ids


def output(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_worlds_are_listed_with_their_summaries() -> None:
    lines = output("worlds").splitlines()

    assert [line.split()[0] for line in lines] == list(world_ids())
    assert lines[0].endswith(load_world("prospector").summary)


def test_world_ids_can_be_had_as_json() -> None:
    assert json.loads(output("worlds", "--format", "json")) == list(world_ids())


def test_a_contract_shows_every_field_action_metric_event_and_bot() -> None:
    world = load_world("prospector")
    spec = world.describe(world.config_type())
    shown = output("worlds", "prospector")
    words = shown.replace(",", " ").split()

    names = [
        *spec.option_names,
        *spec.metric_keys,
        *spec.event_names,
        *world.bots,
        *(item.name + str(list(item.shape) if item.shape else "") for item in spec.observation if len(item.shape) < 2),
        *world.config_type.model_fields,
    ]
    assert [name for name in names if name not in words] == []
    assert "neighbors[6, 7]" in shown


def test_the_descriptor_can_be_had_as_json_in_any_configuration() -> None:
    world = load_world("prospector")
    config = world.config_type.model_validate({"time_max": 500})

    shown = json.loads(output("worlds", "prospector", "--format", "json", "--config", "time_max=500"))

    assert shown == json.loads(json.dumps(describe_world(world, config)))


def test_the_doctor_tells_what_runs() -> None:
    found = json.loads(output("doctor", "--format", "json"))

    assert found["worlds"]["prospector"]["reference"] == {"runs": True, "why_not": None}
    assert set(found["worlds"]["prospector"]) == {"reference", "fast"}
    assert found["system"]["cores"] >= 1
    assert found["packages"]["numpy"] is not None
    assert isinstance(found["gpu"], str)


def test_the_doctors_words_say_the_same() -> None:
    shown = output("doctor")

    assert "world prospector\n  reference  runs\n" in shown
    assert f"cores        {examine().system['cores']}\n" in shown


@pytest.mark.parametrize(
    ("troubles", "can_run"),
    [
        pytest.param({Tier.REFERENCE: None, Tier.FAST: "not built"}, True, id="readable-tier-only"),
        pytest.param({Tier.REFERENCE: "broken", Tier.FAST: "not built"}, False, id="none"),
    ],
)
def test_a_world_can_run_with_any_tier(troubles: dict[Tier, str | None], can_run: bool) -> None:
    assert WorldHealth(world="toy", troubles=troubles).can_run is can_run
