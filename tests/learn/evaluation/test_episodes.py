import numpy as np
import pytest

import diorama
from diorama.contracts.bots import Bot
from diorama.contracts.values import I32, U8
from diorama.engine.players import BotPlayer, Contender, ContenderKind, bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.episodes import MAX_COPIES_PER_CHUNK, SilentProgress, invalid_rows, play_episodes
from diorama.learn.evaluation.summary import EpisodeRecord
from diorama.worlds.registry import load_world
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.learn.evaluation.factories import RecordedProgress, ScriptedPlayer, toy_venue

HOLD, CASH_OUT = 6, 68


def play(venue: Venue, bot: str, seeds: list[int], max_decisions: int = 30_000) -> list[EpisodeRecord]:
    contender = bot_contender(venue.world, bot)
    return play_episodes(venue, contender, seeds, max_decisions=max_decisions, progress=SilentProgress())


def play_alone(bot: Bot, seed: int, reward_profile: str) -> tuple[float, int, int]:
    """Return, decisions and ticks of one episode, from a plain loop."""
    batch = diorama.make("prospector", config={"reward_profile": reward_profile})
    batch.reset(seeds=[seed])
    bot.reset(seed)
    total, decisions, ticks = 0.0, 0, 0
    while True:
        batch.step(np.array([bot.act(batch.obs[0], batch.obs_u8[0], batch.masks[0])]))
        total += float(batch.rewards[0])
        decisions += 1
        ticks += int(batch.dt[0])
        if batch.terminated[0] or batch.truncated[0]:
            return total, decisions, ticks


@pytest.mark.parametrize("bot", ["greedy_miner", "random_valid"])
def test_episodes_played_together_equal_episodes_played_alone(bot: str) -> None:
    seeds = [7, 8, 9, 10, 11]
    make_bot = load_world("prospector").bots[bot]

    records = play(open_venue("prospector"), bot, seeds)

    assert [record.seed for record in records] == seeds
    for record in records:
        for profile in ("v1", "v2"):
            total, decisions, ticks = play_alone(make_bot(), record.seed, profile)
            assert record.returns[profile] == pytest.approx(total, rel=1e-9)
            assert (record.decisions, record.ticks) == (decisions, ticks)


def test_returns_do_not_depend_on_the_profile_that_is_played() -> None:
    as_v1, as_v2 = (
        play(open_venue("prospector", {"reward_profile": name}), "greedy_miner", [3]) for name in ("v1", "v2")
    )

    assert as_v1 == as_v2


def test_both_tiers_give_the_same_records() -> None:
    reference, fast = (
        play(open_venue("prospector", tier=tier), "cautious_scanner", [5, 6]) for tier in ("reference", "fast")
    )

    assert reference == fast


def test_more_seeds_than_a_chunk_holds_are_played_in_order() -> None:
    seeds = list(range(500, 500 + MAX_COPIES_PER_CHUNK + 6))

    records = play(open_venue("prospector"), "cash_out", seeds)

    assert [record.seed for record in records] == seeds
    assert {(record.decisions, record.ticks, record.end_reason) for record in records} == {(1, 1, "cash_out")}


def test_a_record_keeps_how_the_episode_ended() -> None:
    (ended,) = play(open_venue("prospector"), "cash_out", [1])
    (cut,) = play(open_venue("prospector", {"time_max": 5}), "idle", [1])

    assert (ended.terminated, ended.truncated, ended.guard_truncated, ended.end_reason) == (
        True,
        False,
        False,
        "cash_out",
    )
    assert (cut.terminated, cut.truncated, cut.guard_truncated, cut.end_reason) == (False, True, False, "time_up")
    assert (cut.decisions, cut.metrics["survival"]) == (5, 1.0)


def test_an_episode_that_the_limit_cuts_off_is_marked() -> None:
    (record,) = play(open_venue("prospector"), "idle", [1], max_decisions=12)

    assert (record.terminated, record.truncated, record.guard_truncated, record.end_reason) == (
        False,
        False,
        True,
        None,
    )
    assert (record.decisions, record.ticks) == (12, 12)
    assert list(record.metrics) == list(open_venue("prospector").spec.metric_keys)


def test_an_episode_that_ends_at_the_limit_is_not_cut_off() -> None:
    (record,) = play(open_venue("prospector", {"time_max": 4}), "idle", [1], max_decisions=4)

    assert (record.truncated, record.guard_truncated) == (True, False)


def test_invalid_decisions_are_those_the_world_calls_invalid() -> None:
    venue = open_venue("prospector", {"time_max": 6})
    players: list[ScriptedPlayer] = []

    def start(_spec: object, rows: int) -> ScriptedPlayer:
        players.append(ScriptedPlayer(43, rows))
        return players[-1]

    sell_nothing = Contender(name="seller", kind=ContenderKind.RUN, start=start)
    records = play_episodes(venue, sell_nothing, [1, 2], max_decisions=100, progress=SilentProgress())

    assert [(record.invalid_actions, record.invalid_action_rate) for record in records] == [(6, 1.0)] * 2
    (player,) = players
    assert player.opened == [(0, 1), (1, 2)]
    assert player.retired == [0, 1]
    assert player.acts == 6


def test_rows_whose_episode_has_ended_send_the_no_op() -> None:
    """Seed 1 ends at once; if its row cashed out again, its later episodes would be counted."""
    venue = open_venue("prospector", {"time_max": 30})

    class FirstCashesOut(ScriptedPlayer):
        def act(self, obs: object, obs_u8: object, masks: object) -> I32:
            return np.array([[CASH_OUT], [HOLD]], np.int32)

    contender = Contender(name="pair", kind=ContenderKind.RUN, start=lambda _spec, rows: FirstCashesOut(HOLD, rows))
    first, second = play_episodes(venue, contender, [1, 2], max_decisions=100, progress=SilentProgress())

    assert (first.decisions, first.ticks, first.end_reason) == (1, 1, "cash_out")
    assert (second.decisions, second.end_reason) == (30, "time_up")


def test_progress_counts_every_episode_and_decision() -> None:
    venue, progress = open_venue("prospector"), RecordedProgress()

    records = play_episodes(
        venue, bot_contender(venue.world, "market_timer"), [1, 2, 3], max_decisions=20, progress=progress
    )

    assert progress.episodes == 3
    assert progress.decisions == sum(record.decisions for record in records)


def test_every_seat_of_a_copy_has_an_episode_of_its_own() -> None:
    records = play(toy_venue(length=3), "one", [10, 25])

    assert [(record.seed, record.seat) for record in records] == [(10, 0), (10, 1), (25, 0), (25, 1)]
    assert [record.decisions for record in records] == [3, 2, 3, 2]
    assert [record.returns["default"] for record in records] == [3.0, 2.0, 3.0, 2.0]
    assert [record.metrics["total"] for record in records] == [3.0, 2.0, 8.0, 7.0]
    assert {record.end_reason for record in records} == {None}


def test_an_action_is_invalid_if_any_head_rules_it_out() -> None:
    masks: U8 = np.array([[1, 1, 0, 1, 1]] * 6, np.uint8)
    actions: I32 = np.array([[0, 0], [2, 0], [3, 0], [-1, 1], [1, 2], [1, 1]], np.int32)

    invalid = invalid_rows(toy_spec(ToyConfig()), masks, actions)

    assert invalid.tolist() == [False, True, True, True, True, False]


def test_a_retired_bot_is_not_asked_again() -> None:
    class Counting:
        asked = 0

        def reset(self, episode_seed: int) -> None: ...

        def act(self, obs: object, obs_u8: object, mask: object) -> tuple[int, ...]:
            self.asked += 1
            return (0, 0)

    bots: list[Counting] = []

    def make_bot() -> Counting:
        bots.append(Counting())
        return bots[-1]

    player = BotPlayer(make_bot, toy_spec(ToyConfig()), rows=2)
    rows = (np.zeros((2, 1), np.float32), np.zeros((2, 2), np.uint8), np.ones((2, 5), np.uint8))

    player.reset([0, 1], [7, 7])
    player.act(*rows)
    player.retire([0])
    player.act(*rows)

    assert [bot.asked for bot in bots] == [1, 2]
