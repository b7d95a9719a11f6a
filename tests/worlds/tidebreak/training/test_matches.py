"""What tidebreak declares about matches, and the copies that play them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.tiers import CoreRequest
from diorama.engine.make import make
from diorama.engine.tiers import build_core
from diorama.engine.venue import open_venue
from diorama.learn.selfplay.envs import SelfPlayEnvs
from diorama.learn.selfplay.league import League
from diorama.learn.selfplay.match import ANY_SIDE, LATEST
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.settings.selfplay import SelfPlaySettings
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, preset_names, settings_of
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.config import Played, TidebreakConfig
from diorama.worlds.tidebreak.matches import CURRICULUM, MATCHES, SUITE
from diorama.worlds.tidebreak.reference.seats import EpisodePlan
from diorama.worlds.tidebreak.scenarios.named import load_scenario
from tests.refusals import refused

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


def _league(copies: int, config: Mapping[str, object] | None = None, **self_play: Any) -> League:
    rules = load_world("tidebreak").matches
    assert rules is not None
    settings = SelfPlaySettings.model_validate({"scripts": ("idle",), "self_share": 0.5, **self_play})
    maker = Matchmaker(rules, seed=3, self_play=settings, curriculum=None)
    bots = [name for name in settings.scripts or () if name not in rules.scripts]
    return League(
        open_venue("tidebreak", {**DUEL, **(config or {})}),
        maker,
        copies=copies,
        seed=3,
        memory_width=0,
        bot_names=bots,
    )


def test_rows_of_opponents_take_no_part_in_learning() -> None:
    league = _league(12)
    source = SelfPlayEnvs(league, 0, 12)
    buffers = Buffers.allocate(league.spec, 12)
    source.adopt(buffers)
    source.reset()
    mirrored = np.array([match.opponent == LATEST for match in league.matches])
    assert 0 < mirrored.sum() < 12
    assert all((match.side == ANY_SIDE) != (match.opponent == LATEST) for match in league.matches)

    noop = np.tile(np.array(league.spec.noop, np.int32), (24, 1))
    source.step(noop, buffers)

    assert (buffers.alive.reshape(12, 2).sum(axis=1) == 1).all()
    shown = (buffers.obs.reshape(12, 2, -1) != 0.0).max(axis=2)
    assert shown[mirrored].all(), "both sides of a mirrored match see the battle"
    assert (shown[~mirrored].sum(axis=1) == 1).all()
    learners = np.array([match.side for match in league.matches])[mirrored]
    assert set(learners) == {0, 1}
    assert (buffers.alive.reshape(12, 2)[mirrored].argmax(axis=1) == learners).all()


@pytest.mark.parametrize("name", ["hunter", "stalker"])
def test_bots_play_the_seats_of_opponents_as_they_would_alone(name: str) -> None:
    copies = 4
    league = _league(copies, scripts=(name,), pool_every=None)
    shards = SelfPlayEnvs(league, 0, copies).split(2)
    parts = [Buffers.allocate(league.spec, 2) for _ in shards]
    for shard, part in zip(shards, parts, strict=True):
        shard.adopt(part)
        shard.reset()
    assert {match.opponent for match in league.matches} == {name}
    sides = [match.side for match in league.matches]
    assert set(sides) == {0, 1}
    venue = open_venue("tidebreak", {**DUEL, "played": "all"})
    battles = venue.batch(venue.config, copies)
    seeds = [shard.episode_seed(copy) for shard in shards for copy in range(2)]
    battles.reset(seeds=seeds)
    bots = [load_world("tidebreak").bots[name]() for _ in range(copies)]
    for bot, seed in zip(bots, seeds, strict=True):
        bot.reset(seed)
    noop = np.tile(np.array(league.spec.noop, np.int32), (2 * copies, 1))
    decisions = 0
    while not (battles.terminated | battles.truncated).any():
        np.testing.assert_array_equal(np.concatenate([part.obs for part in parts]), battles.obs)
        actions = noop.copy()
        for copy, (bot, side) in enumerate(zip(bots, sides, strict=True)):
            row = 2 * copy + list(MATCHES.sides(TidebreakConfig(**DUEL), battles.opening_record(copy))).index(1 - side)
            actions[row] = bot.act(battles.obs[row], battles.obs_u8[row], battles.masks[row])
        battles.step(actions)
        for shard, part in zip(shards, parts, strict=True):
            shard.step(noop[:4], part)

        decisions += 1
    assert decisions > 60, "long enough for a fight"


def test_an_opponent_without_a_seat_is_refused() -> None:
    league = _league(2, scripts=("hunter",), pool_every=None, config={"seats": 1})
    source = SelfPlayEnvs(league, 0, 2)
    source.adopt(Buffers.allocate(league.spec, 2))

    with refused(ConfigError, "opponent_has_no_seat", opponent="hunter", seats=1):
        source.reset()


def test_the_terms_of_a_learners_rewards_are_those_of_the_step_even_where_a_match_ends() -> None:
    league = _league(4)
    (source,) = SelfPlayEnvs(league, 0, 4).split(1)
    buffers = Buffers.allocate(league.spec, 4)
    source.adopt(buffers)
    source.reset()
    noop = np.tile(np.array(league.spec.noop, np.int32), (8, 1))
    ended = 0
    for step in range(1, 320):
        # Rewards of opponents are set to 0.
        learners = np.flatnonzero(buffers.alive)
        source.step(noop, buffers)

        terms = source.reward_terms()

        assert terms.shape == (8, len(source.reward_term_names))
        np.testing.assert_allclose(terms.sum(axis=1)[learners], buffers.rewards[learners], rtol=1e-5, atol=1e-5)
        ended += len(league.pop_results(step))
    assert ended > 0


def test_opponents_change_when_an_episode_ends_and_no_sooner() -> None:
    league = _league(4)
    (source,) = SelfPlayEnvs(league, 0, 4).split(1)
    buffers = Buffers.allocate(league.spec, 4)
    source.adopt(buffers)
    source.reset()
    noop = np.tile(np.array(league.spec.noop, np.int32), (8, 1))
    before = league.matches
    for step in range(1, 320):
        source.step(noop, buffers)
        results = league.pop_results(step)
        ended = {result.copy for result in results}
        for copy, (old, new) in enumerate(zip(before, league.matches, strict=True)):
            assert new.number == old.number + (copy in ended)
            assert copy in ended or new == old
            assert (buffers.episode_start.reshape(4, 2)[copy].any()) == (copy in ended)
        before = league.matches
    assert {match.number for match in before} == {1}, "a battle of stage 1 lasts 300 s"


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_parts_of_a_reward_are_told_for_every_row(tier: str) -> None:
    config = TidebreakConfig(stage=1, seats=2, played=Played.ALL, team_share=0.0)
    request = CoreRequest(copies=2, seed=4, threads=1, device="cpu")
    _, _, core = build_core(load_world("tidebreak"), config, tier, request)
    spec = load_world("tidebreak").describe(config)
    buffers = Buffers.allocate(spec, 2)
    core.reset([0, 1], None, buffers)

    core.step(np.tile(np.array(spec.noop, np.int32), (4, 1)), buffers)

    parts = MATCHES.parts_of(core, 2)
    assert parts.shape == (4, len(MATCHES.reward_parts))
    assert parts[:, MATCHES.reward_parts.index("time")].tolist() == [-1.0] * 4
    assert parts @ np.array(config.weights) == pytest.approx(buffers.rewards, abs=1e-7)


def test_what_was_seen_of_a_step_counts_the_learners_rows_alone() -> None:
    league = _league(12)
    (source,) = SelfPlayEnvs(league, 0, 12).split(1)
    buffers = Buffers.allocate(league.spec, 12)
    source.adopt(buffers)
    source.reset()

    source.step(np.tile(np.array(league.spec.noop, np.int32), (24, 1)), buffers)

    (seen,) = league.pop_stats(1)
    league.matchmaker.record_results([], [seen])
    fields = league.matchmaker.window_fields()
    assert (seen.decisions, seen.ended) == (12, 0)
    assert seen.parts[MATCHES.reward_parts.index("time")] == -12.0
    assert fields["time_shares"] == {
        "layer": {"surface": 1.0, "submerged": 0.0, "abyssal": 0.0},
        "emissions": {"silent": 0.0, "passive": 1.0, "active": 0.0},
    }
    assert fields["return_parts"] == dict.fromkeys(MATCHES.reward_parts, None), "no episode has ended"


def test_both_sides_of_a_fixed_battle_are_played() -> None:
    fixed = TidebreakConfig(scenario="corvette_duel")

    assert MATCHES.side_overrides(fixed) == ({"side": "blue"}, {"side": "red"})
    assert MATCHES.side_overrides(fixed.model_copy(update={"side": "red"})) == ()
    assert MATCHES.side_overrides(TidebreakConfig(stage=2)) == (), "the side is drawn with the battle"

    rules = load_world("tidebreak").matches
    assert rules is not None
    maker = Matchmaker(
        rules,
        seed=3,
        self_play=SelfPlaySettings(scripts=("idle",), pool_every=None),
        curriculum=None,
        side_overrides=MATCHES.side_overrides(fixed),
    )
    matches = [maker.draw_match(copy, 0) for copy in range(20)]
    assert {maker.overrides(match)["side"] for match in matches} == {"blue", "red"}


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_a_drawn_battle_ends_at_the_limit_that_is_asked_for(tier: str) -> None:
    batch = make("tidebreak", config={"stage": 2, "time_limit_s": 12, "opponents": "idle"}, tier=tier)
    batch.reset([5])

    steps = 0
    while not batch.truncated[0]:
        batch.step(np.array([batch.spec.noop], np.int32))
        steps += 1

    assert steps == 12
    with pytest.raises(ConfigError, match="time_limit_s needs a stage"):
        open_venue("tidebreak", {"scenario": "demo", "time_limit_s": 12})


def test_worlds_without_opponents_declare_none() -> None:
    assert load_world("prospector").matches is None
