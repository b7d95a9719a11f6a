"""Puts the picture together, from the back to the front."""

from collections.abc import Sequence

from PIL.Image import Image

from diorama.contracts.values import JsonObject
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.picture.craft import draw_ship, draw_station
from diorama.worlds.prospector.picture.effects import draw_actions, draw_blasts, draw_dangers
from diorama.worlds.prospector.picture.facts import RenderFacts
from diorama.worlds.prospector.picture.layout import CENTER
from diorama.worlds.prospector.picture.minimap import draw_map
from diorama.worlds.prospector.picture.rail import draw_rail
from diorama.worlds.prospector.picture.rocks import draw_rock
from diorama.worlds.prospector.picture.sky import sky

_BURNS = (Event.TRAVEL, Event.EMERGENCY_BURN)


def compose(render_state: JsonObject, events: Sequence[str]) -> Image:
    """Return the picture of one moment."""
    facts = RenderFacts.model_validate(render_state)
    canvas = sky(facts.node.index, facts.node.type == "hazard").copy()
    if facts.node.type == "station":
        draw_station(canvas)
    draw_actions(canvas, facts, events)
    for rock in facts.asteroids:
        draw_rock(canvas, facts.node.index, rock)
    draw_ship(canvas, CENTER, is_burning=any(event in events for event in _BURNS))
    draw_blasts(canvas, events)
    draw_map(canvas, facts)
    draw_dangers(canvas, facts, events)
    draw_rail(canvas, facts)
    return canvas.finished()
