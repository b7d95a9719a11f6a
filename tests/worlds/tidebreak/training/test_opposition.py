"""Evaluations in which a bot of the world plays the seats of the other side."""

import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.episodes import SilentProgress, play_episodes
from diorama.learn.evaluation.matchups import evaluate_against_scripts, match_results
from diorama.learn.evaluation.opposition import Opposition
from diorama.learn.evaluation.scores import score_episodes, score_rule
from tests.refusals import refused

SEEDS = range(620_000, 620_006)


def _duel(**config: object) -> Venue:
    given = {"stage": 2, "seats": 2, "observation": "compact", "decision_ticks": 10, "time_limit_s": 900}
    return open_venue("tidebreak", {**given, **config})


def test_what_one_side_wins_the_other_side_loses() -> None:
    venue = _duel(played="all")

    def wins(name: str, opponent: str, side: int) -> dict[int, float]:
        records = play_episodes(
            venue,
            bot_contender(venue.world, name),
            SEEDS,
            max_decisions=1_000,
            progress=SilentProgress(),
            opposition=Opposition(bot=opponent, side=side),
        )
        assert [record.seed for record in records] == list(SEEDS), "one seat of every battle"
        assert {record.policy for record in records} == {name}
        return {record.seed: record.metrics["win"] for record in records}

    ours, theirs = wins("hunter", "aggressor", 1), wins("aggressor", "hunter", 0)

    assert {seed: 1.0 - result for seed, result in theirs.items()} == ours
    assert sum(ours.values()) > 4.0, "the hunter is the better captain"


def test_a_bot_is_met_from_both_sides_and_a_script_from_the_drawn_one() -> None:
    venue = _duel()
    hunter = bot_contender(venue.world, "hunter")

    against_bot = match_results(venue, hunter, "stalker", SEEDS, progress=SilentProgress())
    against_script = match_results(venue, hunter, "idle", SEEDS, progress=SilentProgress())

    assert [seed for seed, _ in against_bot] == [*SEEDS, *SEEDS]
    assert [seed for seed, _ in against_script] == list(SEEDS)
    rule = score_rule(venue, scripts=("stalker", "idle"))
    scores = score_episodes(venue, hunter, rule, SEEDS, max_decisions=1_000, progress=SilentProgress())
    by_seed = {seed: [result for found, result in against_bot if found == seed] for seed in SEEDS}
    assert [sum(by_seed[seed]) / 2 for seed in SEEDS] == pytest.approx(
        [2 * score - result for score, (_, result) in zip(scores, against_script, strict=True)]
    )
    (whole,) = evaluate_against_scripts(venue, hunter, ("stalker",), SEEDS, progress=SilentProgress())
    assert (whole.matches, whole.score) == (12, sum(result for _, result in against_bot) / 12)


def test_a_bot_without_a_seat_is_refused() -> None:
    venue = _duel(seats=1)
    hunter = bot_contender(venue.world, "hunter")

    with refused(ConfigError, "opponent_has_no_seat", opponent="hunter", seats=1):
        match_results(venue, hunter, "hunter", SEEDS, progress=SilentProgress())
    with refused(UnknownName, "unknown_bot"):
        match_results(_duel(), hunter, "sleeper", SEEDS, progress=SilentProgress())
