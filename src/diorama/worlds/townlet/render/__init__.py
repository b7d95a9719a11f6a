"""One moment of a town as JSON values: what a viewer needs to draw it and to tell what goes on.

Who is meant is told by seat, what by its place in the lists of `map`, which is the same in every moment of an episode.
"""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.kpis import kpi_row
from diorama.worlds.townlet.render.news import news_of
from diorama.worlds.townlet.render.people import citizen_picture, terms_of
from diorama.worlds.townlet.render.rounding import coins, share
from diorama.worlds.townlet.render.scenery import map_picture
from diorama.worlds.townlet.render.things import perturbation_picture, things_in_use

__all__ = ["RENDER_VERSION", "render_state", "terms_of"]

RENDER_VERSION: Final = 1


def render_state(
    town: Town,
    *,
    time_remaining: int,
    rewards: Mapping[int, RewardBreakdown],
    event_data: Mapping[str, JsonObject],
) -> JsonObject:
    """Describe a moment.

    Args:
        town: The town.
        time_remaining: Ticks until the episode is cut off.
        rewards: Of the last tick, by seat.
        event_data: What happened in the tick that led here, as step records have it.
    """
    kpis = kpi_row(town)
    return {
        "schema_version": RENDER_VERSION,
        "headline": {"self_sufficiency": share(kpis.self_sufficiency), "attendance": share(kpis.attendance)},
        "time": town.tick,
        "time_remaining": time_remaining,
        "day": town.day,
        "tod": town.tod,
        "ticks_per_day": town.ticks_per_day,
        "seat": None,
        "action_level": town.config.policy_runtime.action_level,
        "map": map_picture(town.tables),
        "things": things_in_use(town),
        "citizens": [citizen_picture(town, citizen, rewards.get(citizen.seat)) for citizen in town.living()],
        "prices": {
            key: [coins(baseline), coins(live)]
            for key, baseline, live in zip(PRICE_KEYS, town.economy.baselines, town.economy.live, strict=True)
        },
        "utilities": {"power": town.has_power, "water": town.has_water},
        "perturbations": [perturbation_picture(town, event) for event in town.perturbations.active],
        "events": news_of(town, event_data),
    }
