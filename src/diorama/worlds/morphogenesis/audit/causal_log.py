"""The causal log: every change of a network with the decision it came from, between the events it explains."""

from dataclasses import asdict, replace
from typing import Final

from diorama.worlds.morphogenesis.audit.chains import MECHANICAL, ROLLBACK, SeenBefore, action_id, chain_of, look
from diorama.worlds.morphogenesis.audit.relay import RelayStream
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.events import Severity, TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import LastActionSnapshot
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.health import (
    CausalPhase,
    GovernorRollbackPayload,
    MorphologyCausalLogPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    SeedFossilizedPayload,
    SeedGateEvaluatedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
    SeedStageChangedPayload,
)
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.safety.pre_flight import APPROVED

MASKED: Final = "mask"
"""The factor that blocks what the masks forbid; the governor's own factors come after it."""
LineagePayload = SeedGerminatedPayload | SeedStageChangedPayload | SeedFossilizedPayload | SeedPrunedPayload
"""Events of a seed that carry the ids of their chain; that a gate was asked has none."""
_COOLING: Final = frozenset({SeedStage.EMBARGOED.name, SeedStage.RESETTING.name, SeedStage.DORMANT.name})
"""Stages a slot passes through by itself once its seed is gone."""
_ORDERED: Final[dict[LifecycleOp, frozenset[str]]] = {
    LifecycleOp.WAIT: frozenset(),
    LifecycleOp.GERMINATE: frozenset({SeedStage.GERMINATED.name}),
    LifecycleOp.SET_ALPHA_TARGET: frozenset({SeedStage.BLENDING.name}),
    LifecycleOp.PRUNE: frozenset({SeedStage.PRUNED.name, SeedStage.BLENDING.name}),
    LifecycleOp.FOSSILIZE: frozenset({SeedStage.FOSSILIZED.name}),
    LifecycleOp.ADVANCE: frozenset({SeedStage.TRAINING.name, SeedStage.BLENDING.name, SeedStage.HOLDING.name}),
}
"""Stages an operation leads its own slot to; whatever else happens there happens by itself."""


class AuditedStream(RelayStream):
    """Stands before the stream of a world and writes the causal log into it.

    The log is of the run, not of a copy: what a replay compares is the same with it and without.
    """

    def __init__(self, world: MorphogenesisWorld) -> None:
        """Take the place of a world's stream."""
        super().__init__(world)
        self._seen: dict[int, SeenBefore] = {}
        self._opened: set[int] = set()
        self._last_id = ""
        self._inner.listen(self._note)

    def emit(
        self,
        kind: TelemetryEventType,
        data: Payload,
        *,
        row: int | None = None,
        epoch: int | None = None,
        seed_id: str | None = None,
        slot_id: str | None = None,
        message: str = "",
        severity: Severity = "info",
    ) -> None:
        """Hand an event on with its lineage, the links that lead to it before and those that follow after."""
        env = None if row is None else self._world.envs[row]
        if env is not None and env.row in self._seen:
            if isinstance(data, LineagePayload | SeedGateEvaluatedPayload):
                self._open(env, data.slot_id)
            elif isinstance(data, LastActionSnapshot):
                self._open(env, data.slot_id or "")
            data = self._with_lineage(env, data)
        super().emit(
            kind, data, row=row, epoch=epoch, seed_id=seed_id, slot_id=slot_id, message=message, severity=severity
        )
        if env is not None and env.row in self._seen:
            self._follow(env, data)

    def begin_step(self) -> None:
        """Begin a step: remember what every env looks like before it is decided for."""
        super().begin_step()
        nursery = self._world.nursery
        self._opened.clear()
        self._seen = {env.row: look(nursery, env) for env in self._world.envs} if self._world.is_open else {}

    def _note(self, event: TelemetryEvent) -> None:
        self._last_id = event.event_id

    def _open(self, env: Env, slot_id: str) -> None:
        """Write the head of a chain: what was proposed, what the governor said, and that it goes to its slot."""
        spec = env.record.action_spec
        sampled = LifecycleOp(spec.op_idx)
        if env.row in self._opened or self._seen[env.row].has_panicked or sampled is LifecycleOp.WAIT:
            return
        self._opened.add(env.row)
        where = spec.target_slot or slot_id
        self._log(env, "proposal", where, sampled.name)
        is_approved = spec.action_for_reward is sampled
        blocked = None if is_approved else MASKED if not spec.action_valid_for_reward else "pre_flight"
        reason = APPROVED if is_approved else f"{sampled.name} on {where or 'no slot'}: {blocked} does not hold"
        self._log(
            env,
            "verdict",
            where,
            sampled.name,
            governor_approved=is_approved,
            governor_reason=reason,
            governor_blocked_factor=blocked,
        )
        if is_approved:
            self._log(env, "dispatch", where, sampled.name)

    def _follow(self, env: Env, data: Payload) -> None:
        """Write the links that an event has just made true, each with its id."""
        seen, link = self._seen[env.row], self._last_id
        match data:
            case GovernorRollbackPayload():
                self._log(env, "rollback", "", ROLLBACK, watch_window_evidence=seen.losses, linked_event_id=link)
            case SeedPrunedPayload() if seen.has_panicked:
                self._log(env, "rollback", data.slot_id, ROLLBACK, linked_event_id=link)
            case SeedFossilizedPayload():
                self._log(env, "fossilization", data.slot_id, self._operation(env, data), linked_event_id=link)
            case SeedStageChangedPayload() if data.to_stage in _COOLING:
                self._log(env, "cooldown", data.slot_id, MECHANICAL, linked_event_id=link)
            case SeedGerminatedPayload() | SeedStageChangedPayload() if not seen.has_panicked:
                self._log(env, "mutation", data.slot_id, self._operation(env, data), linked_event_id=link)
            case LastActionSnapshot() if env.row in self._opened:
                phase: CausalPhase = "commit" if data.action_success else "audit"
                self._log(env, phase, data.slot_id or "", data.action_name, linked_event_id=link)

    def _operation(self, env: Env, data: LineagePayload) -> str:
        """Return what made a change: the operation that was decided, the governor, or nobody."""
        spec = env.record.action_spec
        if self._seen[env.row].has_panicked:
            return ROLLBACK if isinstance(data, SeedPrunedPayload) or _stage_after(data) == "PRUNED" else MECHANICAL
        op = spec.action_for_reward
        is_ordered = spec.target_slot == data.slot_id and _stage_after(data) in _ORDERED[op]
        return op.name if is_ordered else MECHANICAL

    def _with_lineage(self, env: Env, data: Payload) -> Payload:
        nursery, seen = self._world.nursery, self._seen[env.row]
        if isinstance(data, GovernorRollbackPayload):
            return replace(
                data,
                triggering_action_id=action_id(nursery, env, epochs_ago=1),
                watch_window_evidence=seen.losses,
                rollback_severity="critical" if data.reason == "governor_nan" else "warning",
            )
        if not isinstance(data, LineagePayload):
            return data
        chain = chain_of(nursery, env, seen, slot_id=data.slot_id, operation=self._operation(env, data))
        return replace(
            data,
            morphology_proposal_id=chain.proposal_id,
            morphology_verdict_id=chain.verdict_id,
            morphology_mutation_id=chain.mutation_id,
            rng_stream=chain.rng_stream,
            rng_seed=chain.rng_seed,
        )

    def _log(
        self,
        env: Env,
        phase: CausalPhase,
        slot_id: str,
        operation: str,
        *,
        governor_approved: bool | None = None,
        governor_reason: str | None = None,
        governor_blocked_factor: str | None = None,
        watch_window_evidence: tuple[float, ...] | None = None,
        linked_event_id: str | None = None,
    ) -> None:
        nursery, spec = self._world.nursery, env.record.action_spec
        chain = chain_of(nursery, env, self._seen[env.row], slot_id=slot_id, operation=operation)
        plants = operation == LifecycleOp.GERMINATE.name
        state = env.growth.slot(slot_id).state if slot_id else None
        planted = None if state is None else state.blueprint.blueprint_id
        payload = MorphologyCausalLogPayload(
            phase=phase,
            env_id=env.env_id,
            blueprint_id=BlueprintAction(spec.blueprint_idx).blueprint_id if plants else planted,
            governor_approved=governor_approved,
            governor_reason=governor_reason,
            governor_blocked_factor=governor_blocked_factor,
            watch_window_evidence=watch_window_evidence,
            linked_event_id=linked_event_id,
            **asdict(chain),
        )
        self._inner.emit(
            TelemetryEventType.MORPHOLOGY_CAUSAL_LOG, payload, epoch=nursery.epoch, slot_id=slot_id or None
        )


def _stage_after(data: LineagePayload) -> str:
    match data:
        case SeedGerminatedPayload():
            return SeedStage.GERMINATED.name
        case SeedStageChangedPayload():
            return data.to_stage
        case SeedFossilizedPayload():
            return SeedStage.FOSSILIZED.name
        case SeedPrunedPayload():
            return SeedStage.PRUNED.name
