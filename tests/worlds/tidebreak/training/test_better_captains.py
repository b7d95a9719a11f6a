"""The hunter and the stalker beat the scripts that policies are trained to beat."""

import pytest

from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.learn.evaluation.matchups import MatchupResult, evaluate_against_scripts
from diorama.training.presets import load_preset

SEEDS = 61_000_000


def _met(preset: str, bot: str, script: str, battles: int) -> MatchupResult:
    config = load_preset("tidebreak", preset).values["config"]
    assert isinstance(config, dict)
    venue = open_venue("tidebreak", config)
    contender = bot_contender(venue.world, bot)
    seeds = range(SEEDS, SEEDS + battles)
    return evaluate_against_scripts(venue, contender, [script], seeds, progress=SilentProgress())[0]


def test_a_hunter_beats_an_aggressor_and_is_not_hit() -> None:
    met = _met("default", "hunter", "aggressor", 3)

    assert (met.matches, met.score, met.survival) == (3, 1.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("script", ["idle", "drifter", "aggressor", "kiter", "evader"])
def test_a_hunter_beats_whom_the_default_preset_meets(script: str) -> None:
    met = _met("default", "hunter", script, 40)

    assert met.interval[0] > 0.5


@pytest.mark.slow
def test_a_stalker_beats_an_ambusher_from_either_side() -> None:
    met = _met("submarine", "stalker", "ambusher", 30)

    assert met.matches == 60
    assert met.interval[0] > 0.5
