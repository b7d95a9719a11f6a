"""The metadata of a run without training: it only has replays."""

from diorama.engine.venue import Venue
from diorama.runs.clock import Clock, timestamp
from diorama.runs.metadata import RunMetadata, TrainerBackend


def untrained_metadata(venue: Venue, run_id: str, seed: int, clock: Clock) -> RunMetadata:
    """Return what such a run begins with, of one copy of the venue's world."""
    facts, now = venue.probe(), timestamp(clock.now())
    return RunMetadata(
        run_id=run_id,
        world=venue.spec.world,
        interface_version=venue.spec.interface_version,
        config_hash=venue.config_hash,
        trainer_backend=TrainerBackend.RANDOM,
        seed=seed,
        target_env_steps=0,
        window_env_steps=1,
        info_metric_keys=venue.spec.metric_keys,
        tier_requested=venue.tier,
        tier_selected=facts.tier_selected.value,
        tier_fallback_reason=facts.tier_fallback_reason,
        device="cpu",
        copies=1,
        policy_arch=None,
        started_at=now,
        updated_at=now,
    )
