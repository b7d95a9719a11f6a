"""`ScoreboardService`: reads scoreboards, and has those play who have not, one world at a time."""

import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from diorama.contracts.config import parse_config
from diorama.contracts.spec import Better
from diorama.engine.venue import Venue
from diorama.server.errors import LimitReached
from diorama.server.models.champions import Score
from diorama.server.models.scoreboard import Scoreboard, ScoreboardMetric, ScoreboardRow
from diorama.training.scoreboard.board import open_board
from diorama.training.scoreboard.players import BoardPlayer, BoardRow, board_rows

_GRACE_SECONDS: Final = 10


class ScoreboardService:
    """May be used by several threads."""

    def __init__(self, runs_root: Path) -> None:
        """Start nothing yet."""
        self._root = runs_root
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._world: str | None = None

    def read(self, world_id: str) -> Scoreboard:
        """Return what is known of every player of a world.

        Raises:
            UnknownName: There is no such world.
        """
        board = open_board(self._root, world_id)
        rows, spec = board_rows(board), board.venue.spec
        is_playing = self._is_playing(world_id)
        world = board.venue.world
        usual = parse_config(world.id, world.config_type, {})
        waiting = [row.player for row in rows if row.entry is None and row.player.problem is None]
        current = waiting[0] if is_playing and waiting else None
        known = {metric.key: metric for metric in spec.metrics}
        return Scoreboard(
            world=world_id,
            interface_version=spec.interface_version,
            config=board.venue.config.model_dump(mode="json"),
            seeds=list(board.seeds),
            metrics=[
                ScoreboardMetric(
                    key=key,
                    label=known[key].label,
                    unit=known[key].unit,
                    better="lower" if known[key].better is Better.LOWER else "higher",
                )
                for key in spec.headline
            ],
            is_playable=board.is_played_in(Venue(world=world, config=usual).config_hash),
            is_playing=is_playing,
            rows=[_row(row, current) for row in rows],
        )

    def start(self, world_id: str) -> Scoreboard:
        """Let those play who have not, in a process of its own; does nothing while it is under way.

        Raises:
            UnknownName: There is no such world.
            LimitReached: The players of another world are at it.
        """
        open_board(self._root, world_id)
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                if self._world != world_id:
                    raise LimitReached(
                        f"the players of {self._world!r} are being evaluated; one world is at a time, try again later",
                        code="scoreboard_busy",
                        world=self._world,
                    )
            else:
                self._world = world_id
                # A session of its own: an interrupt at the terminal reaches the server, which then ends this.
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __package__, str(self._root), world_id],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,
                )
        return self.read(world_id)

    def close(self) -> None:
        """End what is under way; results that are known are kept."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.kill()
            process.wait(_GRACE_SECONDS)

    def _is_playing(self, world_id: str) -> bool:
        with self._lock:
            return self._process is not None and self._world == world_id and self._process.poll() is None


def _row(row: BoardRow, current: BoardPlayer | None) -> ScoreboardRow:
    player, entry = row.player, row.entry
    if entry is None:
        status = "unfit" if player.problem is not None else "playing" if player == current else "missing"
        return ScoreboardRow(
            name=player.name, kind=player.kind, run_id=player.run_id, status=status, problem=player.problem
        )
    return ScoreboardRow(
        name=entry.name,
        kind=entry.kind,
        run_id=player.run_id,
        status="known",
        episodes=entry.episodes,
        seed=entry.seed,
        scores={key: Score(**msgspec.structs.asdict(score)) for key, score in entry.scores.items()},
        replay_run_id=entry.run_id,
        replay_id=entry.replay_id,
        computed_at=entry.computed_at,
    )
