"""The embedding allocator: slots stand for citizens in observations, and rest before they stand for somebody else."""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Final

from diorama.worlds.townlet.codes import NEVER, NOBODY, NOTHING
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.town import Town

IDENTITY_SIZE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingMetrics:
    """How the slots are doing; `reuse_warning` when too many were taken before they had rested."""

    allocations_total: int
    forced_reuse_count: int
    forced_reuse_rate: float
    reuse_warning: bool
    slots_free: int
    slots_cooling: int


def has_free_slot(town: Town) -> bool:
    """Whether a newcomer can be given a slot."""
    return NOBODY in town.embedding.holders


def allocate(town: Town, number: int) -> int:
    """Give a citizen a slot, or return the one it has; there must be a free one.

    Never used slots come first, then the one that has rested longest; one that has not rested enough is told of.
    """
    pool = town.embedding
    if number in pool.holders:
        return pool.holders.index(number)
    free = [slot for slot, holder in enumerate(pool.holders) if holder == NOBODY]
    slot = next((slot for slot in free if pool.released[slot] == NEVER), NOTHING)
    if slot == NOTHING:
        slot = min(free, key=pool.released.__getitem__)
        age = town.tick - pool.released[slot]
        rule = town.config.embedding_allocator
        if age < rule.cooldown_ticks:
            pool.forced_reuse_count += 1
            if rule.log_forced_reuse:
                town.record(EventKind.EMBEDDING_FORCED_REUSE, slot, age)
    pool.holders[slot] = number
    pool.allocations_total += 1
    return slot


def release_slot(town: Town, number: int) -> None:
    """Take the slot of a citizen who leaves."""
    pool = town.embedding
    slot = pool.holders.index(number)
    pool.holders[slot] = NOBODY
    pool.released[slot] = town.tick


def embedding_metrics(town: Town) -> EmbeddingMetrics:
    """The numbers of this moment."""
    pool, rule = town.embedding, town.config.embedding_allocator
    free = [slot for slot, holder in enumerate(pool.holders) if holder == NOBODY]
    rate = pool.forced_reuse_count / pool.allocations_total if pool.allocations_total else 0.0
    return EmbeddingMetrics(
        allocations_total=pool.allocations_total,
        forced_reuse_count=pool.forced_reuse_count,
        forced_reuse_rate=rate,
        reuse_warning=rate > rule.reuse_warning_threshold,
        slots_free=len(free),
        slots_cooling=sum(town.tick - pool.released[slot] < rule.cooldown_ticks for slot in free),
    )


@cache
def identity_vector(slot: int) -> tuple[float, ...]:
    """Eight numbers from -1 to 1 that stand for a slot, whoever has it."""
    digest = hashlib.sha256(f"embed:{slot}".encode()).digest()
    return tuple(2.0 * byte / 255.0 - 1.0 for byte in digest[:IDENTITY_SIZE])
