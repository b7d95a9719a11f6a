"""`Recording`: a replay in the making."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from msgspec import UNSET

from diorama.contracts.errors import ConfigError
from diorama.contracts.records import StepRecord
from diorama.contracts.values import JsonObject, canonical_json
from diorama.engine.players import BatchPlayer, let_see
from diorama.engine.venue import Venue
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import Fork, ReplayEntry, headline_of
from diorama.runs.replays.frames import Frame
from diorama.runs.replays.index import add_to_index
from diorama.runs.replays.scene import Scene
from diorama.runs.replays.sidecar import MEMBER_FRAMES, PlayerFacts, Sidecar
from diorama.runs.replays.tags import Milestones, earned_tags
from diorama.runs.replays.writer import FrameWriter

Progress = Callable[[], None]  # called after every frame


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPlan:
    """Where a replay belongs and how it is made.

    Attributes:
        window_id: The window it shows.
        trainer_backend: Of the run.
        players: Who plays each seat.
        checkpoint_env_steps_total: Env steps of the run at the checkpoint that plays; None if none does.
        max_steps: Decisions after which the recording stops.
        include_info: Whether frames carry the world's `info`.
        milestones: Thresholds that earn tags, by metric.
    """

    window_id: int
    trainer_backend: str
    players: tuple[PlayerFacts, ...]
    checkpoint_env_steps_total: int | None
    max_steps: int
    include_info: bool
    milestones: Milestones


class Recording:
    """Frames go in, an entry of the index comes out."""

    def __init__(
        self, layout: RunLayout, venue: Venue, seed: int, plan: RecordingPlan, forked_from: Fork | None = None
    ) -> None:
        """Open the episode of a seed.

        Raises:
            ConfigError: The plan leaves nothing to play, or has not one player per seat.
            StorageError: The disk refuses.
        """
        if plan.max_steps < 1:
            raise ConfigError(f"max_steps is {plan.max_steps}; use 1 or more")
        if len(plan.players) != venue.spec.agents:
            raise ConfigError(f"{len(plan.players)} players for {venue.spec.agents} seats; name one for each")
        self.scene = Scene(venue, seed)
        self._layout = layout
        self._venue = venue
        self._plan = plan
        self._forked_from = forked_from
        self._opening = self.scene.render_state()
        self._writer = FrameWriter(layout.resolve(layout.relative(layout.replays)))
        self._return_total = 0.0
        self._ticks = 0
        self._last: StepRecord | None = None
        self._deciding: set[int] = set()

    @property
    def steps(self) -> int:
        """Frames so far."""
        return self._writer.frame_count

    @property
    def can_go_on(self) -> bool:
        """Whether there is anything left to record."""
        return not self.scene.is_over and self.steps < self._plan.max_steps

    def play(self, player: BatchPlayer, progress: Progress) -> None:
        """Let a player decide from here to the end of the recording; it must have been reset."""
        let_see(player, self.scene.extra)
        while self.can_go_on:
            moment = self.scene.step(player.act(*self.scene.view))
            frame = moment.frame(self.scene.render_state(), include_info=self._plan.include_info)
            self.keep(frame, moment.record)
            if arrived := self.scene.arrivals:
                player.reset(arrived, [self.scene.seed for _ in arrived])
            progress()

    def keep(self, frame: Frame, record: StepRecord) -> None:
        """Append a frame; `record` is the step it shows."""
        self._writer.add(frame)
        for reward in record.rewards:
            self._return_total += reward
        self._deciding.update(seat for seat, decision in enumerate(record.received) if decision is not None)
        self._ticks = frame.t
        self._last = record

    def finish(self, clock: Clock) -> ReplayEntry:
        """Put the replay into the run and return its entry; whoever finds the entry finds everything else.

        Raises:
            StorageError: The disk refuses.
        """
        if self._last is None:
            raise ConfigError("a replay without frames cannot be kept")
        replay_id = self._replay_id()
        self._writer.finish(self._layout.replay(replay_id))
        replace_document(self._layout.replay_sidecar(replay_id), self._sidecar(replay_id))
        tagging = partial(earned_tags, self.scene.spec, self._plan.milestones)
        return add_to_index(self._layout, self._entry(replay_id, self._last, clock), tagging, clock)

    def close(self) -> None:
        """Free the copy, and remove what was not finished."""
        self._writer.abandon()
        self.scene.close()

    def _replay_id(self) -> str:
        told: JsonObject = {
            "run": self._layout.run_id,
            "window": self._plan.window_id,
            "config": self._venue.config_hash,
            "seed": self.scene.seed,
            "actions": self._writer.actions_sha256,
            "forked_from": None if self._forked_from is None else self._forked_from.replay_id,
        }
        digest = hashlib.sha256(canonical_json(told).encode()).hexdigest()
        return f"replay-{self._plan.window_id:06d}-{digest[:8]}"

    def _sidecar(self, replay_id: str) -> Sidecar:
        players = list(self._plan.players)
        return Sidecar(
            replay_id=replay_id,
            run_id=self._layout.run_id,
            world=self.scene.spec.world,
            interface_version=self.scene.spec.interface_version,
            config=self._venue.config.model_dump(mode="json"),
            config_hash=self._venue.config_hash,
            seed=self.scene.seed,
            policy=players[0] if len(players) == 1 else UNSET,
            policies=players if len(players) > 1 else UNSET,
            initial_render_state=self._opening,
            frame_count=self._writer.frame_count,
            actions_sha256=self._writer.actions_sha256,
            member_frames=MEMBER_FRAMES,
            member_offsets=self._writer.member_offsets,
            forked_from=UNSET if self._forked_from is None else self._forked_from,
        )

    def _entry(self, replay_id: str, last: StepRecord, clock: Clock) -> ReplayEntry:
        spec = self.scene.spec
        # Seats that never decided anything were empty, and count only if all were.
        taking_part = [last.metrics[seat] for seat in sorted(self._deciding)] or last.metrics
        means = np.mean(np.array(taking_part, np.float64), axis=0).tolist()
        metrics: dict[str, float] = dict(zip(spec.metric_keys, means, strict=True))
        is_terminated = self.scene.is_over and any(last.terminated)
        end_reason = last.info.get("end_reason")
        return ReplayEntry(
            run_id=self._layout.run_id,
            world=spec.world,
            window_id=self._plan.window_id,
            replay_id=replay_id,
            replay_path=self._layout.relative(self._layout.replay(replay_id)),
            meta_path=self._layout.relative(self._layout.replay_sidecar(replay_id)),
            checkpoint_path=self._plan.players[0].checkpoint_path,
            tags=(),
            trainer_backend=self._plan.trainer_backend,
            seed=self.scene.seed,
            return_total=self._return_total,
            steps=self.steps,
            ticks=self._ticks,
            headline=headline_of(spec, metrics),
            metrics=metrics,
            terminated=is_terminated,
            truncated=self.scene.is_over and not is_terminated,
            end_reason=end_reason if self.scene.is_over and isinstance(end_reason, str) else None,
            checkpoint_env_steps_total=self._plan.checkpoint_env_steps_total,
            created_at=timestamp(clock.now()),
            forked_from=self._forked_from,
        )
