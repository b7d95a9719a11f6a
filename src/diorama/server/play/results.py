"""Keeps what people reach on the seeds of a scoreboard, verified, with a replay."""

from pathlib import Path

from diorama.contracts.errors import ReplayDiverged
from diorama.contracts.foreign_config import NO_FILE
from diorama.runs.champions import CardScore
from diorama.runs.clock import Clock, timestamp
from diorama.runs.quota import check_quota
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.server.play.exporting import PlayedSession, record_session
from diorama.training.scoreboard.board import BoardEntry, open_board
from diorama.training.scoreboard.playing import board_layout


def keep_result(root: Path, played: PlayedSession, clock: Clock) -> None:
    """Keep the result of a session whose seed and configuration are those of its world's scoreboard.

    Raises:
        ReplayDiverged: What was played does not come out again; nothing of it counts.
        QuotaReached: The directory of runs has taken what it may.
        StorageError: The disk refuses.
    """
    venue = played.setting.venue
    board = open_board(root, venue.world.id)
    if played.seed not in board.seeds or not board.is_played_in(played.setting.config_hash):
        return
    check_quota(root)
    layout = board_layout(board, clock)
    replay = record_session(played, layout, clock)
    verification = verify_replay(open_replay(layout, replay.replay_id), files=NO_FILE)
    if not verification.is_faithful:
        raise ReplayDiverged(
            f"session {played.session_id} does not come out again: {verification.divergence}",
            code="played_session_diverged",
            session_id=played.session_id,
        )
    entry = BoardEntry(
        name="Player",
        kind="person",
        identity=f"{played.session_id} {played.seed}",
        episodes=1,
        scores={
            key: CardScore(value=replay.metrics[key], low=replay.metrics[key], high=replay.metrics[key])
            for key in venue.spec.headline
        },
        run_id=board.run_id,
        replay_id=replay.replay_id,
        computed_at=timestamp(clock.now()),
        seed=played.seed,
    )
    board.keep(entry)
