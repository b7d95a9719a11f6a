"""Keyed draws of a campaign: ⟨stream; a, b, k⟩ with the campaign's seed and its day."""

from enum import IntEnum

from diorama.rng import keyed
from diorama.worlds.tidebreak.campaign.state import CampaignState


class Stream(IntEnum):
    """Which rule draws."""

    WEATHER = 32
    ACCIDENTS = 33
    GOVERNANCE = 34
    DIPLOMACY = 35
    CHOICE = 36
    MISSIONS = 37
    ENCOUNTERS = 38
    ROUTES = 39
    SIEGE = 40
    PEOPLE = 41


def draw(state: CampaignState, stream: Stream, a: int, b: int, k: int) -> int:
    """64 random bits."""
    return keyed.draw(state.seed, stream, state.day, a, b, k)


def uniform(state: CampaignState, stream: Stream, a: int, b: int, k: int) -> float:
    """`u01`: a fraction in [0, 1)."""
    return keyed.u01(draw(state, stream, a, b, k))


def bell(state: CampaignState, stream: Stream, a: int, b: int, k: int) -> float:
    """`n4`: mean 0, variance 1, range ±3.464."""
    return keyed.n4(draw(state, stream, a, b, k))


def choice(state: CampaignState, stream: Stream, a: int, b: int, k: int, n: int) -> int:
    """`pick`: an index in 0..n-1."""
    return keyed.pick(draw(state, stream, a, b, k), n)
