"""The native tier draws the same battles: every number of the resolved package has the same bits."""

import json
from functools import cache
from typing import TYPE_CHECKING

import pytest

from diorama.contracts.values import canonical_json
from diorama.native import load_native
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.resolve.catalogue import shipped_catalogue
from diorama.worlds.tidebreak.scenarios import STAGES, episode_stage, generate
from diorama.worlds.tidebreak.scenarios.lineup import TEAM_IDS

if TYPE_CHECKING:
    from diorama._native import TidebreakGenerator

STAGE_NUMBERS = [entry.number for entry in STAGES]
QUICK = (0, 1, 2**63 + 1, 2**64 - 1)
LONG = tuple((index * 0x9E3779B97F4A7C15 + 1) % 2**64 for index in range(400))


@cache
def generator() -> "TidebreakGenerator":
    made: TidebreakGenerator = load_native().TidebreakGenerator(shipped_catalogue())
    return made


@pytest.mark.parametrize(
    "seeds", [pytest.param(QUICK, id="quick"), pytest.param(LONG, id="long", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("number", STAGE_NUMBERS)
def test_both_tiers_draw_the_same_battle(number: int, seeds: tuple[int, ...]) -> None:
    for seed in seeds:
        scenario = generate(number, seed)
        expected = resolve(scenario.package).document.decode()

        found, side = generator().generate(number, seed)

        assert canonical_json(json.loads(found)) == expected, f"seed {seed}"
        assert TEAM_IDS[side] == scenario.agent_team_id


@pytest.mark.parametrize("number", STAGE_NUMBERS)
def test_both_tiers_draw_episodes_from_the_same_stages(number: int) -> None:
    seeds = range(500)

    found = [generator().episode_stage(number, seed) for seed in seeds]

    assert found == [episode_stage(number, seed) for seed in seeds]


def test_a_stage_that_does_not_exist_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="stage 13 does not exist; stages are 1 to 12"):
        generator().generate(13, 1)


def test_content_without_a_drawn_class_is_refused_in_one_line() -> None:
    document = json.loads(shipped_catalogue())
    document["classes"] = [unit for unit in document["classes"] if unit["hull"]["class_name"] != "frigate"]

    with pytest.raises(ValueError, match="the content has no class 'frigate'"):
        load_native().TidebreakGenerator(canonical_json(document).encode())
