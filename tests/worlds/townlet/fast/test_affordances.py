"""Affordances of one's own: conditions, costs, yields and hooks run in the core as they are written."""

from pathlib import Path

import numpy as np
import pytest
import yaml

import diorama
from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import Primitive
from tests.worlds.townlet import deferred_hooks
from tests.worlds.townlet.fast.lockstep import assert_same, both_tiers, valid_actions

MANIFEST = [
    {"id": "rest_sleep", "object_type": "bed", "duration": 5, "effects": {"energy": 0.8}, "apply": "spread"},
    {
        "id": "sit",
        "object_type": "bench",
        "duration": 3,
        "preconds": [
            "tod > 5 and not (queue_length >= 2)",
            "shift_state in ('none', 'pre_shift')",
        ],
        "costs": {"money": {"@meal_cost": 0.5, "@rent_per_day": 0.01}},
        "effects": {"energy": 0.1, "hunger": "-@cook_energy_cost"},
        "yields": {"inventory.food_raw": 1},
        "hooks": {"before": ["on_attempt_buy"], "after": ["listen", "on_finish_shower"], "fail": ["listen"]},
        "cooldown": 4,
    },
    {
        "id": "gamble",
        "object_type": "bench",
        "duration": 2,
        "preconds": ["wallet > 1.0 or needs.hunger < 0.5", "inventory.food_raw >= 1", "day >= 0 and -tod <= 0"],
        "costs": {"inventory.food_raw": 1},
        "effects": {"hygiene": -0.2},
    },
    {
        "id": "use_shower",
        "object_type": "shower",
        "duration": 4,
        "preconds": ["power_on and water_on", "occupied == false", "price.shower_cost < 0.3"],
        "costs": {"money": "@shower_cost"},
        "effects": {"hygiene": 0.4},
        "hooks": {"fail": ["on_no_power"]},
    },
    {
        "id": "eat_meal",
        "object_type": "fridge",
        "duration": 2,
        "preconds": ["meal_available", "at_home or stock.meals > 2"],
        "costs": {"stock.meals": 1},
        "effects": {"hunger": 0.3},
        "hooks": {"after": ["on_finish_eat"]},
    },
    {
        "id": "cook_meal",
        "object_type": "stove",
        "duration": 2,
        "preconds": ["not on_shift", "is_owner == false", "tod > 5 and not (queue_length >= 2)"],
        "hooks": {"before": ["on_attempt_buy"], "after": ["listen", "on_finish_shower"], "fail": ["listen"]},
        "yields": {"linked.meals": 2, "stock.food_raw": 1},
    },
]


INTERACTIONS = slice(Primitive.INTERACT_0, Primitive.INTERACT_3 + 1)


@pytest.fixture
def config(tmp_path: Path) -> dict[str, object]:
    file = tmp_path / "things.yaml"
    file.write_text(yaml.safe_dump(MANIFEST))
    return {
        "world": {"ticks_per_day": 200, "population": 8},
        "rewards": {"punctuality_bonus": 0.0},
        "jobs": [],
        "affordances": {
            "affordances_file": str(file),
            "hook_modules": ["tests.worlds.townlet.deferred_hooks"],
        },
        "policy_runtime": {"action_level": "primitive"},
        "queue_fairness": {"request_radius": 1},
        "features": {"stages": {"relationships": "C3"}},
    }


def test_own_affordances_run_alike_on_both_tiers(config: dict[str, object]) -> None:
    reference, fast = both_tiers(config, seed=7)
    rng = np.random.default_rng(7)
    happened = 0
    deferred_hooks.HEARD.clear()

    for _ in range(150):
        masks = reference.masks.copy()
        masks[masks[:, INTERACTIONS].any(axis=1), : Primitive.INTERACT_0] = 0  # uses what it can use
        masks[:, Primitive.RELEASE] = 0
        actions = valid_actions(masks, rng)
        heard: list[list[str]] = []
        for batch in (reference, fast):
            batch.step(actions)
            heard.append([*deferred_hooks.HEARD])
            deferred_hooks.HEARD.clear()
        assert heard[0] == heard[1]
        happened += len(heard[0])
        assert_same(fast, reference)

    assert happened > 0


def test_hooks_that_are_not_deferred_are_refused(config: dict[str, object]) -> None:
    own = {**config, "affordances": {"hook_modules": ["tests.worlds.townlet.custom_hooks"]}}

    with pytest.raises(ConfigError, match="not deferred"):
        diorama.make("townlet", config=own, tier="fast")
