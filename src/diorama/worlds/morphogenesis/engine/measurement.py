"""The validation of an epoch: every env with and without its seeds, every twin as it is, all in shared passes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    CounterfactualMatrixPayload,
    ShapleyEstimate,
)
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contributions.coalitions import (
    Coalition,
    CoalitionPlan,
    CoalitionTable,
    plan_coalitions,
    write_overrides,
)
from diorama.worlds.morphogenesis.contributions.shapley import shapley
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.protocol import Floats, Overrides


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """Results of an epoch's validation: the main configuration by row, and a table for every env that has one."""

    main_loss: Floats
    main_acc: Floats
    tables: tuple[CoalitionTable | None, ...]

    def all_off_acc(self, env_row: int) -> float | None:
        """Return the accuracy of an env's host alone."""
        table = self.tables[env_row]
        return None if table is None else table.all_off_accuracy

    def committed_acc(self, env_row: int) -> float | None:
        """Return the accuracy of an env with its permanent seeds only."""
        table = self.tables[env_row]
        return None if table is None else table.committed_accuracy


def measure(nursery: Nursery) -> Measurement:
    """Validate every row in as many passes as the env with the most coalitions needs."""
    is_due = nursery.epoch % nursery.config.counterfactual_interval == 0 or nursery.epoch == nursery.max_epochs
    plans = tuple(_plan(env, is_due=is_due) for env in nursery.envs)
    scores = nursery.engine.validate(_overrides(nursery, plans))
    tables = tuple(
        None
        if plan is None
        else plan.table(
            float(scores.accuracy_pct[0, row]),
            scores.accuracy_pct[1 : 1 + len(plan.others), row].tolist(),
        )
        for row, plan in enumerate(plans)
    )
    return Measurement(main_loss=scores.loss[0], main_acc=scores.accuracy_pct[0], tables=tables)


def note_contributions(env: Env, table: CoalitionTable, *, epoch: int) -> None:
    """Write what a table says of each contributing seed into its metrics and into the ledger."""
    for slot_id in table.slot_ids:
        state, contribution = env.growth.slot(slot_id).state, table.contribution(slot_id)
        if state is not None and contribution is not None:
            state.record_contribution(
                contribution,
                interaction_sum=table.interaction_sum(slot_id),
                boost_received=table.boost_received(slot_id),
            )
    env.memory.ledger.record(table, epoch)


def tell_coalitions(env: Env, table: CoalitionTable, *, round_index: int) -> CounterfactualMatrixPayload:
    """Tell of the coalitions of an env, which has at least one contributing seed."""
    plan = plan_coalitions(table.slot_ids, table.permanent)
    return CounterfactualMatrixPayload(
        env_id=env.env_id,
        slot_ids=table.slot_ids,
        configs=table.configs(),
        strategy=plan.strategy,
        episode_idx=round_index,
    )


def attribute_episode(nursery: Nursery, env: Env, table: CoalitionTable) -> dict[str, ShapleyEstimate]:
    """Return who brought how much by the end of an episode; many seeds need further passes for it."""

    def evaluate(coalition: Coalition) -> float:
        overrides = np.full((2, nursery.layout.rows, nursery.slots.num_slots), math.nan)
        write_overrides(overrides[1, env.row], coalition, table.slot_ids, nursery.slots.slot_ids)
        return float(nursery.engine.validate(overrides).accuracy_pct[1, env.row])

    draws = nursery.streams.open("attribution", nursery.round_index, env.env_id)
    return shapley(table, draws, evaluate)


def _plan(env: Env, *, is_due: bool) -> CoalitionPlan | None:
    if not is_due:
        return None
    permanent = (state.slot_id for state in env.growth.states() if state.stage is SeedStage.FOSSILIZED)
    return plan_coalitions(env.growth.contributing(), frozenset(permanent))


def _overrides(nursery: Nursery, plans: Sequence[CoalitionPlan | None]) -> Overrides:
    further = max((len(plan.others) for plan in plans if plan is not None), default=0)
    overrides = np.full((1 + further, nursery.layout.rows, nursery.slots.num_slots), math.nan)
    for row, plan in enumerate(plans):
        if plan is not None:
            for number, coalition in enumerate(plan.others, start=1):
                write_overrides(overrides[number, row], coalition, plan.slot_ids, nursery.slots.slot_ids)
    return overrides
