"""Puts the picture together, from the sea bed to the words."""

from collections.abc import Sequence
from math import ceil

from PIL.Image import Image

from diorama.contracts.values import JsonObject
from diorama.numerics import atan2
from diorama.worlds.drawing import Color, blend
from diorama.worlds.tidebreak.frames import FrameParts, Place, TrackPart, UnitPart, read_frame
from diorama.worlds.tidebreak.picture import palette
from diorama.worlds.tidebreak.picture.chart import SIDE_PX, Chart
from diorama.worlds.tidebreak.picture.sea import sea_image

_HULL_PX = {"S": 5.0, "M": 7.0, "L": 10.0, "XL": 15.0}
_BEARING_HALF_WIDTH = 0.06
_TEXT_ROW_PX = 15.0
_BIG_NEWS = ("hit", "destroyed")


def compose(render_state: JsonObject, events: Sequence[str]) -> Image:
    """Return the picture of one moment."""
    frame = read_frame(render_state)
    chart = Chart(frame.bounds, sea_image(frame.map.depth))
    colors = {team.team_id: palette.TEAMS[place % len(palette.TEAMS)] for place, team in enumerate(frame.teams)}
    _draw_map(chart, frame)
    for team_id, tracks in frame.tracks.items():
        for track in tracks:
            _draw_track(chart, frame, track, colors[team_id])
    for munition in frame.munitions:
        end = munition.aim if munition.kind == "SALVO" else (munition.x, munition.y)
        if munition.kind == "SALVO":
            chart.line([(munition.x, munition.y), end], palette.MUNITION, 0.8, 0.4)
        chart.disc(end, 1.8, palette.MUNITION if munition.kind != "DECOY" else palette.MUTED)
    for unit in frame.units:
        _draw_unit(chart, unit, colors[unit.team])
    if any(event in _BIG_NEWS for event in events):
        _draw_blasts(chart, frame)
    _draw_words(chart, frame, colors)
    return chart.finished()


def _draw_map(chart: Chart, frame: FrameParts) -> None:
    for zone in frame.map.zones:
        _fill(chart, zone, palette.HAZARD if zone.effect in ("HAZARD", "VENT") else palette.ZONE, 0.14)
    for obstacle in frame.map.obstacles:
        _fill(chart, obstacle, palette.OBSTACLE if obstacle.solid else palette.SOFT, 1.0 if obstacle.solid else 0.4)
    for storm in frame.storms:
        chart.disc((storm.x, storm.y), chart.length_px(storm.radius), palette.STORM, 0.06 + 0.16 * storm.intensity)
        chart.ring((storm.x, storm.y), chart.length_px(storm.radius), palette.STORM, 1.0, 0.5)


def _fill(chart: Chart, place: Place, color: Color, alpha: float) -> None:
    if place.vertices:
        chart.polygon(place.vertices, color, alpha)
    else:
        chart.disc((place.x, place.y), chart.length_px(place.radius), color, alpha)


def _draw_track(chart: Chart, frame: FrameParts, track: TrackPart, color: Color) -> None:
    holder = frame.unit(track.holder)
    if track.bearing_only and holder is not None:
        bearing = atan2(track.y - holder.y, track.x - holder.x)
        reach = SIDE_PX / 2.0
        chart.wedge(
            (holder.x, holder.y), reach, bearing - _BEARING_HALF_WIDTH, bearing + _BEARING_HALF_WIDTH, color, 0.08
        )
        return
    chart.disc((track.x, track.y), max(4.0, chart.length_px(track.sigma)), color, 0.12)
    chart.ring((track.x, track.y), 4.0, color, 0.8, 0.5)


def _draw_unit(chart: Chart, unit: UnitPart, color: Color) -> None:
    place, length = (unit.x, unit.y), _HULL_PX[unit.size]
    if not unit.is_present:
        if "EXITED" not in unit.status:
            chart.line([place, place], palette.WRECK)
            chart.disc(place, 2.5, palette.WRECK, 0.9)
        return
    chart.arrow(place, unit.h, length, color if unit.is_effective else palette.WRECK)
    ring = length + 4.0
    if unit.layer == 0:
        chart.ring(place, ring, color, 1.2, 0.9)
    else:
        chart.dashes(place, ring, color, *((8, 0.55) if unit.layer == 1 else (20, 0.3)))
    if unit.hp < 1.0:
        chart.ring(place, ring + 2.5, blend(palette.BAD, palette.GOOD, unit.hp), 1.0, 0.8)
    if "ON_FIRE" in unit.status:
        chart.disc(place, 2.5, palette.FIRE)
    elif "FLOODING" in unit.status:
        chart.disc(place, 2.5, palette.WATER)


def _draw_blasts(chart: Chart, frame: FrameParts) -> None:
    for event in frame.events:
        struck = frame.unit(event.target) if event.kind in ("HIT", "DESTROYED") else None
        if struck is not None:
            size = 16.0 if event.kind == "DESTROYED" else 8.0
            chart.disc((struck.x, struck.y), size, palette.BLAST, 0.35)
            chart.disc((struck.x, struck.y), size / 2.0, palette.BLAST, 0.7)


def _draw_words(chart: Chart, frame: FrameParts, colors: dict[str, Color]) -> None:
    height = _TEXT_ROW_PX + 6.0
    chart.band(0.0, height, palette.PANEL, 0.6)
    chart.text((8.0, height / 2.0), f"{frame.tick // 60:02d}:{frame.tick % 60:02d}", palette.TEXT)
    left = 60.0
    for team in frame.teams:
        share = "?" if team.cost_share is None else f"{ceil(100.0 * team.cost_share)}%"
        chart.text((left, height / 2.0), f"{team.team_id} {share}", colors[team.team_id])
        left += 110.0
    if frame.events:
        chart.band(SIDE_PX - height, height, palette.PANEL, 0.6)
        chart.text((8.0, SIDE_PX - height / 2.0), frame.events[-1].text[:90], palette.MUTED, 9.5)
