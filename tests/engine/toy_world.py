"""A two-seat, two-head world with byte observations, to prove that the engine asks nothing of a single world."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import SnapshotError, TierUnavailable
from diorama.contracts.plans import EvaluationProtocol, ParityPlan
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import ActionHead, Dtype, EventKind, Metric, ObservationField, WorldSpec
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import F32, U8, U64, JsonObject
from diorama.contracts.world import World

SEATS = 2


class ToyConfig(WorldConfig):
    """`length` decisions end an episode."""

    length: int = 3


def toy_spec(_: ToyConfig) -> WorldSpec:
    return WorldSpec(
        world="toy",
        interface_version="toy-v1",
        agents=SEATS,
        observation=(
            ObservationField(name="total", start=0, low=-100.0, high=100.0, meaning="sum of what the seat chose"),
            ObservationField(name="code", start=0, shape=(2,), dtype=Dtype.UINT8, high=255.0, meaning="seat, steps"),
        ),
        heads=(
            ActionHead(name="amount", options=("none", "one", "two"), noop=0),
            ActionHead(name="sign", options=("plus", "minus"), noop=0),
        ),
        has_mask=True,
        metrics=(Metric(key="total", label="Total"),),
        events=(EventKind(name="moved"), EventKind(name="ended")),
        tick_seconds=1.0,
        snapshot_magic=b"TOYW",
        snapshot_version=1,
        headline=("total",),
    )


class ToySimulation:
    """Each seat adds what it chose; seat 1 drops out one step early."""

    def __init__(self, config: ToyConfig) -> None:
        self._length = config.length
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._seed = seed
        self._steps = 0
        self._totals = [float(seed % 10)] * SEATS

    @property
    def is_over(self) -> bool:
        return self._steps >= self._length

    @property
    def episode_seed(self) -> int:
        return self._seed

    def _alive(self, seat: int) -> bool:
        return self._steps < self._length - seat

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        acting = [self._alive(seat) for seat in range(SEATS)]
        rewards = []
        for seat, (amount, sign) in enumerate(decisions):
            change = float(amount if sign == 0 else -amount) if acting[seat] else 0.0
            self._totals[seat] += change
            rewards.append(change)
        self._steps += 1
        events = ("moved", "ended") if self.is_over else ("moved",)
        ended = tuple(acting[seat] and not self._alive(seat) for seat in range(SEATS))
        return StepRecord(
            received=tuple(decisions),
            effective=tuple(decisions),
            rewards=tuple(rewards),
            reward_terms=tuple({"change": reward} for reward in rewards),
            terminated=ended,
            truncated=(False,) * SEATS,
            metrics=tuple((total,) for total in self._totals),
            dt=1,
            events=events,
            event_data={},
            info={"seed": self._seed},
            draws=0,
        )

    def opening_record(self) -> StepRecord:
        return StepRecord(
            received=(None,) * SEATS,
            effective=(None,) * SEATS,
            rewards=(0.0,) * SEATS,
            reward_terms=({},) * SEATS,
            terminated=(False,) * SEATS,
            truncated=(False,) * SEATS,
            metrics=tuple((total,) for total in self._totals),
            dt=0,
            events=(),
            event_data={},
            info={"seed": self._seed},
            draws=0,
        )

    def observe(self, obs: F32, obs_u8: U8) -> None:
        for seat in range(SEATS):
            obs[seat, 0] = self._totals[seat]
            obs_u8[seat] = (seat, self._steps)

    def write_masks(self, masks: U8) -> None:
        for seat in range(SEATS):
            masks[seat] = 1 if self._alive(seat) else (1, 0, 0, 1, 0)

    def write_alive(self, alive: U8) -> None:
        alive[:] = [self._alive(seat) for seat in range(SEATS)]

    def write_episode_starts(self, starts: U8) -> None:
        starts[:] = 0

    def state_words(self) -> U64:
        return np.array([self._seed, self._steps, *np.array(self._totals).view(np.uint64)], dtype=np.uint64)

    def snapshot_words(self) -> U64:
        return self.state_words()

    def load_words(self, words: U64) -> None:
        if len(words) != 2 + SEATS:
            raise SnapshotError(f"a toy state has {2 + SEATS} words, not {len(words)}")
        self._seed, self._steps = int(words[0]), int(words[1])
        self._totals = words[2:].view(np.float64).tolist()

    def render_state(self) -> JsonObject:
        return {"schema_version": 1, "totals": list(self._totals), "time": self._steps}


def refuse(config: ToyConfig, request: CoreRequest) -> BatchCore:
    raise TierUnavailable("toy has no fast tier")


TOY: World[Any] = World(
    id="toy",
    summary="Two seats add numbers.",
    config_type=ToyConfig,
    describe=toy_spec,
    simulate=ToySimulation,
    accelerate=refuse,
    bots={},
    parity=ParityPlan(suites=(), quick_suites=(), configs=(("default", {}),), seeds=1, steps=1),
    evaluation=EvaluationProtocol(
        matrix_seeds=(1,),
        episodes=1,
        max_decisions=10,
        return_profiles=(("default", {}),),
        summaries=(),
        interval_summaries=(),
        comparisons=(),
        expectations=(),
    ),
)
