"""Baselines on the seed of a session: bounded in time, and played once."""

import asyncio
from pathlib import Path

import pytest

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import StopReason, Work, working
from diorama.engine.venue import open_venue
from diorama.server.models.play import CreateSession, Standing
from diorama.server.play.errors import SessionLimit
from diorama.server.play.standings import Rivalry, StandingsTable, bots_of
from tests.server.play_factories import ManualClock, play_service, toy_setting
from tests.server.toy_worlds import DUO


def belt(seed: int = 3, time_max: float = 200.0) -> Rivalry:
    return Rivalry(venue=open_venue("prospector", {"time_max": time_max}, threads=1), seed=seed, seat=0)


def played(table: StandingsTable, rivalry: Rivalry) -> list[Standing]:
    rivals = bots_of(rivalry.venue.world)
    for rival in rivals:
        table.play(rivalry, rival)
    return [table.standing(rivalry, rival) for rival in rivals]


def test_who_is_out_of_time_has_no_figures_and_may_play_later() -> None:
    table, rivalry = StandingsTable(), belt()

    for rival in bots_of(rivalry.venue.world):
        with pytest.raises(WorkStopped), working(Work(-1.0)):
            table.play(rivalry, rival)
    late = [table.standing(rivalry, rival) for rival in bots_of(rivalry.venue.world)]
    on_time = played(table, rivalry)
    with working(Work(-1.0)):
        kept = played(table, rivalry)

    assert {(row.finished, row.steps, len(row.metrics)) for row in late} == {(False, 0, 0)}
    assert all(row.finished and row.steps > 0 for row in on_time)
    assert kept == on_time


class FewChecks(Work):
    """Runs out of time at its ninth checkpoint."""

    checks = 0

    def check(self) -> None:
        self.checks += 1
        if self.checks > 8:
            self.stop(StopReason.OUT_OF_TIME)
        super().check()


def test_time_can_run_out_in_the_middle_of_an_episode() -> None:
    table, rivalry = StandingsTable(), belt(time_max=5000.0)
    (idle,) = [rival for rival in bots_of(rivalry.venue.world) if rival.identity == "idle"]

    with pytest.raises(WorkStopped), working(FewChecks(60.0)):
        table.play(rivalry, idle)

    assert not table.standing(rivalry, idle).finished


def test_another_seed_is_another_game() -> None:
    table = StandingsTable()

    first = {row.name: row.metrics for row in played(table, belt(3))}
    second = {row.name: row.metrics for row in played(table, belt(4))}

    assert first["greedy_miner"] != second["greedy_miner"]


def test_the_seat_that_is_played_is_compared() -> None:
    table = StandingsTable()
    venue = toy_setting(DUO, length=4).venue

    by_seat = [played(table, Rivalry(venue=venue, seed=0, seat=seat))[0] for seat in (0, 1)]

    assert [row.steps for row in by_seat] == [4, 3]
    assert [row.metrics["total"] for row in by_seat] == [4.0, 3.0]
    assert [row.return_total for row in by_seat] == [4.0, 3.0]


def test_who_does_not_wait_finds_the_rest_later(tmp_path: Path) -> None:
    async def run() -> None:
        play = play_service(tmp_path, ManualClock(), standings_seconds=0.0)
        session_id = (await play.create(CreateSession(seed=3, env_time_max=300))).session_id
        first = await play.counsel.standings(session_id, None)
        contests = play.counsel._contests
        await asyncio.gather(*contests._under_way.values())
        second = await play.counsel.standings(session_id, None)
        await play.close()
        assert (first.complete, second.complete) == (False, True)
        assert [row.name for row in first.rows] == [row.name for row in second.rows]
        assert contests._under_way == {}

    asyncio.run(run())


def test_only_so_many_games_are_compared_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        play = play_service(tmp_path, ManualClock(), standings_seconds=0.0)
        session_id = (await play.create(CreateSession(seed=0))).session_id
        try:
            for _ in range(32):
                await play.counsel.standings(session_id, None)
                await play.reset(session_id, None)
            with pytest.raises(SessionLimit, match="32 games are being compared"):
                await play.counsel.standings(session_id, None)
        finally:
            await play.close()

    asyncio.run(run())
