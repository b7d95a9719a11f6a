"""Affordances compiled to rows that both tiers execute."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING, ApplyMode, Role
from diorama.worlds.townlet.hooks import BUILT_IN
from diorama.worlds.townlet.tables.amounts import Terms, parse_amount
from diorama.worlds.townlet.tables.custom_hooks import FIRST_CODE, CustomHook
from diorama.worlds.townlet.tables.documents import MOST_ITEMS, AffordanceEntry, Amount
from diorama.worlds.townlet.tables.expressions import Condition, ExpressionError, compile_condition
from diorama.worlds.townlet.tables.problems import Problems

DEFAULT_COOLDOWN: Final = -1  # the configured one
NO_TERMS: Final = Terms(0.0)
ROLE_IDS: Final = {
    Role.EAT: "eat_meal",
    Role.COOK: "cook_meal",
    Role.SHOWER: "use_shower",
    Role.SLEEP: "rest_sleep",
    Role.BUY: "buy_groceries",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AffordanceRow:
    """Something that can be done with objects of one type.

    Attributes:
        rank: Which of `Interact0` to `Interact3` starts it.
        money: What it costs before the object's price factor.
        stock_costs: Taken from the object at the start, by item.
        inventory_costs: Taken from the citizen at the start, by item.
        effects: Change of each need, over the whole duration.
        inventory_yields: Given to the citizen at the end, by item.
        stock_yields: Put into the object at the end, by item.
        linked_yields: Put into the linked object at the end, by item.
        cooldown: Ticks until the same citizen may use the object again, -1 for the configured number.
        before: Hook codes in order; codes from 64 on are custom hooks.
    """

    index: int
    id: str
    type: int
    rank: int
    duration: int
    conditions: tuple[Condition, ...]
    money: Terms
    stock_costs: tuple[int, ...]
    inventory_costs: tuple[int, ...]
    effects: tuple[Terms, Terms, Terms]
    mode: ApplyMode
    inventory_yields: tuple[int, ...]
    stock_yields: tuple[int, ...]
    linked_yields: tuple[int, ...]
    cooldown: int
    is_owner_only: bool
    before: tuple[int, ...]
    after: tuple[int, ...]
    fail: tuple[int, ...]
    needs_power: bool
    needs_water: bool


def compile_affordances(
    entries: Sequence[AffordanceEntry],
    *,
    types: Sequence[str],
    items: Sequence[str],
    custom: Sequence[CustomHook],
    problems: Problems,
) -> tuple[AffordanceRow, ...]:
    """Compile every entry, in manifest order; what is wrong is noted."""
    rows: list[AffordanceRow] = []
    for entry in entries:
        rank = sum(row.type == types.index(entry.object_type) for row in rows)
        rows.append(_Compiling(entry, items, custom, problems).row(len(rows), types.index(entry.object_type), rank))
    return tuple(rows)


def roles_of(rows: Sequence[AffordanceRow]) -> tuple[int, ...]:
    """Index of the affordance of each `Role`, -1 for one the manifest does not have."""
    by_id = {row.id: row.index for row in rows}
    return tuple(by_id.get(ROLE_IDS[role], NOTHING) for role in Role)


class _Compiling:
    def __init__(
        self, entry: AffordanceEntry, items: Sequence[str], custom: Sequence[CustomHook], problems: Problems
    ) -> None:
        self._entry = entry
        self._items = items
        self._hooks = BUILT_IN | {hook.name: FIRST_CODE + number for number, hook in enumerate(custom)}
        self._problems = problems

    def row(self, index: int, type_index: int, rank: int) -> AffordanceRow:
        entry = self._entry
        conditions = tuple(self._condition(number, text) for number, text in enumerate(entry.preconds))
        compiled = tuple(condition for condition in conditions if condition is not None)
        return AffordanceRow(
            index=index,
            id=entry.id,
            type=type_index,
            rank=rank,
            duration=entry.duration,
            conditions=compiled,
            money=self._amount("costs.money", entry.costs.get("money", 0.0)),
            stock_costs=self._cost_items("stock"),
            inventory_costs=self._cost_items("inventory"),
            effects=self._effects(),
            mode=ApplyMode.SPREAD if entry.apply == "spread" else ApplyMode.FINISH,
            inventory_yields=self._yield_items("inventory"),
            stock_yields=self._yield_items("stock"),
            linked_yields=self._yield_items("linked"),
            cooldown=DEFAULT_COOLDOWN if entry.cooldown is None else entry.cooldown,
            is_owner_only=entry.owner_only,
            before=self._hook_codes("before", entry.hooks.before),
            after=self._hook_codes("after", entry.hooks.after),
            fail=self._hook_codes("fail", entry.hooks.fail),
            needs_power=any(condition.needs_power for condition in compiled),
            needs_water=any(condition.needs_water for condition in compiled),
        )

    def _note(self, place: str, problem: str) -> None:
        self._problems.add(f"{self._entry.id}.{place}", problem)

    def _condition(self, number: int, text: str) -> Condition | None:
        try:
            return compile_condition(text, self._items)
        except ExpressionError as error:
            self._note(f"preconds.{number}", str(error))
            return None

    def _amount(self, place: str, given: Amount) -> Terms:
        try:
            return parse_amount(given)
        except ValueError as error:
            self._note(place, str(error))
            return NO_TERMS

    def _effects(self) -> tuple[Terms, Terms, Terms]:
        hunger, hygiene, energy = (
            self._amount(f"effects.{need}", self._entry.effects.get(need, 0.0)) for need in NEED_NAMES
        )
        return hunger, hygiene, energy

    def _cost_items(self, owner: str) -> tuple[int, ...]:
        counts = dict.fromkeys(self._items, 0)
        for key, amount in self._entry.costs.items():
            kind, _, item = key.partition(".")
            if key == "money":
                continue
            if kind not in ("stock", "inventory") or not item:
                self._note(f"costs.{key}", "costs are money, stock.<item> and inventory.<item>")
            elif kind == owner:
                counts[item] = self._cost(key, amount)
        return tuple(counts.values())

    def _cost(self, key: str, amount: Amount) -> int:
        if isinstance(amount, int | float) and 1 <= amount <= MOST_ITEMS and amount == int(amount):
            return int(amount)
        self._note(f"costs.{key}", f"{amount!r} is no whole number from 1 to {MOST_ITEMS}")
        return 0

    def _yield_items(self, owner: str) -> tuple[int, ...]:
        counts = dict.fromkeys(self._items, 0)
        for key, amount in self._entry.yields.items():
            kind, _, item = key.partition(".")
            if kind not in ("inventory", "stock", "linked") or not item:
                self._note(f"yields.{key}", "yields are inventory.<item>, stock.<item> and linked.<item>")
            elif kind == owner:
                counts[item] = amount
        return tuple(counts.values())

    def _hook_codes(self, place: str, names: Sequence[str]) -> tuple[int, ...]:
        for name in names:
            if name not in self._hooks:
                self._note(f"hooks.{place}", f"there is no hook {name!r}; there are: {', '.join(self._hooks)}")
        return tuple(int(self._hooks[name]) for name in names if name in self._hooks)
