"""A duel as a run: no training, and a replay for each side."""

from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.values import JsonObject
from diorama.engine.venue import Venue, open_venue
from diorama.runs.clock import Clock, SystemClock
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.best_episode import GivenActions
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.untrained import untrained_metadata
from diorama.runs.windows.row import Totals
from diorama.runs.writer import create_run
from diorama.worlds.morphogenesis.contract import WORLD_ID
from diorama.worlds.morphogenesis.rounds.controllers import CONTROLLER_NAMES
from diorama.worlds.morphogenesis.rounds.dueling import BY_HAND, Duel

PERSON: Final = "you"


def keep_duel(
    fought: Duel, names: tuple[str, str], run_root: Path, run_id: str, *, tier: str, clock: Clock | None = None
) -> list[str]:
    """Keep both sides as replays of a new run, and return the ids of the replays.

    A side is played from its recorded decisions, alone beside the same twin, so that both replays stand for themselves.

    Raises:
        RunConflict: There is a run of that id.
        StorageError: The disk refuses.
    """
    clock = clock or SystemClock()
    facts: JsonObject = {"world": WORLD_ID, "duel": list(names)}
    metadata = untrained_metadata(_venue(fought, BY_HAND, tier), run_id, _seed(fought), clock)
    with create_run(run_root, metadata, facts, clock) as writer:
        kept = []
        for side, name in enumerate(names):
            entry = _record(fought, side, name, writer.layout, tier=tier, clock=clock)
            writer.keeper.replay_written(entry.to_json())
            kept.append(entry.replay_id)
        writer.keeper.completed(Totals())
    return kept


def _record(fought: Duel, side: int, name: str, layout: RunLayout, *, tier: str, clock: Clock) -> ReplayEntry:
    decisions = np.array([[pair[side]] for pair in fought.taken], np.int32)
    plan = RecordingPlan(
        window_id=side,
        trainer_backend=TrainerBackend.RANDOM.value,
        players=(_facts(name),),
        checkpoint_env_steps_total=None,
        max_steps=len(decisions),
        include_info=True,
        milestones={},
    )
    return record_episode(layout, _venue(fought, side, tier), GivenActions(decisions), _seed(fought), plan, clock=clock)


def _venue(fought: Duel, side: int, tier: str) -> Venue:
    return open_venue(WORLD_ID, fought.config_of(side).model_dump(mode="json"), tier=tier, threads=1)


def _seed(fought: Duel) -> int:
    return fought.world.nursery.streams.root_key


def _facts(name: str) -> PlayerFacts:
    kinds = {PERSON: PlayerKind.HUMAN, **dict.fromkeys(CONTROLLER_NAMES, PlayerKind.BOT)}
    kind = kinds.get(name, PlayerKind.CHECKPOINT)
    return PlayerFacts(kind=kind, name=name, deterministic=kind is not PlayerKind.HUMAN)
