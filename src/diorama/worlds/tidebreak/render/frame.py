"""A frame around a moment, whichever tier drew it: what does not change, who commands, and what happened in words."""

from collections.abc import Mapping
from typing import cast

from diorama.contracts.values import JsonObject
from diorama.worlds.tidebreak.codes import Precipitation
from diorama.worlds.tidebreak.reference.seats import Episode
from diorama.worlds.tidebreak.render.constants import OMNISCIENT, SCHEMA_VERSION
from diorama.worlds.tidebreak.render.map import map_picture
from diorama.worlds.tidebreak.render.news import event_pictures
from diorama.worlds.tidebreak.resolve.records import ResolvedMap
from diorama.worlds.tidebreak.sentences import Names


def complete_frame(moment: JsonObject, episode: Episode, event_data: Mapping[str, JsonObject]) -> JsonObject:
    """Return a whole frame.

    Args:
        moment: What changes from tick to tick, and the seed of the battle's draws.
        episode: Which battle is fought, and who sits where.
        event_data: Events of the step that led here, as step records have them.
    """
    spec = episode.package.battle
    area, tick = spec.map, cast(int, moment["tick"])
    units = [_commanded(unit, episode) for unit in cast(list[JsonObject], moment["units"])]
    names = Names(
        units={cast(int, unit["id"]): cast(str, unit["ship_id"]) or f"squadron {unit['id']}" for unit in units},
        weapons=[weapon.weapon_id for weapon in spec.weapons],
        teams=[team.team_id for team in spec.teams],
    )
    return {
        **{key: value for key, value in moment.items() if key != "seed"},
        "units": [*units],
        "schema_version": SCHEMA_VERSION,
        "view": OMNISCIENT,
        "time": tick,
        "time_remaining": spec.rules.time_limit_ticks - tick,
        "battle": {"battle_id": spec.battle_id, "stage": episode.stage, "seed": moment["seed"]},
        "bounds": [area.min_x, area.min_y, area.max_x, area.max_y],
        "domain": [area.field_x0, area.field_y0, area.field_side_m],
        "map": map_picture(area),
        "weather": _weather(area),
        "events": event_pictures(tick, names, event_data),
    }


def _commanded(unit: JsonObject, episode: Episode) -> JsonObject:
    unit_id, ship_id = unit["id"], cast(str, unit["ship_id"])
    return {
        **unit,
        "seat": episode.seats.index(unit_id) if unit_id in episode.seats else None,
        "controller": episode.controllers.get(ship_id, ""),
    }


def _weather(area: ResolvedMap) -> JsonObject:
    weather = area.weather
    return {
        "sea_state": weather.sea_state,
        "visibility_km": weather.visibility_km,
        "precipitation": Precipitation(weather.precipitation).name,
        "wind": [weather.wind_x, weather.wind_y],
        "lightning": weather.lightning,
    }
