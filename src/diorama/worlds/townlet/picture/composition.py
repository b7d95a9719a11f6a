"""Puts the picture together, from the meadow to the words."""

from typing import Final

from PIL.Image import Image

from diorama.contracts.values import JsonObject
from diorama.worlds.drawing import blend
from diorama.worlds.townlet.frames import CitizenPart, FrameParts, ZonePart, read_frame
from diorama.worlds.townlet.picture import palette
from diorama.worlds.townlet.picture.sheet import SIZE_PX, Sheet
from diorama.worlds.townlet.picture.streets import shape_of, streets_of

_MINUTES_PER_DAY: Final = 24 * 60
_RIM: Final = 0.36
_FRONT: Final = 0.5
_DARKEST: Final = 0.85  # above this part of the way to midnight it is night
_DUSK: Final = 0.5


def compose(render_state: JsonObject) -> Image:
    """Return the picture of one moment."""
    frame = read_frame(render_state)
    sheet = Sheet(frame.map)
    _pave(sheet, frame)
    for index, zone in enumerate(frame.map.zones):
        if zone.door is None:
            _lay_lawn(sheet, zone)
        else:
            _build(sheet, zone, index)
    for _, kind, _, x, y, _, _ in frame.map.objects:
        color = palette.OBJECTS.get(kind, palette.THING)
        sheet.box((x + 0.1, y + 0.1, x + 0.9, y + 0.95), palette.INK, round_by=0.18)
        sheet.box((x + 0.16, y + 0.16, x + 0.84, y + 0.86), color, round_by=0.14)
    night = min(1.0, max(0.0, (frame.darkness - _DUSK) / (_DARKEST - _DUSK)))
    sheet.dim(blend(palette.DAY, palette.NIGHT, night))
    for zone in frame.map.zones:
        x0, y0, x1, _ = zone.rect
        sheet.name((x0 + x1 + 1) / 2, y0 - 0.25, zone.id.replace("_", " "), palette.WALL)
    for citizen in sorted(frame.citizens, key=lambda one: one.at[1]):
        _draw_citizen(sheet, citizen)
    _write(sheet, frame)
    return sheet.finished()


def _pave(sheet: Sheet, frame: FrameParts) -> None:
    streets = streets_of(shape_of(frame.map), frame.map.size)
    for x, y in streets:
        sheet.box((x - 0.12, y - 0.12, x + 1.12, y + 1.12), palette.CURB, round_by=0.3)
    for x, y in streets:
        sheet.box((x - 0.02, y - 0.02, x + 1.02, y + 1.02), palette.PATH, round_by=0.2)


def _lay_lawn(sheet: Sheet, zone: ZonePart) -> None:
    x0, y0, x1, y1 = zone.rect
    sheet.box((x0, y0, x1 + 1, y1 + 1), palette.PARK, round_by=0.8)
    sheet.box((x0 + 0.8, y0 + 0.8, x1 + 0.2, y1 + 0.2), palette.PATH, round_by=1.4)
    sheet.box((x0 + 1.5, y0 + 1.5, x1 - 0.5, y1 - 0.5), palette.PARK, round_by=0.9)


def _build(sheet: Sheet, zone: ZonePart, index: int) -> None:
    x0, y0, x1, y1 = zone.rect
    roof = palette.ROOFS[index % len(palette.ROOFS)]
    sheet.box((x0 + 0.3, y0 + 0.4, x1 + 1.3, y1 + 1.35), palette.SHADOW, 0.6)
    sheet.box((x0 - 0.14, y0 - 0.14, x1 + 1.14, y1 + 1.0 - _FRONT), roof)
    sheet.box((x0 + _RIM, y0 + _RIM, x1 + 1 - _RIM, y0 + 1.05), palette.WALL)
    sheet.box((x0 + _RIM, y0 + 1.0, x1 + 1 - _RIM, y1 + 1 - _FRONT - 0.25), palette.FLOOR)
    sheet.box((x0, y1 + 1 - _FRONT, x1 + 1, y1 + 1), palette.WALL)
    for x in range(x0 + 1, x1, 2):
        sheet.box((x + 0.15, y1 + 0.6, x + 0.85, y1 + 0.88), palette.WINDOW)
    if zone.door is not None:
        x, y = zone.door
        sheet.box((x, y - 0.2, x + 1, y + 1.0), palette.DOOR)
        sheet.box((x + 0.12, y - 0.2, x + 0.88, y + 1.0), palette.CURB)


def _draw_citizen(sheet: Sheet, citizen: CitizenPart) -> None:
    x, y = citizen.at[0] + 0.5, citizen.at[1] + 0.8
    cloth = palette.CLOTHES[citizen.seat % len(palette.CLOTHES)]
    sheet.oval(x, y, 0.6, 0.25, palette.INK, 0.35)
    sheet.oval(x, y - 0.45, 0.55, 0.62, palette.INK)
    sheet.oval(x, y - 0.45, 0.48, 0.55, cloth)
    sheet.oval(x, y - 1.15, 0.47, 0.47, palette.INK)
    sheet.oval(x, y - 1.15, 0.4, 0.4, palette.SKIN)
    mood = blend(palette.BAD, palette.GOOD, citizen.need)
    sheet.oval(x + 0.5, y - 1.5, 0.2, 0.2, mood)
    sheet.name(x, y + 0.12, citizen.name, palette.TEXT)


def _write(sheet: Sheet, frame: FrameParts) -> None:
    minutes = frame.tod * _MINUTES_PER_DAY // frame.ticks_per_day
    clock = f"Day {frame.day + 1}  {minutes // 60:02d}:{minutes % 60:02d}"
    sheet.plate(SIZE_PX[0] - 124, SIZE_PX[1] - 32, clock, palette.TEXT, palette.PANEL)
    lacking = [
        words
        for is_on, words in ((frame.utilities.power, "The power is out"), (frame.utilities.water, "The water is out"))
        if not is_on
    ]
    for place, words in enumerate(lacking):
        sheet.plate(10, SIZE_PX[1] - 32 - 28 * place, words, palette.WARNING, palette.PANEL)
