"""Campaigns the tests start from."""

import pytest

from diorama.worlds.tidebreak.campaign import Campaign
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight


@pytest.fixture
def bots() -> Campaign:
    """Bots play all; battles are decided quickly."""
    return Campaign(seed=3, player=None, fight=quick_fight)


@pytest.fixture
def played() -> Campaign:
    """A player leads the Accord."""
    return Campaign(seed=3, player="accord", fight=quick_fight)
