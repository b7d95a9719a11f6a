"""Parts of a world, each with one flaw."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from orchard.bots import RandomPicker
from orchard.contract import EMPTY, NORTH, SPEC, OrchardConfig
from orchard.simulation import OrchardSimulation
from pydantic import BaseModel, Field, field_validator

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError, SnapshotError, UnknownOption
from diorama.contracts.named_files import FilePath
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F32, I32, U8, U64, JsonObject
from diorama.engine.reference_core import ReferenceCore
from diorama.rng import Pcg32
from tests.engine.toy_world import ToySimulation


class PlainConfig(BaseModel):
    length: int = 120
    ripening: float = 0.8


class UnexplainedConfig(OrchardConfig):
    pests: int = 0


class HoldsAPath(OrchardConfig):
    seeds_file: str = Field("", description="what is planted")


class LooksForAFile(OrchardConfig):
    seeds: str = Field("", description="what is planted")


class LooksWhileParsing(OrchardConfig):
    seeds: Annotated[str, FilePath()] = Field("", description="what is planted")

    @field_validator("seeds")
    @classmethod
    def _exists(cls, value: str) -> str:
        if value and not Path(value).exists():
            raise ValueError("there is no such file")
        return value


class PlantsFromAFile(OrchardSimulation):
    def __init__(self, config: LooksForAFile) -> None:
        super().__init__(config)
        if config.seeds and not Path(config.seeds).is_file():
            raise ConfigError("these seeds cannot be planted")


class DeafToSeeds(OrchardSimulation):
    def reset(self, seed: int) -> None:
        super().reset(seed)
        self._seed, self._rng = 0, Pcg32.named(0, "ripening")

    @property
    def episode_seed(self) -> int:
        return self._seed


class KeepsItsStream(OrchardSimulation):
    def reset(self, seed: int) -> None:
        kept = getattr(self, "_rng", None)
        super().reset(seed)
        self._rng = kept or self._rng


class SharesAClock(OrchardSimulation):
    steps: ClassVar[list[int]] = [0]

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        self.steps[0] += 1
        return super().step(decisions)

    def observe(self, obs: F32, obs_u8: U8) -> None:
        super().observe(obs, obs_u8)
        obs[0, 3] = (self.steps[0] % 100) / 100.0


class SeesTooMuch(OrchardSimulation):
    def observe(self, obs: F32, obs_u8: U8) -> None:
        super().observe(obs, obs_u8)
        obs[0, 2] = 5.0


class PaysNothing(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), reward_terms=({"brought": 7.0},))


class AllowsNothing(OrchardSimulation):
    def write_masks(self, masks: U8) -> None:
        masks[:] = 0


class AllowsEverything(OrchardSimulation):
    def write_masks(self, masks: U8) -> None:
        masks[:] = 1


class ForbidsWhatItDoes(OrchardSimulation):
    def write_masks(self, masks: U8) -> None:
        super().write_masks(masks)
        masks[0, NORTH] = 0


class RefusesByItself(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        if not 0 <= decisions[0][0] <= EMPTY:
            raise UnknownOption("no such thing")
        return super().step(decisions)


class NeverEnds(OrchardSimulation):
    @property
    def is_over(self) -> bool:
        return False


class EndsInSilence(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), truncated=(False,))


class RemembersEpisodes(OrchardSimulation):
    def reset(self, seed: int) -> None:
        episodes = getattr(self, "_picked", 0)
        super().reset(seed)
        self._picked = episodes + 1


class ForgetsItsStream(OrchardSimulation):
    def load_words(self, words: U64) -> None:
        super().load_words(words)
        self._rng = Pcg32.named(0, "ripening")


class ReseedsTooMuch(OrchardSimulation):
    def reseed(self, seed: int) -> None:
        self.reset(seed)


class ReseedsByMood(OrchardSimulation):
    moods: ClassVar[Iterator[int]] = count()

    def reseed(self, seed: int) -> None:
        super().reseed(seed + next(self.moods))


class TakesAnyWords(OrchardSimulation):
    def load_words(self, words: U64) -> None:
        super().load_words(np.resize(words, len(self.state_words())))


class BreaksOnWords(OrchardSimulation):
    def load_words(self, words: U64) -> None:
        _ = words[len(self.state_words()) - 1]
        super().load_words(words)


class PaysMore(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        return replace(record, rewards=(record.rewards[0] + 1.0,))


class Stubborn:
    """Empties an apron that nobody wears."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        return (EMPTY,)


class Moody(RandomPicker):
    """Draws on where the last episode left off."""

    moods: ClassVar[Iterator[int]] = count()

    def reset(self, episode_seed: int) -> None:
        super().reset(next(self.moods))


class LosesTime(OrchardSimulation):
    def render_state(self) -> JsonObject:
        return {key: value for key, value in super().render_state().items() if key != "time_remaining"}


class Stamped(OrchardSimulation):
    """Numbers its instances in the picture."""

    instances: ClassVar[Iterator[int]] = count()

    def __init__(self, config: OrchardConfig) -> None:
        super().__init__(config)
        self._number = next(self.instances)

    def render_state(self) -> JsonObject:
        return {**super().render_state(), "number": self._number}


class ReturnsTooMuch(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> Any:
        return None, super().step(decisions).rewards[0], False, False, {}


class PaysInNumpy(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        return replace(record, rewards=(np.float32(record.rewards[0]),))  # type: ignore[arg-type] # the flaw


class PaysEverybodyAtOnce(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), rewards=1.0)  # type: ignore[arg-type] # the flaw


class PaysTooMuch(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), rewards=(1e300,), reward_terms=({},))


class CountsNothing(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), metrics=((),))


class Surprises(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), events=("hailstorm",))


class OpensLate(OrchardSimulation):
    def opening_record(self) -> StepRecord:
        return replace(super().opening_record(), dt=1)


class LosesCount(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), draws=-1)


class ForgetsTheQuestion(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), received=(None,))


class TakesItsTime(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), dt=70_000)


class TellsNumpy(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), info={"wind": np.float32(0.5)})  # type: ignore[dict-item] # the flaw


class LeavesPlaces(OrchardSimulation):
    def observe(self, obs: F32, obs_u8: U8) -> None:
        obs[0, :4] = 0.5


class RebindsItsMask(OrchardSimulation):
    def write_masks(self, masks: U8) -> None:
        masks = np.ones_like(masks)


class LooksAndDraws(OrchardSimulation):
    def observe(self, obs: F32, obs_u8: U8) -> None:
        super().observe(obs, obs_u8)
        self._rng.next_u32()


class LendsItsWords(OrchardSimulation):
    def state_words(self) -> U64:
        words = super().state_words()
        self._lent = getattr(self, "_lent", words)
        self._lent[:] = words
        return self._lent


class WritesSignedWords(OrchardSimulation):
    def state_words(self) -> U64:
        return super().state_words().astype(np.int64)  # the flaw


class HashesLittle(OrchardSimulation):
    def state_words(self) -> U64:
        return super().state_words()[:2]

    def snapshot_words(self) -> U64:
        return super().state_words()


class LeavesNobody(OrchardSimulation):
    def write_alive(self, alive: U8) -> None:
        alive[:] = 0


class AsksWhetherItIsOver(OrchardSimulation):
    def is_over(self) -> bool:  # type: ignore[override] # the flaw
        return self._tick >= self._config.length


class Leaves(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        raise SystemExit(3)


class Chatters(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        print("picking")
        return super().step(decisions)


class ForbidsAllInTheEnd(OrchardSimulation):
    def write_masks(self, masks: U8) -> None:
        super().write_masks(masks)
        masks *= self._tick < 25


class DrawsLots(OrchardSimulation):
    """Is unseeded at its 28th step alone."""

    lots: ClassVar[Iterator[int]] = count()

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        lot = float(next(self.lots))
        return replace(record, rewards=(lot,), reward_terms=({},)) if self._tick == 28 else record


class EndsTwice(OrchardSimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        return replace(record, truncated=(record.truncated[0] or self._tick == 12,))


class StartsAlways(OrchardSimulation):
    def write_episode_starts(self, starts: U8) -> None:
        starts[:] = 1


class LosesItsHunger(OrchardSimulation):
    """Pays more after its 20th step, and forgets the count in a snapshot."""

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self._steps = 0

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        self._steps += 1
        record = super().step(decisions)
        return replace(record, rewards=(2.0,), reward_terms=({},)) if self._steps > 20 else record


class TrustsWords(OrchardSimulation):
    def load_words(self, words: U64) -> None:
        try:
            super().load_words(words)
        except SnapshotError:
            if len(words) != len(self.state_words()):
                raise
            self._tree = int(words[2])


class PaysMoreLate(OrchardSimulation):
    """Differs in its 300th step alone."""

    steps = 0

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        self.steps += 1
        record = super().step(decisions)
        return replace(record, rewards=(record.rewards[0] + 1.0,)) if self.steps == 300 else record


class ShowsNumpy(OrchardSimulation):
    def render_state(self) -> JsonObject:
        return {**super().render_state(), "ripe": np.array(self._ripe)}  # type: ignore[dict-item] # the flaw


class ShowsNumbersAsKeys(OrchardSimulation):
    def render_state(self) -> JsonObject:
        return {**super().render_state(), "trees": {1: "ripe"}}  # type: ignore[dict-item] # the flaw


class ShowsAList(OrchardSimulation):
    def render_state(self) -> JsonObject:
        return []  # type: ignore[return-value] # the flaw


class HeadlinesWords(OrchardSimulation):
    def render_state(self) -> JsonObject:
        return {**super().render_state(), "headline": {"delivered": "many"}}


class TellsTimeInWords(OrchardSimulation):
    def render_state(self) -> JsonObject:
        return {**super().render_state(), "time": "noon"}


class GoesDark(OrchardSimulation):
    def render_state(self) -> JsonObject:
        if self._tick > 20:
            raise RuntimeError("no light")
        return super().render_state()


class SaysANumber(RandomPicker):
    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        return 0  # type: ignore[return-value] # the flaw


class WritesNotes(RandomPicker):
    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        mask[:] = 1
        return (0,)


class Remembers:
    """Counts on from one episode to the next."""

    decisions = 0

    def reset(self, episode_seed: int) -> None:
        """Forgets to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        self.decisions += 1
        return (int(np.flatnonzero(mask)[int(self.decisions > 20)]),)


class PaysTheDead(ToySimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        return replace(super().step(decisions), rewards=(1.0, 1.0), reward_terms=({}, {}))


class EndsTheDeadAgain(ToySimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        return replace(record, terminated=tuple(not self._alive(seat) for seat in range(2)))


class DropsOutUntold(ToySimulation):
    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        record = super().step(decisions)
        return replace(record, terminated=(record.terminated[0], False))


class KeepsItsArrays(ReferenceCore):
    """Goes on writing the arrays it was reset with."""

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        self.kept = buffers
        super().reset(copies, seeds, buffers)

    def step(self, actions: I32, buffers: Buffers) -> None:
        super().step(actions, self.kept)


class SplitsOffStrangers(ReferenceCore):
    """Hands over copies that have just begun."""

    def split(self, sizes: Sequence[int]) -> list[BatchCore]:
        parts = super().split(sizes)
        for part, size in zip(parts, sizes, strict=True):
            part.reset(range(size), range(size), Buffers.allocate(SPEC, size))
        return parts
