"""What tidebreak declares about matches, and the copies that play them."""

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import parse_config
from diorama.learn.evaluation.venue import open_venue
from diorama.learn.matches.match import ANY_SIDE, LATEST
from diorama.learn.matches.matchmaker import Matchmaker
from diorama.learn.matches.source import Arena, MatchSource
from diorama.learn.settings.matches import SelfPlaySettings
from diorama.operate.training.layers import Layer, settings_of
from diorama.operate.training.plan import plan_training
from diorama.operate.training.presets import load_preset, preset_names
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.matches import CURRICULUM, MATCHES, SUITE
from diorama.worlds.tidebreak.reference.seats import EpisodePlan
from diorama.worlds.tidebreak.scenarios.named import load_scenario

DUEL = {"stage": 1, "seats": 2, "observation": "compact"}


def test_every_lesson_and_scene_is_a_configuration() -> None:
    overrides = [lesson for stage in CURRICULUM for lesson in stage.lessons]
    overrides += [{**side, **MATCHES.against("kiter")} for scene in SUITE.scenes for side in scene.sides]

    for changes in overrides:
        parse_config("tidebreak", TidebreakConfig, {**TidebreakConfig().model_dump(), **changes})

    assert len(CURRICULUM) == 12
    assert [stage.promote_at for stage in CURRICULUM][:2] == [0.90, 0.65]
    assert (len(SUITE.scenes), SUITE.episodes) == (8, 50)
    assert MATCHES.anchor in MATCHES.scripts
    for scene in SUITE.scenes:
        teams = {team.team_id for team in load_scenario(scene.name).teams}
        assert {side["side"] for side in scene.sides} == teams


@pytest.mark.parametrize("name", preset_names("tidebreak"))
def test_every_preset_is_a_plan(name: str) -> None:
    layers = [load_preset("tidebreak", name), Layer(source="WORLD", values={"world": "tidebreak"})]

    assert plan_training(settings_of(layers)).spec.world == "tidebreak"


@pytest.mark.parametrize(
    "config", [{"stage": 7, "seats": 5, "played": "all"}, {"scenario": "convoy_run", "seats": 9, "played": "all"}]
)
def test_the_sides_of_seats_are_those_of_their_ships(config: dict[str, object]) -> None:
    venue = open_venue("tidebreak", config)
    batch = venue.batch(venue.config, 1)
    batch.reset(seeds=[5])

    found = MATCHES.sides(TidebreakConfig.model_validate(config), batch.opening_record(0))

    episode = EpisodePlan(TidebreakConfig.model_validate(config)).episode(5)
    teams = [-1 if unit == 0 else episode.package.battle.units[unit - 1].team for unit in episode.seats]
    assert list(found) == teams
    assert {0, 1} <= set(teams)


def _arena(copies: int) -> Arena:
    rules = load_world("tidebreak").matches
    assert rules is not None
    maker = Matchmaker(rules, seed=3, self_play=SelfPlaySettings(scripts=("idle",), self_share=0.5), ladder=None)
    return Arena(open_venue("tidebreak", DUEL), maker, copies=copies, seed=3, memory_width=0)


def test_rows_of_opponents_take_no_part_in_learning() -> None:
    arena = _arena(12)
    source = MatchSource(arena, 0, 12)
    buffers = Buffers.allocate(arena.spec, 12)
    source.adopt(buffers)
    source.reset()
    mirrored = np.array([match.opponent == LATEST for match in arena.matches])
    assert 0 < mirrored.sum() < 12
    assert all((match.side == ANY_SIDE) != (match.opponent == LATEST) for match in arena.matches)

    noop = np.tile(np.array(arena.spec.noop, np.int32), (24, 1))
    source.step(noop, buffers)

    assert (buffers.alive.reshape(12, 2).sum(axis=1) == 1).all()
    shown = (buffers.obs.reshape(12, 2, -1) != 0.0).max(axis=2)
    assert shown[mirrored].all(), "both sides of a mirrored match see the battle"
    assert (shown[~mirrored].sum(axis=1) == 1).all()
    learners = np.array([match.side for match in arena.matches])[mirrored]
    assert set(learners) == {0, 1}
    assert (buffers.alive.reshape(12, 2)[mirrored].argmax(axis=1) == learners).all()


def test_opponents_change_when_an_episode_ends_and_no_sooner() -> None:
    arena = _arena(4)
    (source,) = MatchSource(arena, 0, 4).split(1)
    buffers = Buffers.allocate(arena.spec, 4)
    source.adopt(buffers)
    source.reset()
    noop = np.tile(np.array(arena.spec.noop, np.int32), (8, 1))
    before = arena.matches
    for step in range(1, 320):
        source.step(noop, buffers)
        results = arena.results_of(step)
        ended = {result.copy for result in results}
        for copy, (old, new) in enumerate(zip(before, arena.matches, strict=True)):
            assert new.number == old.number + (copy in ended)
            assert copy in ended or new == old
            assert (buffers.episode_start.reshape(4, 2)[copy].any()) == (copy in ended)
        before = arena.matches
    assert {match.number for match in before} == {1}, "a battle of stage 1 lasts 300 s"


def test_worlds_without_opponents_declare_none() -> None:
    assert load_world("prospector").matches is None
