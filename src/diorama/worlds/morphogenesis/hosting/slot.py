"""One slot: the operations on it and what happens to it by itself every step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import ALPHA_TARGET_VALUES, GerminationStyle
from diorama.worlds.morphogenesis.contracts.alpha import (
    ALPHA_TOLERANCE,
    DEFAULT_ALPHA_STEEPNESS,
    AlphaCurve,
    AlphaMode,
)
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS, BlueprintAction, Topology
from diorama.worlds.morphogenesis.contracts.errors import BlueprintError, LifecycleError
from diorama.worlds.morphogenesis.contracts.gates import GateLevel, GateResult
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.contracts.stages import COOLING_STAGES, SeedStage
from diorama.worlds.morphogenesis.contracts.timings import LifecycleTimings
from diorama.worlds.morphogenesis.hosting.gates import ADVANCE_TARGETS, GATE_OF_STAGE, evaluate_gate, refuse
from diorama.worlds.morphogenesis.hosting.reporting import (
    tell_fossilized,
    tell_gate,
    tell_germinated,
    tell_pruned,
    tell_stage,
)
from diorama.worlds.morphogenesis.hosting.seed_bed import LifecycleListener, SeedBed
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState

PRUNE_REASON: Final = "policy_prune"
FADE_STAGES: Final = frozenset({SeedStage.BLENDING, SeedStage.HOLDING})


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleRules:
    """How strict a run is with its seeds, and which gates it opens by itself."""

    timings: LifecycleTimings
    permissive_gates: bool = True
    auto_forward: frozenset[GateLevel] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedOrder:
    """What to plant; `tempo_epochs` is the length of the first ramp."""

    blueprint: BlueprintAction
    style: GerminationStyle
    tempo_epochs: int
    alpha_target: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp:
    """How alpha travels; 0 steps jump."""

    steps: int
    curve: AlphaCurve = AlphaCurve.LINEAR
    steepness: float = DEFAULT_ALPHA_STEEPNESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where the env stands when a seed is planted; the gain is over its control twin, where there is one."""

    epoch: int
    accuracy_pct: float | None = None
    gain_pp: float | None = None


class SeedSlot:
    """A slot and, where it is not empty, the state of its seed. Refused operations change nothing."""

    def __init__(
        self,
        slot_id: str,
        topology: Topology,
        rules: LifecycleRules,
        bed: SeedBed,
        listener: LifecycleListener,
        *,
        host_params: int,
    ) -> None:
        """Start empty."""
        self.slot_id = slot_id
        self.state: SeedState | None = None
        self.births = 0
        self._topology = topology
        self._rules = rules
        self._bed = bed
        self._listener = listener
        self._host_params = host_params
        self._initiator: Initiator = "policy"

    @property
    def stage(self) -> SeedStage:
        """Stage of the slot; DORMANT when it is empty."""
        return SeedStage.DORMANT if self.state is None else self.state.stage

    @property
    def cooldown_epochs(self) -> int:
        """Epochs until the slot is free again after a seed was removed; 0 where none was."""
        if self.state is None or self.state.stage not in COOLING_STAGES:
            return 0
        timings, waited = self._rules.timings, self.state.epochs_in_stage
        if self.state.stage is SeedStage.RESETTING:
            return max(0, timings.resetting_epochs - waited)
        embargo = timings.embargo_epochs - (waited if self.state.stage is SeedStage.EMBARGOED else 0)
        return max(0, embargo) + timings.resetting_epochs

    def clear(self) -> None:
        """Empty the slot for a new episode, without a word."""
        self.state = None
        self.births = 0

    def germinate(self, order: SeedOrder, seed_id: str, moment: Moment) -> bool:
        """Plant a seed; refused when the slot is not empty.

        Raises:
            BlueprintError: The blueprint does not grow in this topology.
        """
        if order.blueprint not in TOPOLOGY_BLUEPRINTS[self._topology]:
            raise BlueprintError(f"blueprint {order.blueprint.blueprint_id!r} does not grow in a {self._topology} host")
        if self.state is not None:
            return False
        state = SeedState(
            seed_id=seed_id,
            slot_id=self.slot_id,
            blueprint=order.blueprint,
            style=order.style,
            blend_tempo_epochs=order.tempo_epochs,
            chosen_alpha_target=order.alpha_target,
            germination_epoch=moment.epoch,
            acc_at_germination=moment.accuracy_pct,
            gain_at_germination=moment.gain_pp,
        )
        if not self._ask(GateLevel.G0, state).passed:
            return False
        params = self._bed.plant(self.slot_id, order.blueprint, order.style.traits.operator, self.births)
        state.metrics.seed_param_count, state.metrics.host_param_count = params, self._host_params
        state.transition(SeedStage.GERMINATED)
        self.state = state
        self.births += 1
        self._bed.set_stage(self.slot_id, SeedStage.GERMINATED)
        self._listener(tell_germinated(state))
        return True

    def begin_permanent(self, order: SeedOrder, seed_id: str) -> None:
        """Begin an episode with a fresh module that is permanent already, without a word; the slot must be empty."""
        state = SeedState(
            seed_id=seed_id,
            slot_id=self.slot_id,
            blueprint=order.blueprint,
            style=order.style,
            blend_tempo_epochs=order.tempo_epochs,
        )
        self._bed.plant(self.slot_id, order.blueprint, order.style.traits.operator, self.births)
        for stage in (SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING):
            self._bed.set_stage(self.slot_id, stage)
        params = self._bed.set_stage(self.slot_id, SeedStage.FOSSILIZED)
        state.metrics.seed_param_count, state.metrics.host_param_count = params, self._host_params
        state.enter(SeedStage.FOSSILIZED)
        state.alpha.settle(1.0)
        self._apply_alpha(state)
        self.state = state
        self.births += 1

    def check(self, gate: GateLevel) -> GateResult:
        """Ask a gate for a mask: nothing changes, nothing is emitted."""
        if self.state is None:
            return refuse(gate, "no_active_seed")
        if GATE_OF_STAGE.get(self.state.stage) is not gate:
            return refuse(gate, "not_germinated" if gate is GateLevel.G1 else "no_valid_transition")
        return self._ask(gate, self.state)

    def advance(self) -> GateResult:
        """Go on to TRAINING, BLENDING or HOLDING where the gate allows it."""
        state = self.state
        if state is None:
            return refuse(GateLevel.G0, "no_active_seed")
        if state.stage not in ADVANCE_TARGETS:
            return refuse(GATE_OF_STAGE.get(state.stage, GateLevel.G5), "no_valid_transition")
        target = ADVANCE_TARGETS[state.stage]
        result = self._ask(GATE_OF_STAGE[state.stage], state)
        self._listener(tell_gate(state, result, target))
        if result.passed:
            if target is SeedStage.BLENDING:
                self._begin_blending(state)
            elif target is SeedStage.HOLDING:
                state.alpha.settle(1.0)
                self._apply_alpha(state)
            self._enter(state, target)
        return result

    def fossilize(self) -> GateResult:
        """Make a seed in HOLDING permanent where the gate allows it."""
        state = self.state
        if state is None:
            return refuse(GateLevel.G5, "no_active_seed")
        if state.stage is not SeedStage.HOLDING:
            return refuse(GateLevel.G5, "no_valid_transition")
        result = self._ask(GateLevel.G5, state)
        improvement = state.metrics.total_improvement
        self._listener(tell_gate(state, result, SeedStage.FOSSILIZED))
        if result.passed:
            state.alpha.settle(1.0)
            self._apply_alpha(state)
            self._enter(state, SeedStage.FOSSILIZED)
            self._listener(tell_fossilized(state, improvement))
        return result

    def set_alpha_target(self, target: float, ramp: Ramp) -> bool:
        """Send a blended seed to another strength; the operator stays."""
        state = self.state
        if target not in ALPHA_TARGET_VALUES or state is None or not self._rests_blended(state):
            return False
        if state.stage is SeedStage.HOLDING:
            if target == 1.0:
                return True
            self._enter(state, SeedStage.BLENDING)
        state.alpha.retarget(target, ramp.steps, curve=ramp.curve, steepness=ramp.steepness)
        self._apply_alpha(state)
        return True

    def prune(self, ramp: Ramp, *, initiator: Initiator = "policy") -> bool:
        """Remove a seed that is not permanent: at once, or by fading it out first."""
        state = self.state
        if state is None or state.stage is SeedStage.FOSSILIZED or state.stage in COOLING_STAGES:
            return False
        if ramp.steps == 0 or state.alpha.alpha == 0.0 or state.stage not in FADE_STAGES:
            self._remove(state, PRUNE_REASON, initiator)
            return True
        if not self._rests_blended(state):
            return False
        if state.stage is SeedStage.HOLDING:
            self._enter(state, SeedStage.BLENDING)
        state.alpha.retarget(0.0, ramp.steps, curve=ramp.curve, steepness=ramp.steepness)
        state.prune_reason, self._initiator = PRUNE_REASON, initiator
        self._apply_alpha(state)
        return True

    def uproot(self, reason: str) -> bool:
        """Remove whatever grows here for the governor, who alone may take a permanent seed."""
        if self.state is None or self.state.stage in COOLING_STAGES:
            return False
        self._remove(self.state, reason, "governor")
        return True

    def step(self) -> None:
        """Do what happens by itself, once a step after the operation; at most one change of stage."""
        if self.state is not None and self.state.stage in _MECHANICS:
            _MECHANICS[self.state.stage](self, self.state)

    def _step_germinated(self, state: SeedState) -> None:
        if GateLevel.G1 in self._rules.auto_forward:
            self.advance()

    def _step_training(self, state: SeedState) -> None:
        has_dwelt = state.epochs_in_stage >= self._rules.timings.min_training_dwell
        if GateLevel.G2 in self._rules.auto_forward and has_dwelt:
            self.advance()

    def _step_blending(self, state: SeedState) -> None:
        state.alpha.step()
        self._apply_alpha(state)
        rests = state.alpha.alpha_mode is AlphaMode.HOLD
        if rests and state.alpha.alpha_target <= ALPHA_TOLERANCE and state.prune_reason is not None:
            self._remove(state, state.prune_reason, self._initiator)
        # A seed resting below full strength waits for another target: asking its gate would only fill the log.
        elif GateLevel.G3 in self._rules.auto_forward and rests and state.alpha.alpha_target >= 1.0 - ALPHA_TOLERANCE:
            self.advance()

    def _step_pruned(self, state: SeedState) -> None:
        self._enter(state, SeedStage.EMBARGOED)

    def _step_embargoed(self, state: SeedState) -> None:
        if state.epochs_in_stage >= self._rules.timings.embargo_epochs:
            self._enter(state, SeedStage.RESETTING)

    def _step_resetting(self, state: SeedState) -> None:
        if state.epochs_in_stage >= self._rules.timings.resetting_epochs:
            self.state = None
            self._enter(state, SeedStage.DORMANT)

    def _begin_blending(self, state: SeedState) -> None:
        state.alpha.settle(0.0)
        state.alpha.retarget(state.chosen_alpha_target, state.blend_tempo_epochs, curve=state.style.traits.curve)
        self._apply_alpha(state)

    def _rests_blended(self, state: SeedState) -> bool:
        return state.stage in FADE_STAGES and state.alpha.alpha_mode is AlphaMode.HOLD

    def _ask(self, gate: GateLevel, state: SeedState) -> GateResult:
        return evaluate_gate(gate, state, self._rules.timings, permissive=self._rules.permissive_gates)

    def _apply_alpha(self, state: SeedState) -> None:
        self._bed.set_alpha(self.slot_id, state.alpha.alpha, frozen=state.alpha.alpha_mode is AlphaMode.DOWN)

    def _enter(self, state: SeedState, target: SeedStage) -> None:
        delta = state.metrics.improvement_since_stage_start
        if not state.transition(target):
            raise LifecycleError(f"slot {self.slot_id!r} cannot go from {state.stage.name} to {target.name}")
        if target not in COOLING_STAGES and target is not SeedStage.DORMANT:
            state.metrics.seed_param_count = self._bed.set_stage(self.slot_id, target)
        self._listener(tell_stage(state, delta))

    def _remove(self, state: SeedState, reason: str, initiator: Initiator) -> None:
        # The module goes first: a listener that fails must not keep it alive.
        self._bed.detach(self.slot_id)
        delta, improvement = state.metrics.improvement_since_stage_start, state.metrics.total_improvement
        blending_delta = state.blending_delta
        state.enter(SeedStage.PRUNED)
        state.alpha.settle(0.0)
        self._listener(tell_stage(state, delta))
        self._listener(tell_pruned(state, reason, initiator, improvement, blending_delta))


_MECHANICS: Final[dict[SeedStage, Callable[[SeedSlot, SeedState], None]]] = {
    SeedStage.GERMINATED: SeedSlot._step_germinated,
    SeedStage.TRAINING: SeedSlot._step_training,
    SeedStage.BLENDING: SeedSlot._step_blending,
    SeedStage.PRUNED: SeedSlot._step_pruned,
    SeedStage.EMBARGOED: SeedSlot._step_embargoed,
    SeedStage.RESETTING: SeedSlot._step_resetting,
}
