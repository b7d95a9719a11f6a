"""Ghost steps: a holder who makes no headway while others wait goes to the end of the line."""

from diorama.worlds.townlet.codes import NOBODY, ConflictReason, FailReason
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.conflicts import record_conflict
from diorama.worlds.townlet.reference.systems.queues import assign_next, free, requeue, tell_lost_place


def holder_distances(town: Town) -> list[int]:
    """By object, how far its holder is from the use tile; -1 where nobody holds it."""
    return [
        -1 if state.holder == NOBODY else town.tables.paths.field(row.use_tile)[town.citizen(state.holder).tile]
        for row, state in zip(town.tables.objects, town.objects, strict=True)
    ]


def take_ghost_steps(town: Town, before: list[int], holders_before: list[int]) -> None:
    """Count blocked attempts, and rotate holders who have made too many; the end of the interact phase.

    Args:
        town: The town.
        before: `holder_distances` before anybody moved.
        holders_before: Who held each object then.
    """
    patience = town.config.queue_fairness.ghost_step_after
    now = holder_distances(town)
    for object_index, state in enumerate(town.objects):
        if state.holder == NOBODY:
            continue
        came_closer = state.holder == holders_before[object_index] and now[object_index] < before[object_index]
        if not state.queue or state.spec is not None or came_closer:
            state.stall = 0
            continue
        state.stall += 1
        if 0 < patience <= state.stall:
            _rotate(town, object_index)


def _rotate(town: Town, object_index: int) -> None:
    state = town.objects[object_index]
    actor = town.citizen(state.holder)
    waiting = len(state.queue)
    tell_lost_place(town, actor, object_index, FailReason.GHOST_STEP)
    free(town, object_index)
    requeue(town, actor, object_index)
    assign_next(town, object_index)
    town.queues.rotation_events += 1
    town.queues.ghost_step_events += 1
    record_conflict(town, object_index, actor, town.citizen(state.holder), ConflictReason.GHOST_STEP, waiting)
