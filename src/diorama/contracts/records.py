"""`StepRecord`: the last step of one copy, in full precision and with names."""

from collections.abc import Mapping
from dataclasses import dataclass

from diorama.contracts.values import JsonObject, JsonValue

Decision = tuple[int, ...]  # one option per head


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """One step of one copy on the cold path; per-seat entries are in seat order.

    Attributes:
        received: The decision each seat sent; None for a seat that took none (always None at a reset).
        effective: The decision that was executed.
        rewards: In binary64.
        reward_terms: The parts each reward is the sum of, by name.
        metrics: One tuple per seat in the order of the world's metric table, in binary64.
        dt: Ticks the step took; 0 at a reset.
        events: Names, in the order they happened.
        event_data: Payload of each event that has one.
        info: Further keys of the world.
        draws: Random numbers the copy has consumed since it was seeded.
    """

    received: tuple[Decision | None, ...]
    effective: tuple[Decision | None, ...]
    rewards: tuple[float, ...]
    reward_terms: tuple[Mapping[str, float], ...]
    terminated: tuple[bool, ...]
    truncated: tuple[bool, ...]
    metrics: tuple[tuple[float, ...], ...]
    dt: int
    events: tuple[str, ...]
    event_data: Mapping[str, JsonObject]
    info: Mapping[str, JsonValue]
    draws: int
