"""Runs, clocks and replays to test with; everything real but the clock."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunMetadata, TrainerBackend
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.writer import create_run

MOMENT = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
CONFIG_HASH = "c" * 64


class FakeClock:
    """Advances by one second whenever somebody looks at it."""

    def __init__(self) -> None:
        self._looks = 0

    def now(self) -> datetime:
        self._looks += 1
        return MOMENT + timedelta(seconds=self._looks)

    def seconds(self) -> float:
        self._looks += 1
        return float(self._looks)


def metadata(run_id: str = "run-a", **changes: object) -> RunMetadata:
    values: dict[str, object] = {
        "run_id": run_id,
        "world": "prospector",
        "interface_version": "prospector-v1",
        "config_hash": CONFIG_HASH,
        "trainer_backend": TrainerBackend.RANDOM,
        "seed": 3,
        "target_env_steps": 100,
        "window_env_steps": 10,
        "info_metric_keys": ("credits",),
        "tier_requested": "auto",
        "tier_selected": "fast",
        "tier_fallback_reason": None,
        "device": "cpu",
        "copies": 4,
        "policy_arch": None,
        "started_at": "2031-05-06T07:08:09.000Z",
        "updated_at": "2031-05-06T07:08:09.000Z",
    }
    return RunMetadata(**{**values, **changes})  # type: ignore[arg-type]


def empty_run(runs_root: Path, run_id: str = "run-a") -> RunLayout:
    with create_run(runs_root, metadata(run_id), {"world": "prospector"}, FakeClock()) as writer:
        return writer.layout


def prospector(**config: object) -> Venue:
    return open_venue("prospector", {"time_max": 600.0, **config}, threads=1)


def bot_plan(bot: str = "greedy_miner", **changes: object) -> RecordingPlan:
    values: dict[str, object] = {
        "window_id": 0,
        "trainer_backend": "random",
        "players": (PlayerFacts(kind=PlayerKind.BOT, name=bot, deterministic=True),),
        "checkpoint_env_steps_total": None,
        "max_steps": 400,
        "include_info": False,
        "milestones": {},
    }
    return RecordingPlan(**{**values, **changes})  # type: ignore[arg-type]


def recorded(
    layout: RunLayout, *, bot: str = "greedy_miner", seed: int = 7, venue: Venue | None = None, **plan: object
) -> ReplayEntry:
    """Record an episode of a bot as a replay of the run."""
    where = venue or prospector()
    player = bot_contender(where.world, bot).start(where.spec, where.spec.agents)
    return record_episode(layout, where, player, seed, bot_plan(bot, **plan), clock=FakeClock())
