"""`objects.<id>`: who uses an object, who waits, and what is in stock."""

from typing import Final

from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.sections import Section, fixed_section
from diorama.worlds.townlet.live.blocks.values import told

Thing = int  # index of an object


def _running(scene: Scene, thing: Thing) -> JsonValue:
    state = scene.town.objects[thing]
    if state.spec is None:
        return None
    return told(affordance=state.spec.id, remaining=state.remaining, duration=state.spec.duration)


def _running_mark(scene: Scene, thing: Thing) -> object:
    state = scene.town.objects[thing]
    return None if state.spec is None else (state.spec.id, state.remaining)


def _queue_mark(scene: Scene, thing: Thing) -> object:
    queue = scene.town.objects[thing].queue
    return tuple((entry.seat, entry.joined_tick) for entry in queue) if queue else ()


def _queue(scene: Scene, thing: Thing) -> JsonValue:
    return [
        told(agent_id=scene.id_at(entry.seat), since_tick=entry.joined_tick)
        for entry in scene.town.objects[thing].queue
    ]


def _stock(scene: Scene, thing: Thing) -> JsonValue:
    counts = scene.town.objects[thing].stock
    return {item: count for item, count in zip(scene.town.tables.items, counts, strict=True) if count}


THING_SECTIONS: Final[tuple[Section[Thing], ...]] = (
    fixed_section("type", lambda scene, thing: scene.town.tables.types[scene.town.tables.objects[thing].type]),
    fixed_section("pos", lambda scene, thing: list(scene.town.tables.map.xy(scene.town.tables.objects[thing].tile))),
    Section(
        name="holder",
        mark=lambda scene, thing: scene.id_at(scene.town.objects[thing].holder),
        tell=lambda scene, thing: scene.id_at(scene.town.objects[thing].holder),
    ),
    Section(
        name="owner",
        mark=lambda scene, thing: scene.id_at(scene.town.objects[thing].owner),
        tell=lambda scene, thing: scene.id_at(scene.town.objects[thing].owner),
    ),
    Section(name="queue", mark=_queue_mark, tell=_queue),
    Section(name="running", mark=_running_mark, tell=_running),
    Section(name="stock", mark=lambda scene, thing: tuple(scene.town.objects[thing].stock), tell=_stock),
)
