from collections.abc import Callable

import pytest

from tests.worlds.tidebreak.fields.spaces import TIERS, Space, open_space

Open = Callable[..., Space]


@pytest.fixture(params=TIERS)
def opened(request: pytest.FixtureRequest) -> Open:
    """Return a function that opens a space in the tier under test: `opened(max_bricks=3)`."""
    tier: str = request.param

    def make(**settings: object) -> Space:
        return open_space(tier, **settings)  # type: ignore[arg-type]

    return make
