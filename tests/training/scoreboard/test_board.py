"""Scoreboards: who is on them, that results are kept by policy, and what makes them missing again."""

from pathlib import Path
from threading import Event

import pytest

from diorama.engine.venue import open_venue
from diorama.learn.evaluation.contest import run_contest
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs import champions
from diorama.runs.clock import SystemClock
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import open_run
from diorama.training.evaluation import held_out_seeds, run_contender
from diorama.training.scoreboard import board as boards
from diorama.training.scoreboard.board import Board, BoardEntry, open_board
from diorama.training.scoreboard.players import board_rows
from diorama.training.scoreboard.playing import missing_players, play_missing
from diorama.worlds.registry import load_world
from tests.training.small_runs import small_plan, train_small


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    train_small(root, "mine", small_plan(steps=512))
    train_small(root, "dice", small_plan(steps=512, backend="random"))
    return root


@pytest.fixture
def short_episodes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let a board have no champion and a small world."""
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)
    monkeypatch.setattr(boards, "open_foreign_venue", lambda world, *_, **__: open_venue(world, {"time_max": 60.0}))


def play(board: Board) -> list[BoardEntry]:
    return play_missing(board, clock=SystemClock(), progress=SilentProgress(), stop=Event())


@pytest.mark.usefixtures("short_episodes")
def test_everyone_plays_the_same_seeds_once(root: Path) -> None:
    board = open_board(root, "prospector", 3)
    scripts = list(load_world("prospector").bots)

    assert [player.name for player in missing_players(board)] == [*scripts, "mine"]
    assert [entry.name for entry in play(board)] == [*scripts, "mine"]
    assert play(open_board(root, "prospector", 3)) == []
    assert [row.player.name for row in board_rows(board) if row.entry is None] == []
    contender = run_contender(open_run(root, "mine").layout, board.venue, deterministic=True)
    contest = run_contest(
        board.venue,
        [contender],
        [held_out_seeds(board.venue, 3)],
        max_decisions=board.venue.world.evaluation.max_decisions,
        progress=SilentProgress(),
    )
    mine = next(row.entry for row in board_rows(board) if row.player.name == "mine")
    assert mine is not None
    expected = sum(record.metrics["net_profit"] for record in contest.results[0].records) / 3
    assert mine.scores["net_profit"].value == pytest.approx(expected)
    assert mine.scores["net_profit"].low <= expected <= mine.scores["net_profit"].high


@pytest.mark.usefixtures("short_episodes")
def test_every_result_leads_to_a_replay_that_comes_out_again(root: Path) -> None:
    board = open_board(root, "prospector", 2)
    play(board)

    entries = [row.entry for row in board_rows(board)]

    for entry in entries:
        assert entry is not None
        assert (entry.run_id, entry.episodes) == ("scoreboard-prospector", 2)
        reader = open_replay(open_run(root, "scoreboard-prospector").layout, str(entry.replay_id))
        assert reader.sidecar.seed in board.seeds
        assert verify_replay(reader).is_faithful


@pytest.mark.usefixtures("short_episodes")
def test_a_policy_that_is_trained_on_plays_again(root: Path, tmp_path: Path) -> None:
    train_small(tmp_path / "runs", "mine", small_plan(steps=512))
    board = open_board(tmp_path / "runs", "prospector", 1)
    play(board)
    train_small(tmp_path / "runs", "other", small_plan(steps=512, seed=3))

    assert [player.name for player in missing_players(board)] == ["other"]
    assert open_board(tmp_path / "runs", "prospector", 2).key != board.key


@pytest.mark.usefixtures("short_episodes")
def test_a_result_that_is_broken_is_made_again(tmp_path: Path) -> None:
    board = open_board(tmp_path, "prospector", 1)
    play(board)
    broken = next((board.folder / "results").glob("*.json"))
    broken.write_text("{")

    assert len(missing_players(board)) == 1


@pytest.mark.usefixtures("short_episodes")
def test_a_run_that_sees_otherwise_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train_small(tmp_path, "mine", small_plan(steps=512))
    monkeypatch.setattr("diorama.training.scoreboard.players._problem", lambda board, path: "another observation")

    row = next(row for row in board_rows(open_board(tmp_path, "prospector", 1)) if row.player.name == "mine")

    assert (row.entry, row.player.problem) == (None, "another observation")


def test_the_board_is_played_in_the_configuration_of_the_champion_whatever_it_pays(tmp_path: Path) -> None:
    board = open_board(tmp_path, "prospector")
    card = champions.open_champion("prospector").card()

    assert board.venue.config_hash == card.config_hash
    assert board.seeds[0] == card.evaluation.first_seed
    assert board.is_played_in(Board(tmp_path, board.venue, board.seeds).venue.config_hash)
    world = load_world("prospector")
    for profile in ("v1", "v2"):
        assert board.is_played_in(open_venue(world.id, {"reward_profile": profile}).config_hash)
    assert not board.is_played_in(open_venue(world.id, {"time_max": 200.0}).config_hash)


@pytest.mark.usefixtures("short_episodes")
def test_results_of_people_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "PEOPLE_KEPT", 2)
    board = open_board(tmp_path, "prospector", 1)
    for number in range(4):
        board.keep(
            BoardEntry(
                name="Player",
                kind="person",
                identity=f"session-{number}",
                episodes=1,
                scores={},
                run_id=None,
                replay_id=None,
                computed_at=f"2026-01-0{number + 1}T00:00:00.000Z",
                seed=7,
            )
        )

    assert [entry.identity for entry in board.people()] == ["session-3", "session-2"]
