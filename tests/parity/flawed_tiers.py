"""Fast tiers that are wrong on purpose: the readable rules of `prospector` with one flaw at one step."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, cast

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import F32, U8, JsonObject
from diorama.contracts.world import World
from diorama.engine.reference_core import ReferenceCore
from diorama.parity.cases import Case, Column
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Act, Obs
from diorama.worlds.prospector.reference.simulation import ProspectorSimulation
from diorama.worlds.registry import load_world

FLAWED_STEP = 7
_PCG_MULTIPLIER_INVERSE = pow(6364136223846793005, -1, 1 << 64)


class Flawless(ProspectorSimulation):
    """Counts its steps over all episodes, and has nothing wrong with it."""

    flawed_step: ClassVar[int] = FLAWED_STEP

    def __init__(self, config: ProspectorConfig) -> None:
        super().__init__(config)
        self.step_index = -1

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        self.step_index += 1
        return super().step(decisions)

    @property
    def is_flawed_now(self) -> bool:
        return self.step_index == self.flawed_step


class OneUlpOff(Flawless):
    def observe(self, obs: F32, obs_u8: U8) -> None:
        super().observe(obs, obs_u8)
        if self.is_flawed_now:
            obs[0, Obs.PRICE_NORM + 2] = np.nextafter(obs[0, Obs.PRICE_NORM + 2], np.float32(2.0))


class WrongDt(Flawless):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        return replace(record, dt=record.dt + 1) if self.is_flawed_now else record


class SkippedDraw(Flawless):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        if not self.is_flawed_now:
            return record
        rng = self.state.rng
        rng.state = (rng.state - rng.inc) * _PCG_MULTIPLIER_INVERSE % (1 << 64)
        rng.draws -= 1
        return replace(record, draws=rng.draws)


class LateSkippedDraw(SkippedDraw):
    flawed_step = 50


class WrongMaskBit(Flawless):
    def write_masks(self, masks: U8) -> None:
        super().write_masks(masks)
        if self.is_flawed_now:
            masks[0, Act.REFINE_ONBOARD] ^= 1


class WrongPayload(Flawless):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        if not self.is_flawed_now:
            return record
        (name, payload), *_ = record.event_data.items()
        key = next(iter(payload))
        wrong = {**payload, key: cast(int, payload[key]) + 1}
        return replace(record, event_data={**record.event_data, name: wrong})


class NegativeZeroTerm(Flawless):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        terms = record.reward_terms[0]
        return replace(record, reward_terms=({**terms, "sale": -0.0},)) if self.is_flawed_now else record


class WrongSecondEpisode(Flawless):
    """Opens every episode but the first with one unit of fuel less."""

    def __init__(self, config: ProspectorConfig) -> None:
        super().__init__(config)
        self.episodes = 0

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.episodes += 1
        if self.episodes > 2:  # the first, then its auto-reset; the third is the next explicit one
            self.state.ship.fuel -= 1.0


class WrongPictureAfterAnEnd(Flawless):
    """Draws the episode that a step opens behind another with something left over from that."""

    def __init__(self, config: ProspectorConfig) -> None:
        super().__init__(config)
        self.has_ended = False

    def reset(self, seed: int) -> None:
        self.has_ended = self.step_index >= 0 and self.is_over
        super().reset(seed)

    def render_state(self) -> JsonObject:
        return {**super().render_state(), "schema_version": 999 if self.has_ended else 1}


class WrongPicture(Flawless):
    def render_state(self) -> JsonObject:
        return {**super().render_state(), "schema_version": 999}


def prospector_with(simulation: type[Flawless]) -> World[WorldConfig]:
    """Return prospector with a fast tier that runs `simulation`."""
    honest = load_world("prospector")

    def accelerate(config: WorldConfig, request: CoreRequest) -> BatchCore:
        # Typed for any world, this one is only ever handed prospector's own configuration.
        flawed = replace(honest, simulate=lambda given: simulation(cast(ProspectorConfig, given)))
        return ReferenceCore.build(flawed, config, copies=request.copies, seed=request.seed)

    return replace(honest, accelerate=accelerate)


def short_case(suite: str = "C", *, steps: int = 12, seed: int = 0) -> Case:
    """Return a case of prospector that a test can afford."""
    column = Column(label="time-2000", config={"time_max": 2000})
    return Case(world="prospector", suite=suite, seed=seed, column=column, steps=steps)
