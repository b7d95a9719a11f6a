"""PettingZoo's own tests on the compiled tier; `tests/engine/adapters` has those of the readable one."""

from functools import partial
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import diorama
from tests.worlds.townlet.platform.restless import RESTLESS
from tests.worlds.townlet.towns import PRIMITIVE


@pytest.mark.parametrize(
    ("config", "cycles"),
    [
        pytest.param({**RESTLESS, **PRIMITIVE}, 25, id="primitives"),
        pytest.param(RESTLESS, 1000, id="thousand", marks=pytest.mark.slow),
        pytest.param({**RESTLESS, **PRIMITIVE}, 1000, id="thousand-primitives", marks=pytest.mark.slow),
    ],
)
def test_pettingzoos_tests_are_passed(config: dict[str, Any], cycles: int) -> None:
    make = partial(diorama.parallel_env, "townlet", config=config, tier="fast")

    parallel_api_test(make(), num_cycles=cycles)
    parallel_seed_test(make, num_cycles=cycles // 10)
