"""All slots of one env: planting by index, the clock, the mechanical advance and the reports."""

from collections.abc import Mapping, Sequence

from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.gates import GateResult
from diorama.worlds.morphogenesis.contracts.seeds import SeedStateReport
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.stages import SeedStage, is_attached, is_contributing
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading
from diorama.worlds.morphogenesis.hosting.seed_bed import LifecycleListener, SeedBed
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
from diorama.worlds.morphogenesis.hosting.slot import LifecycleRules, Moment, SeedOrder, SeedSlot


class Growth:
    """The slots of one env, in action index order.

    `snapshot_requested` is raised by a seed that became permanent; whoever takes the snapshot lowers it.
    """

    def __init__(
        self,
        config: SlotConfig,
        topology: Topology,
        rules: LifecycleRules,
        bed: SeedBed,
        listener: LifecycleListener,
        *,
        host_params: int,
        execution_order: Sequence[str],
    ) -> None:
        """Start with empty slots. `execution_order` may name slots that are not enabled."""
        self.config = config
        self.rules = rules
        self.host_params = host_params
        self.seeds_created = 0
        self.snapshot_requested = False
        self.slots = tuple(
            SeedSlot(slot_id, topology, rules, bed, listener, host_params=host_params) for slot_id in config.slot_ids
        )
        enabled = set(config.slot_ids)
        self._execution_order = tuple(slot_id for slot_id in execution_order if slot_id in enabled)
        self._by_id = {slot.slot_id: slot for slot in self.slots}
        self._name = (0, 0)

    def reset(self, *, round_index: int, env_id: int) -> None:
        """Empty every slot for a new episode; the bed is emptied by its owner."""
        for slot in self.slots:
            slot.clear()
        self.seeds_created = 0
        self.snapshot_requested = False
        self._name = (round_index, env_id)

    def slot(self, slot_id: str) -> SeedSlot:
        """Return an enabled slot; `KeyError` for any other."""
        return self._by_id[slot_id]

    def germinate(self, slot_id: str, order: SeedOrder, moment: Moment) -> bool:
        """Plant a seed under the next name of the episode."""
        round_index, env_id = self._name
        seed_id = f"r{round_index}_env{env_id}_seed{self.seeds_created}"
        planted = self.slot(slot_id).germinate(order, seed_id, moment)
        self.seeds_created += planted
        return planted

    def fossilize(self, slot_id: str) -> GateResult:
        """Make a seed permanent and ask for a snapshot that holds it."""
        result = self.slot(slot_id).fossilize()
        self.snapshot_requested |= result.passed
        return result

    def tick(self, accuracy_pct: float, gain_pp: float | None, *, has_twin: bool) -> None:
        """Let one epoch pass for every slot that is not empty."""
        for state in self.states():
            state.tick()
            if is_attached(state.stage):
                state.record_accuracy(accuracy_pct, gain_pp, has_twin=has_twin)
        self._sum_neighbors()

    def record_gradients(self, readings: Mapping[str, GradientReading], *, epoch: int, max_epochs: int) -> None:
        """Note the gradients of the seeds that trained, by slot id."""
        for slot_id, reading in readings.items():
            state = self.slot(slot_id).state
            if state is not None and is_attached(state.stage):
                state.record_gradients(reading, epoch=epoch, max_epochs=max_epochs)

    def step(self) -> None:
        """Advance every slot mechanically, in slot index order."""
        for slot in self.slots:
            slot.step()

    def uproot(self, reason: str, *, keep: frozenset[str] = frozenset()) -> None:
        """Remove every seed for the governor but those in the slots to keep."""
        for slot in self.slots:
            if slot.slot_id not in keep:
                slot.uproot(reason)

    def states(self) -> tuple[SeedState, ...]:
        """Return the states of the slots that are not empty, in slot index order."""
        return tuple(slot.state for slot in self.slots if slot.state is not None)

    def reports(self) -> dict[str, SeedStateReport]:
        """Return a copy of every slot that is not empty, by slot id."""
        return {state.slot_id: state.report() for state in self.states()}

    def stages(self) -> tuple[SeedStage, ...]:
        """Return the stage of every slot, DORMANT where it is empty."""
        return tuple(slot.stage for slot in self.slots)

    def contributing(self) -> tuple[str, ...]:
        """Return the slots on the path to the output, in slot index order."""
        return tuple(
            state.slot_id for state in self.states() if is_contributing(state.stage) and state.alpha.alpha > 0.0
        )

    def total_params(self) -> int:
        """Return the parameters of the host and of everything attached to it."""
        grown = sum(state.metrics.seed_param_count for state in self.states() if is_attached(state.stage))
        return self.host_params + grown

    def _sum_neighbors(self) -> None:
        alphas = [
            0.0 if (state := self._by_id[slot_id].state) is None else state.alpha.alpha
            for slot_id in self._execution_order
        ]
        for place, slot_id in enumerate(self._execution_order):
            state = self._by_id[slot_id].state
            if state is not None:
                state.metrics.upstream_alpha_sum = sum(alphas[:place])
                state.metrics.downstream_alpha_sum = sum(alphas[place + 1 :])
