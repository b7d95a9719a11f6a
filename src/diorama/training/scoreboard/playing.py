"""Lets players of a scoreboard play, and keeps their results and a replay of each."""

from collections.abc import Sequence
from dataclasses import asdict
from threading import Event
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.contracts.values import JsonObject
from diorama.engine.players import Contender
from diorama.learn.evaluation.episodes import Progress, play_episodes
from diorama.learn.evaluation.headline_scores import scores_of
from diorama.runs.champions import CardScore, open_champion
from diorama.runs.clock import Clock, timestamp
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.best_episode import GivenActions, best_episode
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.untrained import untrained_metadata
from diorama.runs.windows.row import Totals
from diorama.runs.writer import create_run
from diorama.training.scoreboard.board import Board, BoardEntry
from diorama.training.scoreboard.players import BoardPlayer, board_players

_REPLAY_CANDIDATES: Final = 4
_REPLAY_STEPS: Final = 2000


def missing_players(board: Board) -> list[BoardPlayer]:
    """Return who can play and has not."""
    return [
        player
        for player in board_players(board)
        if player.problem is None and board.result(player.kind, player.identity) is None
    ]


def play_missing(board: Board, *, clock: Clock, progress: Progress, stop: Event) -> list[BoardEntry]:
    """Let all players without a result play; each result is kept when it is known.

    Raises:
        DioramaError: The first thing that went wrong, after all others have played.
    """
    played: list[BoardEntry] = []
    failures: list[DioramaError] = []
    for player in missing_players(board):
        if stop.is_set():
            break
        try:
            played.append(play_one(board, player, clock=clock, progress=progress))
        except DioramaError as error:
            failures.append(error)
    if failures:
        raise failures[0]
    return played


def play_one(board: Board, player: BoardPlayer, *, clock: Clock, progress: Progress) -> BoardEntry:
    """Let a player play all seeds, record the best of the first few, and keep the result."""
    contender, venue = player.contender(board), board.venue
    progress.begin(player.name, len(board.seeds))
    limit = venue.world.evaluation.max_decisions
    records = play_episodes(venue, contender, board.seeds, max_decisions=limit, progress=progress)
    run_id, replay_id = _replay(board, player, contender, clock)
    scores = scores_of(venue.spec, records)
    entry = BoardEntry(
        name=player.name,
        kind=player.kind,
        identity=player.identity,
        episodes=len(board.seeds),
        scores={key: CardScore(**asdict(score)) for key, score in scores.items()},
        run_id=run_id,
        replay_id=replay_id,
        computed_at=timestamp(clock.now()),
    )
    board.keep(entry)
    return entry


def board_layout(board: Board, clock: Clock) -> RunLayout:
    """Return the run that holds replays of the board; it is made when it is first needed.

    Raises:
        StorageError: The disk refuses.
    """
    layout = run_layout(board.root, board.run_id)
    if not layout.directory.exists():
        metadata = untrained_metadata(board.venue, board.run_id, board.seeds[0], clock)
        config: JsonObject = {"world": board.venue.world.id, "config": board.venue.config.model_dump(mode="json")}
        with create_run(board.root, metadata, config, clock) as writer:
            writer.keeper.completed(Totals())
    return layout


def _replay(board: Board, player: BoardPlayer, contender: Contender, clock: Clock) -> tuple[str, str]:
    if player.kind == "champion" and player.run_id is not None:
        return player.run_id, open_champion(board.venue.world.id).card().replay_id
    layout, seeds = board_layout(board, clock), board.seeds[:_REPLAY_CANDIDATES]
    return board.run_id, _record_best(board, layout, player, contender, seeds, clock)


def _record_best(
    board: Board, layout: RunLayout, player: BoardPlayer, contender: Contender, seeds: Sequence[int], clock: Clock
) -> str:
    venue, is_script = board.venue, player.checkpoint is None
    steps = min(_REPLAY_STEPS, venue.world.evaluation.max_decisions)
    best = best_episode(venue, contender, seeds, max_steps=steps)
    facts = PlayerFacts(
        kind=PlayerKind.BOT if is_script else PlayerKind.CHECKPOINT,
        name=player.name,
        sha256=None if is_script else player.identity,
        deterministic=player.deterministic,
    )
    plan = RecordingPlan(
        window_id=0,
        trainer_backend=TrainerBackend.RANDOM.value,
        players=(facts,) * venue.spec.agents,
        checkpoint_env_steps_total=None,
        max_steps=steps,
        include_info=False,
        milestones={},
    )
    return record_episode(layout, venue, GivenActions(best.actions), best.seed, plan, clock=clock).replay_id
