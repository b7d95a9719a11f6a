"""Orchards with one flaw each, for the check that must find it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
from orchard import WORLD
from orchard.bots import RandomPicker
from orchard.contract import EMPTY, NORTH, SPEC, OrchardConfig
from orchard.simulation import OrchardSimulation

from diorama.contracts.errors import UnknownOption
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import F32, U8, U64, JsonObject
from diorama.contracts.world import World
from diorama.engine.reference_core import ReferenceCore
from diorama.rng import Pcg32


class UnexplainedConfig(OrchardConfig):
    pests: int = 0


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


def orchard(simulation: Callable[[Any], Any] = OrchardSimulation, **changes: Any) -> World[Any]:
    """Return the example world with another simulation, and whatever else is changed."""
    return replace(WORLD, simulate=simulation, **changes)


def with_fast_tier(simulation: Callable[[Any], Any]) -> World[Any]:
    """Return the example world with a fast tier that runs another simulation."""

    def accelerate(config: OrchardConfig, request: CoreRequest) -> BatchCore:
        return ReferenceCore.build(orchard(simulation), config, copies=request.copies, seed=request.seed)

    return orchard(accelerate=accelerate)


@dataclass(frozen=True, kw_only=True)
class Flaw:
    """A world, the check that must find what is wrong with it, and words of what it says."""

    check: str
    world: World[Any]
    words: str


FLAWS = {
    "no-headline": Flaw(
        check="contract",
        world=orchard(describe=lambda _: replace(SPEC, headline=())),
        words="no headline metric",
    ),
    "unexplained-key": Flaw(check="configuration", world=orchard(config_type=UnexplainedConfig), words="'pests'"),
    "deaf-to-seeds": Flaw(check="seeds", world=orchard(DeafToSeeds), words="are the same episode"),
    "keeps-its-stream": Flaw(check="seeds", world=orchard(KeepsItsStream), words="opens differently in a used copy"),
    "shares-a-clock": Flaw(check="batches", world=orchard(SharesAClock), words="a copy among others has another obs"),
    "sees-too-much": Flaw(check="values", world=orchard(SeesTooMuch), words="'carried' is 5..5, outside of its bounds"),
    "pays-nothing": Flaw(check="values", world=orchard(PaysNothing), words="its reward terms add up to 7"),
    "allows-nothing": Flaw(check="masks", world=orchard(AllowsNothing), words="allowed no option of head 'action'"),
    "allows-everything": Flaw(check="masks", world=orchard(AllowsEverything), words="(0,) was carried out"),
    "forbids-what-it-does": Flaw(check="refusals", world=orchard(ForbidsWhatItDoes), words="forbids 'NORTH'"),
    "refuses-by-itself": Flaw(check="refusals", world=orchard(RefusesByItself), words="refused with UnknownOption"),
    "never-ends": Flaw(
        check="episodes",
        world=orchard(NeverEnds, evaluation=replace(WORLD.evaluation, max_decisions=40)),
        words="no episode ended in 40 decisions",
    ),
    "ends-in-silence": Flaw(check="episodes", world=orchard(EndsInSilence), words="no row was terminated or truncated"),
    "remembers-episodes": Flaw(
        check="auto-reset", world=orchard(RemembersEpisodes), words="the state hash is not that of seed"
    ),
    "forgets-its-stream": Flaw(check="snapshots", world=orchard(ForgetsItsStream), words="shows another state hash"),
    "takes-any-words": Flaw(check="bad snapshots", world=orchard(TakesAnyWords), words="one word too few was taken"),
    "breaks-on-words": Flaw(check="bad snapshots", world=orchard(BreaksOnWords), words="raised IndexError"),
    "pays-more": Flaw(check="parity", world=with_fast_tier(PaysMore), words="suite random: step 0"),
    "stubborn-bot": Flaw(
        check="bots", world=orchard(bots={"stubborn": Stubborn}), words="'EMPTY' of head 'action' is masked"
    ),
    "moody-bot": Flaw(check="bots", world=orchard(bots={"moody": Moody}), words="differently the second time"),
    "gymnasium-sees-too-much": Flaw(check="gymnasium", world=orchard(SeesTooMuch), words="check_env"),
    "loses-time": Flaw(check="pictures", world=orchard(LosesTime), words="lacks time_remaining"),
    "stamped": Flaw(check="replays", world=orchard(Stamped), words="the replay is another"),
}
