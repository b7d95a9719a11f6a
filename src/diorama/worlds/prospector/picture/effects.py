"""What the events of a step look like, and the marks of danger."""

import math
from collections.abc import Collection
from typing import Final

from diorama.worlds.drawing import Color
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.picture import palette
from diorama.worlds.prospector.picture.canvas import Canvas, Point
from diorama.worlds.prospector.picture.facts import RenderFacts
from diorama.worlds.prospector.picture.layout import CENTER, VIEW_HEIGHT, VIEW_WIDTH, around, asteroid_place

_ALERT_SHOWN: Final = 70.0
_HULL_LOW: Final = 25.0
_HEAT_HIGH: Final = 85.0
_FUEL_LOW: Final = 100.0
_WARNINGS: Final = (Event.INVALID_ACTION, Event.PIRATE_ENCOUNTER, Event.OVERHEAT_TICK, Event.FRACTURE)
_ENDS: Final = (Event.DESTROYED, Event.STRANDED)


def draw_actions(canvas: Canvas, facts: RenderFacts, events: Collection[str]) -> None:
    """Draw what the ship has just done, under the ship and the rocks."""
    target = next((asteroid_place(rock.slot, rock.scan_conf) for rock in facts.asteroids if rock.selected), None)
    if Event.TRAVEL in events or Event.EMERGENCY_BURN in events:
        for streak in range(40):
            angle = math.tau * streak / 40 + 0.11 * (streak % 3)
            start, stop = 60.0 + 17.0 * (streak % 5), 120.0 + 23.0 * (streak % 4)
            canvas.line([around(CENTER, start, angle), around(CENTER, stop, angle)], palette.STAR, 0.8, 0.5)
    if Event.SCAN in events or Event.THREAT_LISTEN in events:
        for radius, alpha in ((34.0, 0.8), (58.0, 0.5), (86.0, 0.28)):
            canvas.ring(CENTER, radius, palette.SCAN, 1.4, alpha)
    if Event.MINE in events and target is not None:
        canvas.line([CENTER, target], palette.BEAM, 4.5, 0.3)
        canvas.line([CENTER, target], palette.BEAM, 1.6)
        canvas.glow(target, 11.0, palette.BEAM, 0.9)
    if Event.STABILIZE in events and target is not None:
        canvas.line([CENTER, target], palette.SHIELD, 1.6, 0.9)


def draw_blasts(canvas: Canvas, events: Collection[str]) -> None:
    """Draw what has struck the ship, over everything else."""
    if Event.FRACTURE in events:
        _blast(canvas, (CENTER[0] + 26.0, CENTER[1] - 18.0), 18.0)
    if Event.DESTROYED in events:
        _blast(canvas, CENTER, 46.0)
    if Event.OVERHEAT_TICK in events:
        canvas.glow(CENTER, 30.0, palette.BAD, 0.8)


def draw_dangers(canvas: Canvas, facts: RenderFacts, events: Collection[str]) -> None:
    """Draw hazard and pirate markers, and a red border on warnings."""
    if facts.node.type == "hazard":
        _radiation(canvas, (20.0, 22.0))
        canvas.text((34.0, 22.0), "HAZARD FIELD", palette.FAIR, 6.5)
    if Event.PIRATE_ENCOUNTER in events or facts.ship.alert >= _ALERT_SHOWN:
        is_here = Event.PIRATE_ENCOUNTER in events
        _skull(canvas, (VIEW_WIDTH - 20.0, 22.0), palette.BAD if is_here else palette.FAIR)
        words = "PIRATES" if is_here else "HUNTED"
        canvas.text((VIEW_WIDTH - 34.0, 22.0), words, palette.BAD if is_here else palette.FAIR, 6.5, "rm")
    if is_warning(facts, events):
        canvas.frame((0.0, 0.0), (VIEW_WIDTH, VIEW_HEIGHT), palette.BAD, 2.2)


def is_warning(facts: RenderFacts, events: Collection[str]) -> bool:
    """Whether the pilot should worry."""
    ship = facts.ship
    is_worn = ship.hull <= _HULL_LOW or ship.heat >= _HEAT_HIGH or ship.fuel <= _FUEL_LOW
    return is_worn or any(event in events for event in (*_WARNINGS, *_ENDS))


def _blast(canvas: Canvas, center: Point, radius: float) -> None:
    canvas.glow(center, radius, palette.FLAME, 1.0)
    spikes = [around(center, radius * (0.75 if spike % 2 else 0.3), math.tau * spike / 22) for spike in range(22)]
    canvas.polygon(spikes, palette.FAIR, 0.9)
    canvas.disc(center, radius * 0.26, palette.TEXT, 0.95)


def _radiation(canvas: Canvas, center: Point) -> None:
    canvas.disc(center, 9.5, palette.FAIR)
    for blade in range(3):
        middle = -math.pi / 2 + math.tau * blade / 3
        edge = [around(center, 8.0, middle + math.pi / 6 * step / 4) for step in range(-4, 5)]
        canvas.polygon([center, *edge], palette.SKY_TOP)
    canvas.disc(center, 2.6, palette.FAIR)
    canvas.disc(center, 1.5, palette.SKY_TOP)


def _skull(canvas: Canvas, center: Point, color: Color) -> None:
    x, y = center
    canvas.line([(x - 9.0, y + 3.0), (x + 9.0, y + 10.0)], color, 2.0)
    canvas.line([(x + 9.0, y + 3.0), (x - 9.0, y + 10.0)], color, 2.0)
    canvas.disc((x, y - 1.5), 7.5, color)
    canvas.box((x - 3.8, y + 2.5), (7.6, 6.0), color, radius=1.5)
    for side in (-2.8, 2.8):
        canvas.disc((x + side, y - 1.5), 2.0, palette.SKY_TOP)
    canvas.polygon([(x, y + 0.6), (x - 1.2, y + 3.0), (x + 1.2, y + 3.0)], palette.SKY_TOP)
