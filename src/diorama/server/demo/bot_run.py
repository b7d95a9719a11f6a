"""A run without training: every scripted baseline of a world plays the same episode."""

from pathlib import Path
from typing import Final

from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.operate.live.deciding.opening import default_policy
from diorama.runs.clock import Clock
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.untrained import untrained_metadata
from diorama.runs.windows.row import Totals
from diorama.runs.writer import create_run
from diorama.server.demo.tagging import tag_demo

_SEED: Final = 7
_MAX_STEPS: Final = 1500


class BotRun:
    """The bots' run; it stays open so that it can be the last to say something."""

    def __init__(self, runs_root: Path, run_id: str, world_id: str, clock: Clock) -> None:
        """Create the run.

        Raises:
            RunConflict: There is a run of that id.
            StorageError: The disk refuses.
        """
        self._venue = open_venue(world_id, threads=1)
        self._clock = clock
        self._writer = create_run(
            runs_root,
            untrained_metadata(self._venue, run_id, _SEED, clock),
            {"world": world_id, "bots": list(self.bots)},
            clock,
        )

    @property
    def bots(self) -> tuple[str, ...]:
        """Whose episodes can be recorded: first the one that knows best what to do here, then the others."""
        world = self._venue.world
        if not world.bots:
            return ()
        best = default_policy(world, self._venue.config)
        return (best, *(bot for bot in world.bots if bot != best))

    def record(self, bot: str) -> None:
        """Record the episode of a bot."""
        spec = self._venue.spec
        facts = PlayerFacts(kind=PlayerKind.BOT, name=bot, deterministic=True)
        plan = RecordingPlan(
            window_id=0,
            trainer_backend=TrainerBackend.RANDOM.value,
            players=(facts,) * spec.agents,
            checkpoint_env_steps_total=None,
            max_steps=_MAX_STEPS,
            include_info=False,
            milestones=dict(spec.milestones),
        )
        player = bot_contender(self._venue.world, bot).start(spec, spec.agents)
        entry = record_episode(self._writer.layout, self._venue, player, _SEED, plan, clock=self._clock)
        tagged = tag_demo(self._writer.layout, entry, self._clock, f"bot:{bot}")
        self._writer.keeper.replay_written(tagged.to_json())

    def close(self, *, is_complete: bool) -> None:
        """End the run."""
        with self._writer as writer:
            (writer.keeper.completed if is_complete else writer.keeper.stopped)(Totals())
