"""The town judged by the evaluator: everybody who lives there plays an episode of its own."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8
from diorama.engine.players import Contender, ContenderKind, bot_contender
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.contest import run_contest, seed_matrix
from diorama.learn.evaluation.episodes import SilentProgress, play_episodes
from tests.worlds.townlet.platform.restless import RESTLESS


class Notes:
    """A player that does nothing and writes down which rows are opened."""

    def __init__(self, spec: WorldSpec, rows: int) -> None:
        self.opened: list[int] = []
        self._actions: I32 = np.zeros((rows, len(spec.heads)), np.int32)

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        self.opened += rows

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        self._actions[:, 0] = masks.argmax(axis=1)
        return self._actions

    def retire(self, rows: Sequence[int]) -> None:
        """Nothing is kept per row."""


def test_newcomers_are_played_and_recorded() -> None:
    venue = open_venue("townlet", {**RESTLESS, "episode_ticks": 60}, tier="reference", threads=1)
    players: list[Notes] = []

    def start(spec: WorldSpec, rows: int) -> Notes:
        players.append(Notes(spec, rows))
        return players[-1]

    records = play_episodes(
        venue,
        Contender(name="notes", kind=ContenderKind.BOT, start=start),
        [3, 4],
        max_decisions=100,
        progress=SilentProgress(),
    )

    opened = Counter(players[0].opened)
    recorded = Counter((0 if record.seed == 3 else 16) + record.seat for record in records)
    assert opened == recorded
    assert len(records) > 2 * 8 + 6
    assert max(recorded.values()) > 1
    reasons = Counter(record.end_reason for record in records)
    assert set(reasons) == {"faint", None}
    assert all(record.terminated != record.truncated for record in records)
    assert all(record.decisions == record.ticks <= 60 for record in records)
    assert sum(record.ticks for record in records if record.truncated) > 0
    faint = [record for record in records if record.terminated]
    assert all(record.returns["town"] < -0.5 for record in faint)
    assert all(record.metrics["lived_days"] == (record.ticks - 1) / 1000 for record in faint)


def test_the_protocol_of_the_town_can_be_held() -> None:
    venue = open_venue("townlet", {"episode_ticks": 12}, tier="reference", threads=1)
    contest = run_contest(
        venue,
        [bot_contender(venue.world, name) for name in venue.world.bots],
        seed_matrix((7,), 1),
        max_decisions=100,
        progress=SilentProgress(),
    )

    assert [result.name for result in contest.results] == ["idle", "random_valid", "scripted"]
    for result in contest.results:
        assert result.aggregate.episodes == 8
        assert {"self_sufficiency_mean", "return_town_mean"} <= set(result.aggregate.values)
