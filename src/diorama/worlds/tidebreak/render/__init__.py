"""One moment of a battle as JSON values: what really is, and beside it what every side knows.

`side_view.seen_by` reduces it to what the player of one seat may see. Every key stands in every frame.
"""

from collections.abc import Mapping

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.codes import EndReason, Precipitation, StormProfile
from diorama.worlds.tidebreak.reference.judge.score import remaining_share
from diorama.worlds.tidebreak.reference.metrics import unit_metrics
from diorama.worlds.tidebreak.reference.seats import EMPTY_SEAT, Episode
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle
from diorama.worlds.tidebreak.render.constants import OMNISCIENT, SCHEMA_VERSION
from diorama.worlds.tidebreak.render.fields import field_pictures
from diorama.worlds.tidebreak.render.map import map_picture
from diorama.worlds.tidebreak.render.moving import munition_picture, objective_picture, unit_picture
from diorama.worlds.tidebreak.render.news import event_pictures
from diorama.worlds.tidebreak.render.own import own_picture
from diorama.worlds.tidebreak.render.tracks import team_tracks

__all__ = ["render_state"]


def render_state(battle: Battle, episode: Episode, event_data: Mapping[str, JsonObject]) -> JsonObject:
    """Return one moment with everything that is true.

    Args:
        battle: The moment; either tier's, since both write the same words.
        episode: Who sits where.
        event_data: Events of the tick that led here, as step records have them.
    """
    area, spec = battle.map, battle.spec
    teams = [team.team_id for team in spec.teams]
    frame: JsonObject = {
        "schema_version": SCHEMA_VERSION,
        "headline": _headline(battle, episode),
        "time": battle.tick,
        "time_remaining": battle.rules.time_limit_ticks - battle.tick,
        "tick": battle.tick,
        "view": OMNISCIENT,
        "battle": {"battle_id": spec.battle_id, "stage": episode.stage, "seed": battle.seed},
        "bounds": [area.min_x, area.min_y, area.max_x, area.max_y],
        "map": map_picture(area),
        "weather": _weather(battle),
        "storms": _storms(battle),
        "teams": [_team(battle, index) for index in range(len(teams))],
        "seats": [_seat(battle, seat, unit_id) for seat, unit_id in enumerate(episode.seats)],
        "units": [unit_picture(battle, episode, unit) for unit in battle.units],
        "munitions": [munition_picture(battle, munition) for munition in battle.munitions],
        "tracks": {team_id: team_tracks(battle, index) for index, team_id in enumerate(teams)},
        "own": [
            own_picture(battle, seat, battle.units[unit_id - 1])
            for seat, unit_id in enumerate(episode.seats)
            if unit_id != EMPTY_SEAT
        ],
        "objective": [objective_picture(battle, unit) for unit in battle.units if unit.spec.objective is not None],
        "fields": field_pictures(battle),
        "domain": [area.field_x0, area.field_y0, area.field_side_m],
        "events": event_pictures(battle, event_data),
        "outcome": _outcome(battle),
    }
    return {key: _without_negative_zeros(value) for key, value in frame.items()}


def _without_negative_zeros(value: JsonValue) -> JsonValue:
    """State words know no negative zero, so that a battle read from them has none."""
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, Mapping):
        return {key: _without_negative_zeros(item) for key, item in value.items()}
    return [_without_negative_zeros(item) for item in value] if isinstance(value, list) else value


def _headline(battle: Battle, episode: Episode) -> JsonObject:
    filled = [unit_id for unit_id in episode.seats if unit_id != EMPTY_SEAT]
    metrics = unit_metrics(battle, battle.units[filled[0] - 1 if filled else 0])
    return {"win": metrics[0], "cost_margin": metrics[2]}


def _weather(battle: Battle) -> JsonObject:
    weather = battle.map.weather
    return {
        "sea_state": weather.sea_state,
        "visibility_km": weather.visibility_km,
        "precipitation": Precipitation(weather.precipitation).name,
        "wind": [weather.wind_x, weather.wind_y],
        "lightning": weather.lightning,
    }


def _storms(battle: Battle) -> list[JsonValue]:
    return [
        {
            "x": storm.x,
            "y": storm.y,
            "radius": storm.radius,
            "intensity": storm.intensity,
            "profile": StormProfile(storm.profile).name,
            "vx": storm.vx,
            "vy": storm.vy,
        }
        for storm in battle.storms
        if storm.ends_at_tick > battle.tick
    ]


def _team(battle: Battle, index: int) -> JsonObject:
    team = battle.spec.teams[index]
    members = [unit for unit in battle.units[: len(battle.spec.units)] if unit.team == index]
    return {
        "team_id": team.team_id,
        "name": team.name,
        "enemies": [battle.spec.teams[enemy].team_id for enemy in team.enemies],
        "cost_share": remaining_share(battle, index),
        "units": len(members),
        "effective": sum(unit.is_effective for unit in members),
    }


def _seat(battle: Battle, seat: int, unit_id: int) -> JsonObject:
    if unit_id == EMPTY_SEAT:
        return {"seat": seat, "unit": EMPTY_SEAT, "ship_id": None, "team": None, "alive": False}
    unit = battle.units[unit_id - 1]
    return {
        "seat": seat,
        "unit": unit_id,
        "ship_id": unit.spec.ship_id,
        "team": battle.spec.teams[unit.team].team_id,
        "alive": unit.is_effective and not battle.outcome.is_over,
    }


def _outcome(battle: Battle) -> JsonValue:
    if not battle.outcome.is_over:
        return None
    winner = battle.outcome.winner
    return {
        "end_reason": EndReason(battle.outcome.end_reason).name,
        "winner": None if winner == NO_WINNER else battle.spec.teams[winner].team_id,
    }
