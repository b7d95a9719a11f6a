import numpy as np
import pytest

from diorama.engine.make import make
from diorama.numerics import wrap
from diorama.rng import Pcg32
from diorama.worlds.tidebreak.bots import BOTS
from diorama.worlds.tidebreak.bots.captain import Memory, Plan
from diorama.worlds.tidebreak.bots.courses import ambush, attack, kite
from diorama.worlds.tidebreak.bots.hulls import hull_like, known_hulls
from diorama.worlds.tidebreak.bots.view import View
from diorama.worlds.tidebreak.config import SCRIPT_NAMES
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, N_OPTIONS
from diorama.worlds.tidebreak.reference.observe import observation
from diorama.worlds.tidebreak.reference.scripts.course import search_heading
from tests.worlds.tidebreak.reference.sensing.arenas import open_water, ship


def test_the_baselines_are_the_nine_scripts_and_two_better_captains() -> None:
    assert tuple(BOTS) == (*SCRIPT_NAMES, "hunter", "stalker")


@pytest.mark.parametrize("name", SCRIPT_NAMES)
@pytest.mark.parametrize("observation", ["v1", "compact"])
def test_a_captain_only_gives_orders_that_the_mask_allows(name: str, observation: str) -> None:
    batch = make("tidebreak", config={"stage": 3, "observation": observation}, tier="reference")
    batch.reset([5])
    captain = BOTS[name]()
    captain.reset(5)

    for _ in range(5):
        decision = captain.act(batch.obs[0], batch.obs_u8[0], batch.masks[0])
        assert all(batch.masks[0, offset + option] for offset, option in zip(HEAD_OFFSETS, decision, strict=True))
        batch.step(np.array([decision], np.int32))


def test_an_aggressor_beats_whoever_lies_still() -> None:
    batch = make("tidebreak", config={"stage": 1, "opponents": "idle"}, tier="reference")
    batch.reset([3])
    captain = BOTS["aggressor"]()
    captain.reset(3)

    while not (batch.terminated[0] or batch.truncated[0]):
        batch.step(np.array([captain.act(batch.obs[0], batch.obs_u8[0], batch.masks[0])], np.int32))

    assert batch.step_record(0).metrics[0][0] == 1.0


@pytest.mark.parametrize("plan", [attack, kite, ambush], ids=["aggressor", "kiter", "ambusher"])
def test_a_captain_looks_for_the_enemy_where_its_script_does(plan: Plan) -> None:
    battle = open_water(ship("a", "corvette", 3_000.0, 500.0, ship_id="a1"), ship("b", "skimmer", -15_000.0))
    unit = battle.unit(1)
    unit.transform.heading = 1.0
    row = np.array(observation(battle, unit), np.float32)

    wish = plan(View(row, np.ones(N_OPTIONS, np.uint8)), Memory(Pcg32.from_seed(0, 0)))

    assert wrap(wish.bearing) == pytest.approx(wrap(search_heading(battle, unit) - unit.heading), abs=1e-5)


def test_a_hull_is_known_by_cost_and_armour() -> None:
    assert all(hull_like(hull.cost, hull.armour).name == hull.name for hull in known_hulls())
