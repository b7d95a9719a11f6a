"""One moment of a battle as JSON values: what really is, and beside it what every side knows.

What changes from tick to tick is drawn here and, in the same words, by the native core; `frame` adds the rest.
`side_view.seen_by` reduces it to what the player of one seat may see. Every key stands in every frame.
"""

from collections.abc import Mapping

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.codes import EndReason, StormProfile
from diorama.worlds.tidebreak.reference.judge.score import remaining_share
from diorama.worlds.tidebreak.reference.metrics import unit_metrics
from diorama.worlds.tidebreak.reference.seats import EMPTY_SEAT, Episode
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle
from diorama.worlds.tidebreak.render.fields import field_pictures
from diorama.worlds.tidebreak.render.frame import complete_frame
from diorama.worlds.tidebreak.render.moving import munition_picture, objective_picture, unit_picture
from diorama.worlds.tidebreak.render.own import own_picture
from diorama.worlds.tidebreak.render.tracks import team_tracks

__all__ = ["complete_frame", "render_state"]


def render_state(battle: Battle, episode: Episode, event_data: Mapping[str, JsonObject]) -> JsonObject:
    """Return one moment with everything that is true.

    Args:
        battle: The moment.
        episode: Who sits where.
        event_data: Events of the step that led here, as step records have them.
    """
    teams = [team.team_id for team in battle.spec.teams]
    moment: JsonObject = {
        "tick": battle.tick,
        "seed": battle.seed,
        "headline": _headline(battle, episode),
        "storms": _storms(battle),
        "teams": [_team(battle, index) for index in range(len(teams))],
        "seats": [_seat(battle, seat, unit_id) for seat, unit_id in enumerate(episode.seats)],
        "units": [unit_picture(battle, unit) for unit in battle.units],
        "munitions": [munition_picture(battle, munition) for munition in battle.munitions],
        "tracks": {team_id: team_tracks(battle, index) for index, team_id in enumerate(teams)},
        "own": [
            own_picture(battle, seat, battle.units[unit_id - 1])
            for seat, unit_id in enumerate(episode.seats)
            if unit_id != EMPTY_SEAT
        ],
        "objective": [objective_picture(battle, unit) for unit in battle.units if unit.spec.objective is not None],
        "fields": field_pictures(battle),
        "outcome": _outcome(battle),
    }
    return complete_frame(_as_stored(moment), episode, event_data)


def _as_stored(picture: JsonObject) -> JsonObject:
    """Bring a picture into the form that a battle read from its words has: names sorted, no negative zero."""
    return {name: _plain(picture[name]) for name in sorted(picture)}


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, Mapping):
        return _as_stored(value)
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _headline(battle: Battle, episode: Episode) -> JsonObject:
    filled = [unit_id for unit_id in episode.seats if unit_id != EMPTY_SEAT]
    metrics = unit_metrics(battle, battle.units[filled[0] - 1 if filled else 0])
    return {"win": metrics[0], "cost_margin": metrics[2]}


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
