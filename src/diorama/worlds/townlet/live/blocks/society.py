"""`conflict` and `relationships`."""

from typing import Final

from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.codes import EvictionReason, word
from diorama.worlds.townlet.live.blocks.citizens import tie_value
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.sections import Section
from diorama.worlds.townlet.reference.console.management import queue_metrics
from diorama.worlds.townlet.reference.console.society import conflict_notes, queue_windows, tie_changes
from diorama.worlds.townlet.reference.state.town import Town

RIVALRIES_TOLD: Final = 10
CONFLICTS_TOLD: Final = 20


def _queue_mark(_: Scene, town: Town) -> object:
    metrics = town.queues
    return (
        metrics.requests,
        metrics.grants,
        metrics.timeouts,
        metrics.cooldown_events,
        metrics.ghost_step_events,
        metrics.ghost_move_events,
        metrics.rotation_events,
        metrics.wait_ticks,
        metrics.conflict_intensity_sum,
    )


def _history_mark(scene: Scene, _: Town) -> object:
    windows = scene.town.chronicle.queues
    last = windows[-1] if windows else None
    return None if last is None else (last.start_tick, last.ghost_steps, last.rotations, last.conflicts)


def _rivalry_mark(scene: Scene, _: Town) -> object:
    return scene.slow, sum(map(len, scene.ties))


def _rivalries(scene: Scene, _: Town) -> JsonValue:
    edges = [
        (row.rivalry, scene.ids[seat], row.other)
        for seat, rows in enumerate(scene.ties)
        for row in rows
        if row.rivalry > 0.0
    ]
    worst = sorted(edges, key=lambda edge: (-edge[0], edge[1], edge[2]))[:RIVALRIES_TOLD]
    return [{"from": owner, "to": other, "rivalry": rivalry} for rivalry, owner, other in worst]


CONFLICT_SECTIONS: Final[tuple[Section[Town], ...]] = (
    Section(name="queues", mark=_queue_mark, tell=lambda _, town: queue_metrics(town)),
    Section(name="queue_history", mark=_history_mark, tell=lambda _, town: queue_windows(town)),
    Section(name="rivalry", mark=_rivalry_mark, tell=_rivalries),
    Section(
        name="rivalry_events",
        mark=lambda scene, town: (town.queues.conflict_intensity_sum, scene.edition),
        tell=lambda _, town: conflict_notes(town, CONFLICTS_TOLD),
    ),
)


def _ties(scene: Scene, _: Town) -> JsonValue:
    return {
        scene.ids[seat]: {row.other: tie_value(row) for row in rows}
        for seat, rows in enumerate(scene.ties)
        if scene.ids[seat]
    }


def _churn(_: Scene, town: Town) -> JsonValue:
    return [
        {
            "window": window.index,
            "total": sum(window.by_reason),
            "by_reason": {word(reason): window.by_reason[reason] for reason in EvictionReason},
        }
        for window in town.social.churn
    ]


def _churn_mark(_: Scene, town: Town) -> object:
    churn = town.social.churn
    return (churn[-1].index, sum(churn[-1].by_reason)) if churn else None


RELATIONSHIP_SECTIONS: Final[tuple[Section[Town], ...]] = (
    Section(name="ties", mark=lambda scene, _: (tuple(scene.ids), tuple(scene.ties)), tell=_ties),
    Section(name="churn", mark=_churn_mark, tell=_churn),
    Section(
        name="updates",
        mark=lambda scene, _: scene.town.chronicle.tie_changes_total,
        tell=lambda _, town: tie_changes(town),
    ),
)
