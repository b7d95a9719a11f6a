"""Puts the picture together: how accurate the host is beside its twin, and what grows in its slots."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from diorama.contracts.values import JsonObject
from diorama.contracts.work import checkpoint
from diorama.worlds.drawing import Color, font
from diorama.worlds.morphogenesis.picture import palette
from diorama.worlds.morphogenesis.picture.facts import Facts, SlotPart, read_facts

SIZE_PX: Final = (640, 400)
_OVERSAMPLING: Final = 2
_CHART: Final = (24, 64, 616, 238)
_SLOTS: Final = (24, 262, 616, 380)
_GAP: Final = 14
_LINE: Final = 4
_STEP_PERCENT: Final = 10

Point = tuple[float, float]


def compose(render_state: JsonObject) -> Image.Image:
    """Return the picture of one moment."""
    facts = read_facts(render_state)
    image = Image.new("RGB", (SIZE_PX[0] * _OVERSAMPLING, SIZE_PX[1] * _OVERSAMPLING), palette.PAPER)
    pen = ImageDraw.Draw(image)
    _write(pen, facts)
    _draw_chart(pen, facts)
    for place, slot in enumerate(facts.slots):
        _draw_slot(pen, slot, place, len(facts.slots))
    return image.reduce(_OVERSAMPLING)


def _write(pen: ImageDraw.ImageDraw, facts: Facts) -> None:
    accuracy = "not measured yet" if facts.accuracy is None else f"{facts.accuracy:.1f}%"
    _text(pen, (24, 30), accuracy, palette.HOST, 26)
    if facts.gain is not None:
        color = palette.AHEAD if facts.gain >= 0 else palette.BEHIND
        _text(pen, (170, 30), f"{facts.gain:+.1f} over the twin that never grows", color, 15)
    growth = facts.total_params / facts.host_params
    where = "put back to its last snapshot" if facts.is_rolling_back else f"{growth:.2f} times its first size"
    _text(pen, (616, 20), f"{facts.task}, epoch {facts.epoch} of {facts.max_epochs}", palette.TEXT, 13, "rm")
    _text(pen, (616, 40), where, palette.FAINT, 13, "rm")


def _draw_chart(pen: ImageDraw.ImageDraw, facts: Facts) -> None:
    left, top, right, bottom = _CHART
    pen.rounded_rectangle(_scaled(*_CHART), 16, fill=palette.PANEL)
    low, high = _span(facts)

    def at(epoch: int, percent: float) -> Point:
        across, up = epoch / facts.max_epochs, (percent - low) / (high - low)
        return left + 8 + across * (right - left - 16), bottom - 8 - up * (bottom - top - 16)

    for percent in range(low + _STEP_PERCENT, high, _STEP_PERCENT):
        start, end = at(0, percent), at(facts.max_epochs, percent)
        pen.line(_scaled(*start, *end), fill=palette.GRID, width=_OVERSAMPLING)
    for values, color in ((facts.history.control, palette.CONTROL), (facts.history.accuracy, palette.HOST)):
        places = [at(epoch, value) for epoch, value in enumerate(values, start=1) if value is not None]
        _draw_line(pen, places, color)


def _span(facts: Facts) -> tuple[int, int]:
    """Return between which whole tens of percent everything lies that was measured."""
    measured = [value for value in (*facts.history.accuracy, *facts.history.control) if value is not None]
    low = int(min(measured, default=0.0) // _STEP_PERCENT) * _STEP_PERCENT
    high = int(max(measured, default=0.0) // _STEP_PERCENT + 1) * _STEP_PERCENT
    return low, max(high, low + 2 * _STEP_PERCENT)


def _draw_line(pen: ImageDraw.ImageDraw, places: Sequence[Point], color: Color) -> None:
    flat = _scaled(*(number for place in places for number in place))
    if len(places) > 1:
        pen.line(flat, fill=color, width=_LINE * _OVERSAMPLING, joint="curve")
    for x, y in places[-1:]:
        pen.ellipse(_scaled(x - 6, y - 6, x + 6, y + 6), fill=color)


def _draw_slot(pen: ImageDraw.ImageDraw, slot: SlotPart, place: int, count: int) -> None:
    left, top, right, bottom = _SLOTS
    width = (right - left - _GAP * (count - 1)) / count
    x0 = left + place * (width + _GAP)
    color = palette.STAGES[slot.stage]
    pen.rounded_rectangle(
        _scaled(x0, top, x0 + width, bottom), 20, fill=palette.PANEL, outline=color, width=3 * _OVERSAMPLING
    )
    _text(pen, (x0 + 14, top + 22), slot.slot_id, palette.FAINT, 13)
    _text(pen, (x0 + 14, top + 46), slot.stage.lower(), color, 15)
    if slot.seed is None:
        return
    _text(pen, (x0 + 14, top + 68), slot.seed.blueprint.replace("_", " "), palette.TEXT, 13)
    # How much of the module the host feels fills the slot from the left.
    felt = max(0.0, min(1.0, slot.seed.alpha)) * (width - 28)
    pen.rounded_rectangle(_scaled(x0 + 14, bottom - 30, x0 + width - 14, bottom - 14), 8, fill=palette.GRID)
    if felt > 0:
        pen.rounded_rectangle(_scaled(x0 + 14, bottom - 30, x0 + 14 + felt, bottom - 14), 8, fill=color)


def _text(pen: ImageDraw.ImageDraw, at: Point, words: str, color: Color, size: float, anchor: str = "lm") -> None:
    checkpoint()
    x, y = _scaled(*at)
    pen.text((x, y), words, fill=color, font=font(size * _OVERSAMPLING), anchor=anchor)


def _scaled(*numbers: float) -> list[float]:
    return [number * _OVERSAMPLING for number in numbers]
