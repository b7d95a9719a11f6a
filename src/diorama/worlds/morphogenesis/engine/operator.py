"""What an operator orders while a run goes on: single decisions, who decides, and drills."""

from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from diorama.contracts.values import I32, JsonObject
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.controller.choices import OP_COLUMN, WAIT, Action
from diorama.worlds.morphogenesis.controller.deciding import Decider
from diorama.worlds.morphogenesis.controller.decoding import decode
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.protocol import Fault
from diorama.worlds.morphogenesis.render import render_state
from diorama.worlds.morphogenesis.vectorized_types import ActionSpec

THE_BATCH: Final[Decider] = "policy"


class OperatedCopies(Protocol):
    """The copies an operator stands before."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def nursery_of(self, copy: int) -> tuple[Nursery, int]:
        """Return the run of a copy, and its row there."""

    def advise(self, actions: I32) -> None:
        """Write what the rules would decide now, for every copy."""


@dataclass(slots=True)
class OperatorDesk:
    """Orders for the copies of a core. A decision that was ordered counts once, in the next step."""

    core: OperatedCopies
    ordered: dict[int, Action] = field(default_factory=dict)
    deciders: dict[int, Decider] = field(default_factory=dict)

    def nursery(self, copy: int) -> tuple[Nursery, Env]:
        """Return the run and the env of a copy.

        Raises:
            ConfigError: There is no such copy.
        """
        if not 0 <= copy < self.core.copies:
            raise ConfigError(f"there is no env {copy}; use 0..{self.core.copies - 1}")
        nursery, row = self.core.nursery_of(copy)
        return nursery, nursery.envs[row]

    def order(self, copy: int, action: Action) -> None:
        """Replace the next decision of a copy.

        Raises:
            ConfigError: What it asks for is not possible now, with the mask's reason.
        """
        nursery, env = self.nursery(copy)
        refusal = decode(ActionSpec(), action, nursery.mask_rules, situations_of(env.growth))
        op = LifecycleOp(action[OP_COLUMN])
        if refusal and op is not LifecycleOp.WAIT:
            raise ConfigError(f"{op.name} is not possible: {refusal}")
        self.ordered[copy] = action

    def hand_over(self, copy: int, decider: Decider) -> None:
        """Say who decides for a copy from the next step on."""
        self.nursery(copy)
        self.deciders[copy] = decider

    def snapshot(self, copy: int) -> None:
        """Have the governor keep a copy of an env that passed its last check.

        Raises:
            ConfigError: It did not.
        """
        nursery, env = self.nursery(copy)
        if env.governor.report is not None:
            raise ConfigError(
                f"env {copy} has panicked ({env.governor.report.reason}); it is put back in the next step"
            )
        nursery.engine.snapshot(env.row)

    def roll_back(self, copy: int) -> None:
        """Have the governor put an env back to its last snapshot, in place of its next decision."""
        _, env = self.nursery(copy)
        env.governor.order_rollback(env.reading.val_loss)

    def inject(self, copy: int, fault: Fault) -> None:
        """Damage a host for a drill."""
        nursery, env = self.nursery(copy)
        nursery.engine.inject(env.row, fault)

    def picture(self, copy: int) -> JsonObject:
        """Return what a viewer would be shown of a copy."""
        nursery, env = self.nursery(copy)
        return render_state(nursery, env.row)

    def revise(self, actions: I32) -> tuple[I32, list[Initiator]]:
        """Put what was ordered in the place of what was selected, and say who decided."""
        revised = actions.copy()
        initiators: list[Initiator] = ["policy"] * len(actions)
        if "rules" in self.deciders.values():
            advice = np.zeros_like(actions)
            self.core.advise(advice)
        for copy, decider in self.deciders.items():
            if decider == "rules":
                revised[copy] = advice[copy]
            elif decider != THE_BATCH:
                revised[copy] = WAIT
        for copy, action in self.ordered.items():
            revised[copy], initiators[copy] = action, "operator"
        self.ordered.clear()
        return revised, initiators

    @property
    def is_idle(self) -> bool:
        """Whether nothing was ordered."""
        return not self.ordered and all(decider == THE_BATCH for decider in self.deciders.values())
