"""Who is on a scoreboard: scripts, the champion, and the newest runs of the world."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import diorama
from diorama.contracts.errors import CheckpointMismatch, DioramaError
from diorama.engine.players import Contender, bot_contender
from diorama.runs.champions import champion_address_id, champion_id, has_champion, open_champion
from diorama.runs.checkpoints.files import read_checkpoint_header
from diorama.runs.checkpoints.headers import PolicyCheckpoint, check_fits_world
from diorama.runs.metadata import RunMetadata, TrainerBackend
from diorama.runs.run import Run, open_run, run_ids
from diorama.training.champions.contender import load_contender
from diorama.training.run_directory import stored_settings
from diorama.training.scoreboard.board import Board, BoardEntry, Kind

RUNS_SHOWN: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlayer:
    """A script or a policy that plays all seeds of a board.

    Attributes:
        identity: What results are kept by: a policy that is trained on is another one.
        checkpoint: Of the policy; None for a script.
        deterministic: Whether a policy takes the likeliest option.
        run_id: The run or champion, as pages ask for it; None for a script.
        problem: Why it cannot play here; None where it can.
    """

    name: str
    kind: Kind
    identity: str
    checkpoint: Path | None = None
    deterministic: bool = True
    run_id: str | None = None
    problem: str | None = None

    def contender(self, board: Board) -> Contender:
        """Return it ready to play.

        Raises:
            DioramaError: Its files have changed or do not fit.
        """
        if self.checkpoint is None:
            return bot_contender(board.venue.world, self.name)
        contender, _, _ = load_contender(
            self.checkpoint, board.venue, deterministic=self.deterministic, sha256=self.identity
        )
        return contender


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """A line of a scoreboard; `entry` is None while the player has not played."""

    player: BoardPlayer
    entry: BoardEntry | None


def board_players(board: Board) -> list[BoardPlayer]:
    """Return the players of all seeds: scripts, the champion, then runs, the one updated last first."""
    world = board.venue.world
    scripts = [BoardPlayer(name=name, kind="script", identity=f"{name} {diorama.__version__}") for name in world.bots]
    champion = [_champion(world.id)] if has_champion(world.id) else []
    return [*scripts, *champion, *_runs(board)]


def board_rows(board: Board) -> list[BoardRow]:
    """Return every player with what is known, then people."""
    rows = [
        BoardRow(player=player, entry=board.result(player.kind, player.identity)) for player in board_players(board)
    ]
    people = [
        BoardRow(player=BoardPlayer(name=entry.name, kind="person", identity=entry.identity), entry=entry)
        for entry in board.people()
    ]
    return [*rows, *people]


def _champion(world_id: str) -> BoardPlayer:
    champion = open_champion(world_id)
    card = champion.card()
    return BoardPlayer(
        name=champion_id(world_id),
        kind="champion",
        identity=card.policy.sha256,
        checkpoint=champion.policy_path(),
        deterministic=card.deterministic,
        run_id=champion_address_id(world_id),
    )


def _runs(board: Board) -> list[BoardPlayer]:
    found = []
    for run_id in run_ids(board.root):
        run = open_run(board.root, run_id)
        try:
            metadata = run.metadata()
        except DioramaError:
            continue  # Study says what is wrong with it
        if metadata.world == board.venue.world.id and metadata.trainer_backend is TrainerBackend.PPO:
            found.append((metadata.updated_at, run, metadata))
    newest = sorted(found, key=lambda item: item[0], reverse=True)[:RUNS_SHOWN]
    return [player for _, run, metadata in newest if (player := _run(board, run, metadata)) is not None]


def _run(board: Board, run: Run, metadata: RunMetadata) -> BoardPlayer | None:
    latest = metadata.latest_checkpoint
    if latest is None:
        return None
    try:
        path, deterministic = run.layout.resolve(latest.path), stored_settings(run).evaluation.deterministic
        problem = _problem(board, path)
    except DioramaError as error:
        path, deterministic, problem = None, True, str(error)
    return BoardPlayer(
        name=run.run_id,
        kind="run",
        identity=latest.sha256,
        checkpoint=path,
        deterministic=deterministic,
        run_id=run.run_id,
        problem=problem,
    )


def _problem(board: Board, path: Path) -> str | None:
    header = read_checkpoint_header(path)
    if not isinstance(header, PolicyCheckpoint):
        return "it played at random"
    try:
        check_fits_world(header, board.venue.spec)
    except CheckpointMismatch as error:
        return str(error)
    return None
