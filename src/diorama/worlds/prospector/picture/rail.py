"""The instruments beside the view: gauges, hold, money, market."""

from typing import Final

from diorama.worlds.prospector.contract import N_COMMODITIES
from diorama.worlds.prospector.picture import palette
from diorama.worlds.prospector.picture.canvas import Canvas
from diorama.worlds.prospector.picture.facts import RenderFacts, ShipFacts
from diorama.worlds.prospector.picture.layout import RAIL_WIDTH, VIEW_HEIGHT, VIEW_WIDTH
from diorama.worlds.prospector.reference.constants import (
    ALERT_MAX,
    CARGO_MAX,
    FUEL_MAX,
    HEAT_MAX,
    HULL_MAX,
    PRICE_MAX,
    PRICE_MIN,
    TOOL_MAX,
)

_LEFT: Final = VIEW_WIDTH + 9.0
_RIGHT: Final = VIEW_WIDTH + RAIL_WIDTH - 9.0
_WIDTH: Final = _RIGHT - _LEFT
_BAR_HEIGHT: Final = 4.2
_ROW: Final = 12.6
_LOW: Final = 0.25
_HALF: Final = 0.5
_STEADY: Final = 0.05  # credits; smaller moves of a price are none


def draw_rail(canvas: Canvas, facts: RenderFacts) -> None:
    """Draw all instruments."""
    canvas.box((VIEW_WIDTH, 0.0), (RAIL_WIDTH, VIEW_HEIGHT), palette.PANEL)
    canvas.line([(VIEW_WIDTH, 0.0), (VIEW_WIDTH, VIEW_HEIGHT)], palette.PANEL_EDGE, 1.0)
    _money(canvas, facts)
    for row, (title, value, most, is_good_full) in enumerate(_gauges(facts.ship)):
        _gauge(canvas, 44.0 + row * _ROW, title, value, most, is_good_full=is_good_full)
    _hold(canvas, facts.ship, 109.0)
    _stores(canvas, facts.ship, 132.0)
    _market(canvas, facts, 148.0)
    _place_and_time(canvas, facts, 240.0)


def _gauges(ship: ShipFacts) -> tuple[tuple[str, float, float, bool], ...]:
    return (
        ("Fuel", ship.fuel, FUEL_MAX, True),
        ("Hull", ship.hull, HULL_MAX, True),
        ("Tool", ship.tool, TOOL_MAX, True),
        ("Heat", ship.heat, HEAT_MAX, False),
        ("Alert", ship.alert, ALERT_MAX, False),
    )


def _money(canvas: Canvas, facts: RenderFacts) -> None:
    canvas.text((_LEFT, 13.0), f"{facts.credits:,.0f}", palette.TEXT, 11.0)
    canvas.text((_RIGHT, 14.0), "credits", palette.MUTED, 5.5, "rm")
    color = palette.GOOD if facts.net_profit >= 0.0 else palette.BAD
    canvas.text((_LEFT, 26.5), f"{facts.net_profit:+,.0f} net profit", color, 6.5)
    state, state_color = ("alive", palette.GOOD) if facts.survival >= _HALF else ("lost", palette.BAD)
    canvas.text((_RIGHT, 26.5), state, state_color, 6.5, "rm")
    canvas.line([(_LEFT, 34.5), (_RIGHT, 34.5)], palette.PANEL_EDGE, 0.6)


def _gauge(canvas: Canvas, top: float, title: str, value: float, most: float, *, is_good_full: bool) -> None:
    share = max(0.0, min(1.0, value / most))
    health = share if is_good_full else 1.0 - share
    color = palette.BAD if health < _LOW else palette.FAIR if health < _HALF else palette.GOOD
    canvas.text((_LEFT, top), title, palette.MUTED, 5.8)
    canvas.text((_RIGHT, top), f"{value:,.0f}", palette.TEXT, 5.8, "rm")
    left, width = _LEFT + 24.0, _WIDTH - 46.0
    canvas.box((left, top - _BAR_HEIGHT / 2), (width, _BAR_HEIGHT), palette.TRACK, radius=2.0)
    if share > 0.0:
        canvas.box((left, top - _BAR_HEIGHT / 2), (max(2.0, width * share), _BAR_HEIGHT), color, radius=2.0)


def _hold(canvas: Canvas, ship: ShipFacts, top: float) -> None:
    canvas.text((_LEFT, top), "Hold", palette.MUTED, 5.8)
    canvas.text((_RIGHT, top), f"{ship.cargo_total:.0f} / {CARGO_MAX:.0f}", palette.TEXT, 5.8, "rm")
    canvas.box((_LEFT, top + 5.5), (_WIDTH, 7.0), palette.TRACK, radius=2.0)
    start = _LEFT
    for units, color in zip(ship.cargo, palette.COMMODITY_COLORS.values(), strict=True):
        length = _WIDTH * units / CARGO_MAX
        if length > 0.0:
            canvas.box((start, top + 5.5), (length, 7.0), color)
        start += length


def _stores(canvas: Canvas, ship: ShipFacts, top: float) -> None:
    for column, (title, count) in enumerate(
        (("kits", ship.repair_kits), ("stabilizers", ship.stabilizers), ("decoys", ship.decoys))
    ):
        place = _LEFT + (0.0, 31.0, 85.0)[column]
        canvas.text((place, top), str(count), palette.TEXT, 6.2)
        canvas.text((place + (5.5 if count < 10 else 9.0), top), title, palette.MUTED, 5.2)


def _market(canvas: Canvas, facts: RenderFacts, top: float) -> None:
    canvas.line([(_LEFT, top - 6.0), (_RIGHT, top - 6.0)], palette.PANEL_EDGE, 0.6)
    canvas.text((_LEFT, top + 1.0), "Market", palette.MUTED, 5.8)
    canvas.text((_RIGHT, top + 1.0), "price", palette.MUTED, 5.8, "rm")
    for commodity in range(N_COMMODITIES):
        line = top + 13.0 + 12.0 * commodity
        price, delta = facts.market.price[commodity], facts.market.delta[commodity]
        color = tuple(palette.COMMODITY_COLORS.values())[commodity]
        canvas.disc((_LEFT + 2.2, line), 2.2, color)
        canvas.text((_LEFT + 8.0, line), palette.COMMODITY_TITLES[commodity], palette.TEXT, 5.6)
        share = (price - PRICE_MIN[commodity]) / (PRICE_MAX[commodity] - PRICE_MIN[commodity])
        canvas.box((_LEFT + 43.0, line - 1.5), (36.0, 3.0), palette.TRACK, radius=1.5)
        canvas.box((_LEFT + 43.0, line - 1.5), (max(1.5, 36.0 * share), 3.0), color, radius=1.5)
        _trend(canvas, _LEFT + 86.0, line, delta)
        canvas.text((_RIGHT, line), f"{price:.0f}", palette.TEXT, 5.8, "rm")


def _trend(canvas: Canvas, x: float, y: float, delta: float) -> None:
    if abs(delta) < _STEADY:
        canvas.line([(x - 2.0, y), (x + 2.0, y)], palette.MUTED, 0.9)
        return
    tip = -2.0 if delta > 0.0 else 2.0
    color = palette.GOOD if delta > 0.0 else palette.BAD
    canvas.polygon([(x, y + tip), (x - 2.2, y - tip), (x + 2.2, y - tip)], color)


def _place_and_time(canvas: Canvas, facts: RenderFacts, top: float) -> None:
    canvas.line([(_LEFT, top - 8.0), (_RIGHT, top - 8.0)], palette.PANEL_EDGE, 0.6)
    canvas.text((_LEFT, top), place_words(facts), palette.TEXT, 5.8)
    canvas.text((_LEFT, top + 10.0), f"tick {facts.time:,}", palette.MUTED, 5.8)
    canvas.text((_RIGHT, top + 10.0), f"{facts.time_remaining:,.0f} left", palette.MUTED, 5.8, "rm")


def place_words(facts: RenderFacts) -> str:
    """Say where the ship is; a lost one is docked nowhere."""
    hops = facts.node.steps_to_station
    if hops > 0:
        return f"{facts.node.type} {facts.node.index}, {hops} from station"
    return "docked at the station" if facts.survival >= _HALF else "lost at the station"
