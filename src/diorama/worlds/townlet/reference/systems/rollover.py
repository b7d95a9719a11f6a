"""Midnight: deliveries, rent, a new working day, and the judgment of the day that has passed."""

from diorama.worlds.townlet.codes import Price, Role
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.hiring import reset_shifts, take_applications
from diorama.worlds.townlet.reference.systems.kpis import close_window
from diorama.worlds.townlet.reference.systems.lifecycle import judge_day
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS

_MEALS = CORE_ITEMS.index("meals")
_GROCERIES = CORE_ITEMS.index("groceries")


def roll_over(town: Town) -> None:
    """Begin a new day, if one begins."""
    if town.tod != 0 or town.tick == 0:
        return
    restock(town)
    collect_rent(town)
    reset_shifts(town)
    take_applications(town)
    judge_day(town)
    close_window(town)


def restock(town: Town) -> None:
    """Deliver meals to public fridges and groceries to tills."""
    rule = town.config.economy.restock
    for row in town.tables.objects:
        roles = [town.tables.roles[role] for role in (Role.EAT, Role.BUY)]
        kinds = [affordance.index for affordance in town.tables.by_type[row.type]]
        if roles[0] in kinds and not row.is_residents:
            _deliver(town, row.index, _MEALS, rule.cafe_meals, rule.cafe_meals_cap)
        if roles[1] in kinds:
            _deliver(town, row.index, _GROCERIES, rule.till_groceries, rule.till_groceries_cap)


def collect_rent(town: Town) -> None:
    """Pay stipends, then take rent; who cannot pay falls into arrears."""
    rent, stipend = town.economy.live[Price.RENT], town.config.economy.stipend_per_day
    for citizen in town.living():
        citizen.wallet += stipend
        if citizen.wallet >= rent:
            citizen.wallet -= rent
            citizen.decline.rent_arrears = 0
            town.record(EventKind.RENT_PAID, citizen.number, rent)
        else:
            citizen.decline.rent_arrears += 1
            town.record(EventKind.RENT_MISSED, citizen.number, citizen.decline.rent_arrears)


def _deliver(town: Town, object_index: int, item: int, amount: int, cap: int) -> None:
    stock = town.objects[object_index].stock
    after = max(stock[item], min(cap, stock[item] + amount))
    town.record(EventKind.STOCK_REPLENISH, object_index, item, after - stock[item])
    stock[item] = after
