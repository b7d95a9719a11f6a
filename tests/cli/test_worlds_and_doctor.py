"""`diorama worlds` and `diorama doctor`."""

import json

import pytest

from diorama.cli.examination import Examination, WorldHealth, examine
from diorama.contracts.descriptor import describe_world
from diorama.contracts.tiers import Tier
from diorama.worlds.registry import load_world, world_ids
from tests.cli.invoking import invoke


def output(*arguments: str) -> str:
    result = invoke(*arguments)
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
    shown = [line.split() for line in output("doctor").splitlines()]

    assert shown[shown.index(["world", "prospector"]) + 1] == ["reference", "runs"]
    assert ["cores", f"{examine().system['cores']}"] in shown


def test_the_doctors_words_stand_in_one_column_however_wide_lines_are() -> None:
    troubles: dict[Tier, str | None] = {
        Tier.REFERENCE: "a package that brings it is not installed here",
        Tier.FAST: None,
    }
    found = Examination(
        system={"cores": 2},
        packages={"torch": None},
        gpu="none",
        policies="torch",
        worlds=(WorldHealth(world="morphogenesis", troubles=troubles),),
        extras={"learn": [], "morphogenesis": ["scikit-learn", "torch"], "dev": ["pytest-timeout", "pytest-xdist"]},
    )

    assert found.words(44).splitlines() == [
        "cores            2",
        "torch            not installed",
        "gpu              none",
        "policies         torch",
        "world morphogenesis",
        "  reference      a package that brings it is",
        "                 not installed here",
        "  fast           runs",
        "extras",
        "  learn          complete",
        "  morphogenesis  lacks scikit-learn, torch",
        "  dev            lacks pytest-timeout,",
        "                 pytest-xdist",
    ]
    assert len(found.words().splitlines()) == 11


@pytest.mark.parametrize(
    ("troubles", "can_run"),
    [
        pytest.param({Tier.REFERENCE: None, Tier.FAST: "not built"}, True, id="readable-tier-only"),
        pytest.param({Tier.REFERENCE: "broken", Tier.FAST: "not built"}, False, id="none"),
    ],
)
def test_a_world_can_run_with_any_tier(troubles: dict[Tier, str | None], can_run: bool) -> None:
    assert WorldHealth(world="toy", troubles=troubles).can_run is can_run
