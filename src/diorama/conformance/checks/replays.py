"""Replays: an episode is recorded as runs record it, read back, and simulated again."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.conformance.walking import Chooser
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import Tier
from diorama.contracts.values import F32, I32, U8
from diorama.engine.venue import Venue
from diorama.runs.clock import SystemClock
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.reader import ReplayReader, open_entry
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.replays.verify import verify_replay

_STEPS: Final = 12


class AllowedPlayer:
    """Plays every row by chance, as its mask allows."""

    def __init__(self, spec: WorldSpec) -> None:
        """Begin a stream of draws."""
        self._chooser = Chooser(spec)

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row; a dead one has the no-op alone."""
        return np.array([self._chooser.decide(mask) for mask in masks], np.int32)

    def retire(self, rows: Sequence[int]) -> None:
        """Nothing to forget."""


def check_replays(subject: Subject, report: Report) -> None:
    """Record a few frames, and verify them in every tier."""
    with tempfile.TemporaryDirectory() as folder:
        layout = RunLayout(Path(folder) / "checked")
        layout.replays.mkdir(parents=True)
        reader = _record(subject, layout)
        report.note(f"{reader.frame_count} frames")
        for tier in subject.tiers:
            _verify(subject, report, reader, tier)


def _record(subject: Subject, layout: RunLayout) -> ReplayReader:
    venue = Venue(world=subject.world, config=subject.config, tier=subject.quickest.value, threads=1)
    plan = RecordingPlan(
        window_id=0,
        trainer_backend=TrainerBackend.RANDOM.value,
        players=(PlayerFacts(kind=PlayerKind.ACTIONS, name="allowed", deterministic=True),) * subject.spec.agents,
        checkpoint_env_steps_total=None,
        max_steps=_STEPS,
        include_info=True,
        milestones={},
    )
    entry = record_episode(layout, venue, AllowedPlayer(subject.spec), SEED, plan, clock=SystemClock())
    return open_entry(layout, entry)


def _verify(subject: Subject, report: Report, reader: ReplayReader, tier: Tier) -> None:
    verified = verify_replay(reader, tier=tier.value, with_pictures=True)
    report.expect(
        verified.is_faithful,
        f"simulated again in the {tier.value} tier, the replay is another: {verified.divergence}",
        fix="an episode must follow from its seed, configuration and decisions alone",
    )
