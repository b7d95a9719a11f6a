"""Hulls that must be complete, and starts that must fit them."""

from collections.abc import Iterator

from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.structure import dotted
from diorama.worlds.tidebreak.resolve.hulls import hull_gaps, resolve_hull
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedHull


def check_hulls(draft: Draft, content: Content) -> Iterator[Problem]:
    """P032: a class that does not exist, or a hull that is not complete without one."""
    for index, ship in draft.ships:
        for gap in hull_gaps(ship, content):
            yield Problem("P032", dotted("ships", index, *gap.path), gap.message)


def check_starts(draft: Draft, content: Content) -> Iterator[Problem]:
    """P035, P036: layer, speed and hit points the hull does not have."""
    ships = dict(draft.ships)
    for index, hull in complete_hulls(draft, content).items():
        state = ships[index].initial_state
        at = ("ships", index, "initial_state")
        if not hull.layers_mask >> state.layer & 1:
            allowed = ", ".join(layer.name for layer in Layer if hull.layers_mask >> layer & 1)
            yield Problem("P035", dotted(*at, "layer"), f"{state.layer.name} is closed to it; it can be {allowed}")
        elif state.speed > hull.speed_ms[state.layer]:
            limit = hull.speed_ms[state.layer]
            yield Problem("P036", dotted(*at, "speed"), f"{state.speed:g} m/s is above its {limit:g}")
        if state.hp is not None and not 0.0 < state.hp <= hull.hp_max:
            yield Problem("P036", dotted(*at, "hp"), f"{state.hp:g} is outside 0 (exclusive) to {hull.hp_max:g}")


def complete_hulls(draft: Draft, content: Content) -> dict[int, ResolvedHull]:
    """Return the hulls that can be worked out, by the index of their ship."""
    return {index: resolve_hull(ship, content) for index, ship in draft.ships if not hull_gaps(ship, content)}
