"""A duel: two hosts with the same first weights and data; each is decided by hand, by a controller or by a policy."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.config import EpisodePlace, MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.controller.action_text import parse_action
from diorama.worlds.morphogenesis.controller.choices import OP_COLUMN, Action
from diorama.worlds.morphogenesis.controller.deciding import Controller, stack
from diorama.worlds.morphogenesis.controller.decoding import decode
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.event_stream import EventStream
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.controllers import Decider, controller_of
from diorama.worlds.morphogenesis.rounds.running import tell_start
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
    """One episode of two envs of one group. `taken` holds the decisions of both sides, epoch by epoch."""

    def __init__(
        self,
        config: MorphogenesisConfig,
        make_engine: EngineMaker,
        rival: Decider,
        *,
        root_key: int,
        stand_in: Decider | None = None,
        events: EventStream | None = None,
    ) -> None:
        """Open the episode.

        Args:
            config: Of the hosts.
            make_engine: What trains them.
            rival: Who decides for the other side.
            root_key: Weights, data and chance.
            stand_in: Who decides for the side of the hand, where nobody does.
            events: Where to tell what happens.

        Raises:
            UnknownName: No controller is called like the rival, or like the stand-in.
        """
        self._config = config.model_copy(update={"init_groups": 1, "control_twins": True})
        self.world = MorphogenesisWorld.build(self._config, make_engine, envs=2, root_key=root_key, events=events)
        self.taken: list[tuple[Action, Action]] = []
        self._rival = controller_of(rival, self.world)
        self._stand_in = None if stand_in is None else controller_of(stand_in, self.world)
        tell_start(self.world, 1)
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

    def choose(self) -> Action:
        """Return what the stand-in decides for the side of the hand.

        Raises:
            ConfigError: There is none.
        """
        if self._stand_in is None:
            raise ConfigError("nobody stands in for the side of the hand; name who does")
        return self._choice(self._stand_in, BY_HAND)

    def decide(self, action: Action) -> Action:
        """Take this decision, let the rival take its own, run the next epoch, and return what the rival chose."""
        rivals = self._choice(self._rival, RIVAL)
        self.taken.append((action, rivals))
        self._stepped = self.world.step(stack([action, rivals]))
        return rivals

    def config_of(self, side: int) -> MorphogenesisConfig:
        """Return the configuration that runs one side again alone, beside the same twin."""
        return self._config.model_copy(update={"episode": EpisodePlace(round=0, env=side, envs=2)})

    def _choice(self, controller: Controller, side: int) -> Action:
        actions = controller.decide(self._stepped.obs, self._stepped.masks, self.world.reports())
        return tuple(int(index) for index in actions[side])


def _standing(env: Env) -> Standing:
    return Standing(accuracy_pct=env.reading.val_acc, gain_pp=env.reading.gain, growth=env.param_ratio - 1.0)
