"""What an operator orders while a run goes on: single decisions, who decides, and drills."""

import json
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import SnapshotError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import I32, JsonObject
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp, head_sizes
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


@dataclass(frozen=True, slots=True)
class _Orders:
    ordered: dict[str, Action] = field(default_factory=dict)
    deciders: dict[str, Decider] = field(default_factory=dict)


_ORDERS: Final = TypeAdapter(_Orders)


class OperatedCopies(Protocol):
    """The copies an operator stands before."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def nursery_of(self, copy: int) -> tuple[Nursery, int]:
        """Return the run of a copy, and its row there."""

    def expert_actions(self, actions: I32) -> None:
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
            self.core.expert_actions(advice)
        for copy, decider in self.deciders.items():
            if decider == "rules":
                revised[copy] = advice[copy]
            elif decider != THE_BATCH:
                revised[copy] = WAIT
        for copy, action in self.ordered.items():
            revised[copy], initiators[copy] = action, "operator"
        self.ordered.clear()
        return revised, initiators

    def export_orders(self) -> JsonObject:
        """Return what was ordered for the next step, and who decides, by copy."""
        return {
            "ordered": {str(copy): list(action) for copy, action in self.ordered.items()},
            "deciders": {str(copy): decider for copy, decider in self.deciders.items()},
        }

    def load_orders(self, told: JsonObject) -> None:
        """Take over what `export_orders` returned, in place of what was ordered here.

        Raises:
            SnapshotError: It is nothing that could have been ordered here; nothing has changed then.
        """
        try:
            stored = _ORDERS.validate_json(json.dumps(told), strict=True)
        except ValidationError as error:
            raise SnapshotError(f"these are no orders for morphogenesis: {first_problem(error)}") from None
        if strangers := {*stored.ordered, *stored.deciders} - {str(copy) for copy in range(self.core.copies)}:
            raise SnapshotError(f"there are orders for envs {sorted(strangers)}; there are 0..{self.core.copies - 1}")
        nursery, _ = self.nursery(0)
        sizes = head_sizes(nursery.slots.num_slots)
        for action in stored.ordered.values():
            if len(action) != len(sizes) or not all(0 <= own < size for own, size in zip(action, sizes, strict=True)):
                raise SnapshotError(f"{action} is no decision; its heads have {sizes} options")
        self.ordered = {int(copy): action for copy, action in stored.ordered.items()}
        self.deciders = {int(copy): decider for copy, decider in stored.deciders.items()}

    @property
    def is_idle(self) -> bool:
        """Whether nothing was ordered."""
        return not self.ordered and all(decider == THE_BATCH for decider in self.deciders.values())
