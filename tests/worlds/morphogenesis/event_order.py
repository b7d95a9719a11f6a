"""The order every recorded run must keep, as a checker that says what broke it."""

from collections.abc import Sequence

from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.contracts.payloads.analysis import LastActionSnapshot, ShapleySnapshot
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    SeedFossilizedPayload,
    SeedGateEvaluatedPayload,
    SeedPrunedPayload,
    SeedStageChangedPayload,
)

EPOCH_RANK = {
    "COUNTERFACTUAL_MATRIX_COMPUTED": 0,
    "EPOCH_COMPLETED": 1,
    "HOST_STABILIZED": 2,
    "SEED_GERMINATED": 3,
    "SEED_GATE_EVALUATED": 3,
    "SEED_STAGE_CHANGED": 3,
    "SEED_FOSSILIZED": 3,
    "SEED_PRUNED": 3,
    "GOVERNOR_ROLLBACK": 4,
    "REWARD_HACKING_SUSPECTED": 4,
    "last_action": 5,
    "EPISODE_OUTCOME": 6,
    "shapley_computed": 7,
}


def kind_of(event: TelemetryEvent) -> str:
    """Return the kind of an event; snapshots by their own."""
    if isinstance(event.data, LastActionSnapshot | ShapleySnapshot):
        return event.data.kind
    return event.event_type.name


def check_env_order(events: Sequence[TelemetryEvent]) -> None:
    """Fail where the events of one env, in the order they came, break the order of an epoch or of a lifecycle."""
    rank, epoch = -1, 0
    for before, event in zip((None, *events), events, strict=False):
        kind = kind_of(event)
        assert event.epoch is not None
        if event.epoch != epoch:
            rank, epoch = -1, event.epoch
        assert EPOCH_RANK[kind] >= rank, f"{kind} of epoch {epoch} came after rank {rank}"
        rank = EPOCH_RANK[kind]
        data, last = event.data, None if before is None else before.data
        if isinstance(data, SeedPrunedPayload):
            assert isinstance(last, SeedStageChangedPayload)
            assert last.to_stage == "PRUNED"
        if isinstance(data, SeedFossilizedPayload):
            assert isinstance(last, SeedStageChangedPayload)
            assert last.to_stage == "FOSSILIZED"
        if isinstance(last, SeedGateEvaluatedPayload) and last.passed:
            assert isinstance(data, SeedStageChangedPayload)
            assert data.to_stage == last.target_stage
