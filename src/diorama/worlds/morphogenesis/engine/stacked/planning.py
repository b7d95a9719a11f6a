"""How the seeds that lanes meet are sorted into banks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup
from diorama.worlds.morphogenesis.engine.stacked.lanes import (
    Amplitude,
    Bank,
    GatePlan,
    Lane,
    PassPlan,
    SeedMath,
    SlotPlan,
)
from diorama.worlds.morphogenesis.engine.stacked.membership import Membership
from diorama.worlds.morphogenesis.engine.stacked.passes import SEED_MATH
from diorama.worlds.morphogenesis.engine.stacked.picking import Part, Picker
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed, is_isolated
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meeting:
    """A seed on a lane's way; `module` and `gate` are members."""

    lane: int
    seed: PlantedSeed
    module: int
    gate: int | None
    amplitude: Amplitude
    learns: bool
    is_isolated: bool
    is_straight: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans passes through the hosts that are enrolled, which `rows` names in order."""

    growing: Sequence[GrowingHost]
    rows: Sequence[int]
    membership: Membership
    math: SeedMath
    topology: Topology
    incubation: Incubation
    device: str

    @classmethod
    def of(
        cls, setup: EngineSetup, growing: Sequence[GrowingHost], rows: Sequence[int], membership: Membership
    ) -> Self:
        """Return the planner of an engine's rows."""
        return cls(
            growing=growing,
            rows=rows,
            membership=membership,
            math=SEED_MATH[setup.task.topology],
            topology=setup.task.topology,
            incubation=setup.incubation,
            device=setup.device,
        )

    def plan(self, lanes: Sequence[Lane], *, learns: bool) -> PassPlan:
        """Sort the seeds that lanes meet into banks.

        Args:
            lanes: Rows and what is special about them.
            learns: Whether gradients are asked for: of everything, but in a shadow lane of the incubated seed alone.
        """
        met: dict[str, list[_Meeting]] = {}
        for number, lane in enumerate(lanes):
            for slot_id, seed in self.growing[lane.row].seeds.items():
                meeting = self._meet(number, lane, slot_id, seed, learns=learns)
                if meeting is not None:
                    met.setdefault(slot_id, []).append(meeting)
        position = {row: place for place, row in enumerate(self.rows)}
        hosts = [position[lane.row] for lane in lanes]
        picker = Picker(self.membership.parameters)
        parts = [Part(host, learns and lane.shadow is None) for host, lane in zip(hosts, lanes, strict=True)]
        wishes = picker.wish_all(parts)
        slots = {slot_id: self._slot_plan(meetings, picker) for slot_id, meetings in met.items()}
        return PassPlan(
            picking=picker.picking(),
            wishes=wishes,
            hosts=None if hosts == list(range(len(self.rows))) else self._index(hosts),
            slots=slots,
            lanes=len(lanes),
            learning=sum(lane.shadow is None for lane in lanes) if learns else 0,
        )

    def learners(self) -> list[Lane]:
        """Return a lane for every seed that is incubated in the shadow."""
        if self.incubation != "shadow":
            return []
        return [
            Lane(row=row, shadow=slot_id)
            for row in self.rows
            for slot_id, seed in self.growing[row].seeds.items()
            if seed.stage is SeedStage.TRAINING and ("module", (row, slot_id)) in self.membership.places
        ]

    def _meet(self, number: int, lane: Lane, slot_id: str, seed: PlantedSeed, *, learns: bool) -> _Meeting | None:
        is_shadow, is_training = slot_id == lane.shadow, seed.stage is SeedStage.TRAINING
        amplitude = Amplitude(seed, 1.0 if is_training else lane.overrides.get(slot_id))
        module = self.membership.places.get(("module", (lane.row, slot_id)))
        if (
            module is None
            or amplitude.value == 0.0
            or (is_training and not is_shadow and self.incubation == "shadow")
            or not (is_training or seed.stage in CONTRIBUTING_STAGES)
        ):
            return None
        return _Meeting(
            lane=number,
            seed=seed,
            module=module,
            gate=self.membership.places.get(("gate", (lane.row, slot_id))),
            amplitude=amplitude,
            learns=learns and (lane.shadow is None or is_shadow),
            is_isolated=is_isolated(seed.stage, self.topology),
            is_straight=is_training and not is_shadow,
        )

    def _slot_plan(self, meetings: Sequence[_Meeting], picker: Picker) -> SlotPlan:
        alike: dict[object, list[_Meeting]] = {}
        for meeting in meetings:
            alike.setdefault(self.membership.structures[meeting.module], []).append(meeting)
        arranged = sorted(alike.values(), key=lambda together: self.math.arrange(together[0].seed.module))
        banks = [
            Bank(together[0].seed.module, tuple(Part(meeting.module, meeting.learns) for meeting in together))
            for together in arranged
        ]
        seeds = [meeting for together in arranged for meeting in together]
        return SlotPlan(
            lanes=self._index([meeting.lane for meeting in seeds]),
            residuals=self.math.compile(banks, picker),
            sources=tuple(meeting.amplitude for meeting in seeds),
            amplitudes=torch.zeros(len(seeds), device=self.device),
            gates=self._gates(seeds, picker),
            multiplies=self._flags([meeting.seed.operator is AlphaAlgorithm.MULTIPLY for meeting in seeds]),
            is_isolated=self._flags([meeting.is_isolated for meeting in seeds]),
            is_straight=self._flags([meeting.is_straight for meeting in seeds]),
        )

    def _gates(self, seeds: Sequence[_Meeting], picker: Picker) -> GatePlan | None:
        gated = [
            (place, Part(meeting.gate, meeting.learns))
            for place, meeting in enumerate(seeds)
            if meeting.gate is not None and not meeting.is_straight
        ]
        if not gated:
            return None
        wishes = picker.wish_all([part for _, part in gated])
        return GatePlan(places=self._index([place for place, _ in gated]), wishes=wishes)

    def _flags(self, flags: Sequence[bool]) -> Tensor | bool:
        return flags[0] if len(set(flags)) == 1 else torch.tensor(flags, device=self.device)

    def _index(self, numbers: list[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.int64, device=self.device)
