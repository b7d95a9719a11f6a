"""Masks of the native core say the truth: each order, alone, against the same tick without it."""

from collections.abc import Iterator

import numpy as np
import pytest

from diorama.contracts.values import F32, U8
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, HEAD_SIZES, HEADS, METRICS, Head, SupportOrder
from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.layout import CONTACT_COLUMNS, HOSTILE_ROWS, Contact, Own
from diorama.worlds.tidebreak.resolve import ResolvedPackage, resolve
from diorama.worlds.tidebreak.scenarios import random_battle

NOOP = [head.noop for head in HEADS]
INVALID = [metric.key for metric in METRICS].index("invalid_actions")
ORDER_HEADS = tuple(head for head in Head if head >= Head.LAYER)


def with_order(head: Head, option: int) -> list[int]:
    decision = [*NOOP]
    decision[head] = option
    return decision


def masked_decision(mask: U8, rng: np.random.Generator) -> list[int]:
    heads = zip(HEAD_OFFSETS, HEAD_SIZES, strict=True)
    return [int(rng.choice(np.flatnonzero(mask[start : start + size]))) for start, size in heads]


def cannot_tell(obs: F32, head: Head, option: int, *, is_allowed: bool) -> bool:
    """Whether an order that is taken need not show: the target is designated already, or cannot be boarded in truth."""
    if head is Head.TARGET:
        row = option - 1
        return row < HOSTILE_ROWS and bool(obs[Own.SIZE + row * CONTACT_COLUMNS + Contact.IS_DESIGNATED])
    return is_allowed and head is Head.SUPPORT and option == SupportOrder.BOARD


def orders_tried(package: ResolvedPackage, seed: int, ticks: int) -> Iterator[tuple[bool, str]]:
    """Play at random; for one order of every ship at every tick, tell whether the mask was right, and what it was."""
    rng = np.random.default_rng(seed)
    ships = [unit.ship_id for unit in package.battle.units]
    arena = open_arena(package, dict.fromkeys(ships, "agent"))
    trial = open_arena(package, dict.fromkeys(ships, "agent"))
    for _ in range(ticks):
        if arena.is_over:
            return
        seen = {ship: arena.observe(ship) for ship in ships}
        able = [ship for ship in ships if int(seen[ship][1].sum()) > len(HEADS)]
        start = arena.snapshot()
        trial.restore(start)
        trial.step(dict.fromkeys(ships, NOOP))
        without = trial.state_hash(), trial.snapshot(), {ship: trial.metrics(ship)[INVALID] for ship in able}
        for ship in able:
            obs, mask = seen[ship]
            head = ORDER_HEADS[rng.integers(len(ORDER_HEADS))]
            option = int(rng.integers(1, HEAD_SIZES[head]))
            is_allowed = bool(mask[HEAD_OFFSETS[head] + option])
            if cannot_tell(obs, head, option, is_allowed=is_allowed):
                continue
            trial.restore(start)
            trial.step({**dict.fromkeys(ships, NOOP), ship: with_order(head, option)})
            if is_allowed:
                is_counted = trial.metrics(ship)[INVALID] != without[2][ship]
                is_out = int(trial.observe(ship)[1].sum()) == len(HEADS)  # a ship that gives up keeps nothing of it
                is_right = not is_counted and (is_out or trial.snapshot() != without[1])
            else:
                is_right = trial.state_hash() == without[0]
            yield is_right, f"{ship}: {head.name} {option} at tick {arena.tick}, allowed: {is_allowed}"
        arena.step({ship: masked_decision(seen[ship][1], rng) for ship in able})


def check(battles: range, ticks: int) -> int:
    tried = 0
    for number in battles:
        for is_right, what in orders_tried(resolve(random_battle(number)), number, ticks):
            assert is_right, f"battle {number}, {what}"
            tried += 1
    return tried


def test_an_order_has_its_effect_if_and_only_if_the_mask_has_it() -> None:
    assert check(range(4), 40) > 500


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 500, 40))
def test_the_masks_hold_over_a_tenth_of_a_hundred_thousand_orders(first: int) -> None:
    assert check(range(first, first + 40), 200) > 10_000
