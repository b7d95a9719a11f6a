from collections.abc import Callable

import pytest

from tests.worlds.prospector.pilot import TIERS, Pilot

Fly = Callable[..., Pilot]


@pytest.fixture(params=TIERS)
def tier(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def fly(tier: str) -> Fly:
    """Return a function that opens a belt: `fly(seed=42, pirates=False)`."""

    def open_belt(*, seed: int = 42, **config: object) -> Pilot:
        return Pilot(tier, seed=seed, **config)

    return open_belt
