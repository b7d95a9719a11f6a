import math

import pytest

from diorama.contracts.errors import ConfigError
from tests.worlds.tidebreak.fields.conftest import Open


@pytest.mark.parametrize(
    ("bounds", "origin", "cell_m"),
    [
        pytest.param((0.0, 0.0, 2000.0, 2000.0), (-24.0, -24.0), 16.0, id="rounded-up"),
        pytest.param((-1024.0, -1024.0, 1024.0, 1024.0), (-1024.0, -1024.0), 16.0, id="exact"),
        pytest.param((0.0, 100.0, 4097.0, 2200.0), (-2047.5, -2946.0), 64.0, id="oblong"),
        pytest.param((0.0, 0.0, 32768.0, 20000.0), (0.0, -6384.0), 256.0, id="largest"),
    ],
)
def test_the_domain_is_the_next_square_around_the_map(
    opened: Open, bounds: tuple[float, float, float, float], origin: tuple[float, float], cell_m: float
) -> None:
    space = opened(bounds=bounds)

    assert space.origin == origin
    assert space.cell_m == cell_m
    assert space.side_m == 128 * cell_m


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"bounds": (0.0, 0.0, 1999.0, 3000.0)}, "width is 1999", id="narrow"),
        pytest.param({"bounds": (0.0, 0.0, 3000.0, 40000.0)}, "height is 40000", id="tall"),
        pytest.param({"bounds": (0.0, 0.0, math.nan, 3000.0)}, "map has nan", id="not-a-number"),
        pytest.param({"field_period": 0}, "field_period is 0", id="no-period"),
        pytest.param({"field_period": 11}, "field_period is 11", id="long-period"),
        pytest.param({"max_bricks": 769}, "max_bricks is 769", id="too-many-bricks"),
        pytest.param({"max_bricks": -1}, "max_bricks is", id="fewer-bricks-than-none"),
        pytest.param({"temperature": [18.0, 10.0]}, "temperature has 2 values", id="two-temperatures"),
        pytest.param({"temperature": [18.0, 10.0, -6.0]}, "temperature is -6", id="frozen"),
        pytest.param({"decay": [0.1]}, "decay has 1 values", id="one-decay"),
        pytest.param({"diffusivity": [1.0, 1.0, 1.0, 1.0, 1.0, -1.0]}, "diffusivity has -1", id="negative"),
    ],
)
def test_settings_that_make_no_sense_are_refused(opened: Open, settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=f"(?i){said}"):
        opened(**settings)
