"""How the seeds that lanes meet are sorted into banks."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.engine.stacked.lanes import Bank, Blend, Lane, PassPlan, SlotPlan
from diorama.worlds.morphogenesis.engine.stacked.seed_stacks import Place, Places
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed, is_isolated
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meeting:
    """A seed on a lane's way."""

    lane: int
    seed: PlantedSeed
    module: Place
    gate: Place | None
    amplitude: float
    learns: bool
    is_isolated: bool
    is_straight: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans passes through the hosts of a stack, which `rows` names in order."""

    growing: Sequence[GrowingHost]
    rows: Sequence[int]
    places: Places
    topology: Topology
    incubation: Incubation
    device: str

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
        return PassPlan(
            hosts=None if hosts == list(range(len(self.rows))) else self._index(hosts),
            slots={slot_id: self._slot_plan(meetings, len(lanes)) for slot_id, meetings in met.items()},
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
            if seed.stage is SeedStage.TRAINING and ("module", (row, slot_id)) in self.places
        ]

    def _meet(self, number: int, lane: Lane, slot_id: str, seed: PlantedSeed, *, learns: bool) -> _Meeting | None:
        is_shadow, is_training = slot_id == lane.shadow, seed.stage is SeedStage.TRAINING
        amplitude = 1.0 if is_training else lane.overrides.get(slot_id, seed.alpha)
        module = self.places.get(("module", (lane.row, slot_id)))
        if (
            module is None
            or amplitude == 0.0
            or (is_training and not is_shadow and self.incubation == "shadow")
            or not (is_training or seed.stage in CONTRIBUTING_STAGES)
        ):
            return None
        return _Meeting(
            lane=number,
            seed=seed,
            module=module,
            gate=self.places.get(("gate", (lane.row, slot_id))),
            amplitude=amplitude,
            learns=learns and (lane.shadow is None or is_shadow),
            is_isolated=is_isolated(seed.stage, self.topology),
            is_straight=is_training and not is_shadow,
        )

    def _slot_plan(self, meetings: Sequence[_Meeting], lanes: int) -> SlotPlan:
        alike: dict[tuple[int, bool], list[_Meeting]] = {}
        for meeting in meetings:
            alike.setdefault((id(meeting.module.stack), meeting.is_straight), []).append(meeting)
        taken = [meeting.lane for together in alike.values() for meeting in together]
        others = sorted(set(range(lanes)) - set(taken))
        gated = [(meeting, meeting.gate) for meeting in meetings if meeting.gate is not None]
        return SlotPlan(
            blends=tuple(self._blend(together) for together in alike.values()),
            gates=self._bank(gated) if gated else None,
            others=self._index(others),
            order=torch.argsort(torch.tensor([*others, *taken])).to(self.device),
        )

    def _blend(self, together: Sequence[_Meeting]) -> Blend:
        multiplies = [meeting.seed.operator is AlphaAlgorithm.MULTIPLY for meeting in together]
        return Blend(
            bank=self._bank([(meeting, meeting.module) for meeting in together]),
            amplitudes=torch.tensor([meeting.amplitude for meeting in together], device=self.device),
            multiplies=self._flags(multiplies),
            is_straight=together[0].is_straight,
        )

    def _bank(self, placed: Sequence[tuple[_Meeting, Place]]) -> Bank:
        stack = placed[0][1].stack
        members = [place.member for _, place in placed]
        return Bank(
            stack=stack,
            members=None if members == list(range(len(stack.owners))) else self._index(members),
            lanes=self._index([meeting.lane for meeting, _ in placed]),
            learns=self._flags([meeting.learns for meeting, _ in placed]),
            is_isolated=self._flags([meeting.is_isolated for meeting, _ in placed]),
        )

    def _flags(self, flags: Sequence[bool]) -> Tensor | bool:
        return flags[0] if len(set(flags)) == 1 else torch.tensor(flags, device=self.device)

    def _index(self, numbers: list[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.int64, device=self.device)
