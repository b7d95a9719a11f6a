"""A duel: two hosts with the same first weights and data, one decided by hand, one by a controller."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.controller.action_text import parse_action
from diorama.worlds.morphogenesis.controller.choices import OP_COLUMN, Action
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.decoding import decode
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.event_stream import EventStream
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.vectorized_types import ActionSpec

BY_HAND: Final = 0
RIVAL: Final = 1
PRICE_OF_GROWTH: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one side stands; `growth` is parameters of its seeds over those of the host."""

    accuracy_pct: float
    gain_pp: float | None
    growth: float

    @property
    def score(self) -> float | None:
        """The gain over the control twin less the price of growth; None once the twin has failed."""
        return None if self.gain_pp is None else self.gain_pp - PRICE_OF_GROWTH * math.log1p(self.growth)


class Duel:
    """One episode of two envs of one group."""

    def __init__(
        self,
        config: MorphogenesisConfig,
        make_engine: EngineMaker,
        rival: str,
        *,
        root_key: int,
        events: EventStream | None = None,
    ) -> None:
        """Open the episode.

        Raises:
            UnknownName: No controller is called like the rival.
        """
        together = config.model_copy(update={"init_groups": 1, "control_twins": True})
        self.world = MorphogenesisWorld.build(together, make_engine, envs=2, root_key=root_key, events=events)
        self._rival: Controller = controller_named(rival, self.world.nursery)
        self._stepped = self.world.reset(0)

    @property
    def epoch(self) -> int:
        """The epoch just finished."""
        return self.world.nursery.epoch

    @property
    def is_open(self) -> bool:
        """Whether there is something left to decide."""
        return self.world.is_open

    @property
    def standings(self) -> tuple[Standing, Standing]:
        """The side that is decided by hand, and its rival."""
        mine, rivals = (_standing(env) for env in self.world.envs)
        return mine, rivals

    def read(self, words: Sequence[str]) -> Action:
        """Read a decision, and check that it can be carried out now.

        Raises:
            ConfigError: It is no decision, or what it asks for is not allowed.
        """
        rules = self.world.nursery.mask_rules
        action = parse_action(words, rules.slot_ids)
        env = self.world.envs[BY_HAND]
        refusal = decode(ActionSpec(), action, rules, situations_of(env.growth))
        if refusal and action[OP_COLUMN] != LifecycleOp.WAIT:
            raise ConfigError(f"{LifecycleOp(action[OP_COLUMN]).name} is not possible: {refusal}")
        return action

    def decide(self, action: Action) -> Action:
        """Take this decision, let the rival take its own, run the next epoch, and return what the rival chose."""
        actions = self._rival.decide(self._stepped.obs, self._stepped.masks, self.world.reports())
        actions[BY_HAND] = action
        self._stepped = self.world.step(actions)
        return tuple(int(index) for index in actions[RIVAL])


def _standing(env: Env) -> Standing:
    return Standing(accuracy_pct=env.reading.val_acc, gain_pp=env.reading.gain, growth=env.param_ratio - 1.0)
