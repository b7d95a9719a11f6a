"""What the rule-based controller would decide at a moment, and why, for a person who decides instead."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contract import describe
from diorama.worlds.morphogenesis.contracts.actions import RELEVANT_HEADS, LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import COOLING_STAGES
from diorama.worlds.morphogenesis.controller.choices import OP_COLUMN, Action
from diorama.worlds.morphogenesis.controller.masks import ActionMasks, write_masks, write_wait_only
from diorama.worlds.morphogenesis.controller.rules import LIVE_STAGES, RuleController
from diorama.worlds.morphogenesis.controller.situations import situations_of

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.engine.env import Env
    from diorama.worlds.morphogenesis.engine.nursery import Nursery

_WHY: Final[Mapping[LifecycleOp, str]] = {
    LifecycleOp.GERMINATE: "The host has settled and gains next to nothing by itself.",
    LifecycleOp.ADVANCE: "The gate to the next stage is open.",
    LifecycleOp.FOSSILIZE: "Removing the seed would cost accuracy, and the host is ahead with it.",
    LifecycleOp.PRUNE: "The seed does not help: the host is no better off with it.",
}


def advice_for(nursery: "Nursery", env: "Env") -> JsonObject:
    """Return the options the rules would choose, by head and where they matter, and the reason in words."""
    action = _decide(nursery, env)
    op = LifecycleOp(action[OP_COLUMN])
    heads = describe(nursery.config).heads
    choice: JsonObject = {
        head.name: head.options[index]
        for head, index in zip(heads, action, strict=True)
        if head.name == "op" or head.name in RELEVANT_HEADS[op]
    }
    return {"choice": choice, "why": _WHY.get(op) or _why_wait(env)}


def _decide(nursery: "Nursery", env: "Env") -> Action:
    rules = nursery.mask_rules
    masks = ActionMasks.allocate(1, len(rules.slot_ids))
    if env.governor.report is None:
        write_masks(masks, 0, rules, situations_of(env.growth))
    else:
        write_wait_only(masks, 0, rules)
    report = env.report(round_index=nursery.round_index, epoch=nursery.epoch, max_epochs=nursery.max_epochs)
    controller = RuleController(rules.topology, rules.slot_ids)
    (decided,) = controller.decide(np.zeros((1, 0), np.float32), masks, [report])
    return tuple(int(index) for index in decided)


def _why_wait(env: "Env") -> str:
    if env.governor.report is not None:
        return "The host is being put back to its last snapshot."
    stages = [state.stage for state in env.growth.states()]
    if any(stage in LIVE_STAGES for stage in stages):
        return "The seed at work needs more epochs."
    if any(stage in COOLING_STAGES for stage in stages):
        return "The slot of the removed seed cools down."
    return "The host still learns by itself, or has nowhere to grow."
