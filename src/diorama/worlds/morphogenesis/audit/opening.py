"""Opens what a configuration asks for beyond the usual telemetry."""

from diorama.worlds.morphogenesis.audit.causal_log import AuditedStream
from diorama.worlds.morphogenesis.audit.phase_profile import ProfiledStream
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld


def open_audit(world: MorphogenesisWorld) -> None:
    """Write the causal log and the profile of a world where its configuration says so; call it before its first round.

    The state of the allocator is told where rounds are closed.
    """
    config = world.nursery.config
    if config.causal_log:
        AuditedStream(world)
    if config.phase_profile:
        ProfiledStream(world)
