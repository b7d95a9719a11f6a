import hashlib
from dataclasses import astuple, dataclass

import numpy as np
import pytest

from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import Act, Obs
from diorama.worlds.prospector.reference.constants import (
    ALERT_MAX,
    CARGO_MAX,
    FUEL_MAX,
    HEAT_MAX,
    HULL_MAX,
    RNG_STREAM,
    TOOL_MAX,
)
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import Pilot

SIX_DECIMALS = 5.001e-7
NINE_DECIMALS = 5.001e-10
TWELVE_DECIMALS = 5.001e-13


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (0, "47c28b93 b98f6a27 7d3dcb1e f0761116 9cc33f5b be0e744d"),
        (1, "9b6bdda9 0c31fc48 ce97f8ef 822c03d4 943e8cf2 1b75dde3"),
        (42, "a15c02b7 7b47f409 ba1d3330 83d2f293 bfa4784b cbed606e"),
    ],
)
def test_the_stream_of_a_seed_opens_with_these_words(seed: int, words: str) -> None:
    rng = Pcg32.from_seed(seed, RNG_STREAM)

    assert " ".join(f"{rng.next_u32():08x}" for _ in range(6)) == words


def test_derived_draws_of_seed_42() -> None:
    fractions, normals, shares, beta = (Pcg32.from_seed(42, RNG_STREAM) for _ in range(4))

    assert [fractions.f64() for _ in range(3)] == [0.6303102204110473, 0.4815666696522385, 0.7270080558955669]
    assert [normals.normal(0.0, 1.0) for _ in range(3)] == pytest.approx(
        [-0.954336976917, -0.795006343094, 0.219600537638], abs=TWELVE_DECIMALS
    )
    assert shares.dirichlet6() == pytest.approx(
        [0.171466395625, 0.271463908024, 0.118442930698, 0.246572601791, 0.107568286849, 0.084485877012],
        abs=TWELVE_DECIMALS,
    )
    assert beta.beta32() == pytest.approx(0.613178126095, abs=TWELVE_DECIMALS)


@dataclass(frozen=True)
class World:
    seed: int
    nodes: int
    edges: int
    station_degree: int
    node_types: str
    asteroids: int
    draws: int
    farthest_hop: int
    observation_hash: str


WORLDS = [
    World(0, 9, 13, 4, "011111111", 85, 1835, 2, "d7a303243967e22d"),
    World(1, 10, 16, 5, "0211111121", 94, 2034, 3, "67f08612590f98e3"),
    World(7, 11, 18, 6, "01112121211", 92, 2009, 2, "9ecf983b0d4ffd00"),
    World(9, 23, 39, 6, "01111111111112111112111", 262, 5577, 3, "03d1c1911b12adbf"),
    World(42, 16, 29, 5, "0111221111121111", 130, 2848, 3, "bfca5b8bf883a7b2"),
    World(123456789012345, 17, 28, 1, "01121121111112122", 171, 3671, 4, "af081b571eb727f7"),
    World(2**63 + 5, 20, 35, 4, "01221111221121111211", 199, 4280, 3, "7939189504bd233d"),
]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"seed-{world.seed}")
def test_a_seed_opens_this_world(fly: Fly, world: World) -> None:
    pilot = fly(seed=world.seed)

    state = pilot.state
    assert (
        World(
            seed=state.seed,
            nodes=len(state.nodes),
            edges=sum(len(node.edges) for node in state.nodes) // 2,
            station_degree=len(state.nodes[0].edges),
            node_types="".join(str(node.kind) for node in state.nodes),
            asteroids=sum(len(node.asteroids) for node in state.nodes),
            draws=state.rng.draws,
            farthest_hop=max(node.hops for node in state.nodes),
            observation_hash=hashlib.sha256(pilot.obs.astype("<f4").tobytes()).hexdigest()[:16],
        )
        == world
    )


def test_the_belt_of_seed_42_in_detail(fly: Fly) -> None:
    pilot = fly(seed=42)

    state = pilot.state
    rock = state.nodes[1].asteroids[0]
    assert [(edge.neighbor, edge.travel_ticks) for edge in state.nodes[0].edges] == [
        (1, 4), (2, 3), (7, 1), (13, 7), (6, 1),
    ]  # fmt: skip
    assert [state.nodes[1].hazard, state.nodes[1].pirate] == pytest.approx([0.268102, 0.178734], abs=SIX_DECIMALS)
    assert rock.true_comp == pytest.approx(
        [0.005372, 0.006268, 0.072582, 0.374493, 0.086752, 0.454534], abs=SIX_DECIMALS
    )
    assert [rock.richness, rock.stability, rock.noise] == pytest.approx(
        [1.706574, 0.099935, 0.080633], abs=SIX_DECIMALS
    )
    assert rock.comp_est == pytest.approx(
        [0.279697, 0.213434, 0.073085, 0.190486, 0.129346, 0.113952], abs=SIX_DECIMALS
    )
    assert state.market.price == pytest.approx(
        [37.328822, 57.463716, 76.439675, 143.890978, 196.488309, 108.463754], abs=SIX_DECIMALS
    )
    assert np.flatnonzero(pilot.mask).tolist() == [0, 1, 2, 3, 4, 6, 7, 11, 33, 42, 68]


def test_a_hundred_holds_at_the_station_of_seed_42(fly: Fly) -> None:
    pilot = fly(seed=42)

    return_v1 = 0.0
    for _ in range(100):
        record = pilot.step(Act.HOLD_DRIFT)
        return_v1 += record.rewards[0]

    market = pilot.state.market
    assert return_v1 == pytest.approx(-0.1, abs=1e-15)
    assert record.draws == 4048
    assert market.price == pytest.approx(
        [45.530433, 47.825828, 102.608545, 112.570872, 229.643088, 133.537561], abs=SIX_DECIMALS
    )
    assert market.inventory == pytest.approx(
        [47.405044, 51.364100, 48.283768, 58.934230, 48.895436, 57.533122], abs=SIX_DECIMALS
    )


@dataclass(frozen=True)
class Ship:
    node: int
    fuel: float
    hull: float
    heat: float
    tool: float
    alert: float
    cargo: float
    credits: float


@dataclass(frozen=True)
class Line:
    action: int
    node: int
    dt: int
    is_invalid: bool
    reward: float
    fuel: float
    hull: float
    heat: float
    tool: float
    alert: float
    cargo: float
    credits: float
    draws: int
    events: str

    @property
    def ship(self) -> Ship:
        return Ship(self.node, self.fuel, self.hull, self.heat, self.tool, self.alert, self.cargo, self.credits)


# fmt: off
SCRIPT = [
    Line(0, 1, 4, False, -0.195404388, 953.006681, 98.555889, 0.536205, 100, 1.683999, 0, 0, 2864, "travel"),
    Line(8, 1, 3, False, -0.064175299, 948.006681, 98.044136, 0.402154, 100, 6.327445, 0, 0, 2962, "scan"),
    Line(12, 1, 1, False, -0.021609200, 948.006681, 97.838044, 0.134051, 100, 6.541927, 0, 0, 2976, "select"),
    Line(9, 1, 2, False, -0.043824575, 944.006681, 97.509799, 0.268102, 100, 9.970890, 0, 0, 3004, "scan"),
    Line(10, 1, 4, False, -0.099139841, 936.006681, 96.688400, 0.536205, 100, 16.828818, 0, 0, 3032, "scan"),
    Line(28, 1, 1, False, -0.020944953, 936.006681, 96.492698, 0.170256, 99.2, 18.243300, 1.483734, 0, 3049, "mine"),
    Line(28, 1, 1, False, -0.019587662, 936.006681, 96.313941, 0.134051, 98.4, 19.657782, 2.833406, 0, 3066, "mine"),
    Line(29, 1, 1, False, -1.082672002, 936.006681, 85.519462, 1.818102, 96.8, 22.152264, 5.023097, 0, 3084,
         "mine fracture asteroid_depleted"),
    Line(30, 1, 1, True, -0.255355621, 936.006681, 83.306803, 0.184051, 96.8, 27.446746, 4.840293, 0, 3101,
         "invalid_action pirate_encounter"),
    Line(33, 1, 2, False, -0.064753727, 934.006681, 82.693580, 0.368102, 96.8, 29.035710, 4.840293, 0, 3115,
         "cooldown"),
    Line(6, 1, 1, False, -0.031699205, 934.006681, 82.386588, 0.184051, 96.8, 26.330192, 4.840293, 0, 3129, ""),
    Line(0, 0, 4, False, -0.115358326, 886.444708, 81.748624, 0, 96.8, 27.156263, 4.840293, 0, 3142, "travel"),
    Line(42, 0, 1, False, -0.000824838, 886.444708, 81.748624, 0, 96.8, 7.156263, 4.840293, 0, 3154, "dock"),
    Line(45, 0, 1, False, 0.000088045, 886.444708, 81.748624, 0, 96.8, 7.156263, 4.814292, 0.996402, 3166, "sell"),
    Line(48, 0, 1, False, 0.000509022, 886.444708, 81.748624, 0, 96.8, 7.156263, 4.783952, 2.505424, 3178, "sell"),
    Line(57, 0, 1, False, 0.085193054, 886.444708, 81.748624, 0, 96.8, 7.156263, 4.364048, 88.698478, 3190, "sell"),
    Line(54, 0, 1, False, 0.202635367, 886.444708, 81.748624, 0, 96.8, 7.156263, 2.551394, 292.333845, 3202, "sell"),
    Line(60, 0, 1, False, 0.246692753, 886.444708, 81.748624, 0, 96.8, 7.156263, 0.351317, 540.026598, 3214, "sell"),
    Line(51, 0, 1, False, 0.030552756, 886.444708, 81.748624, 0, 96.8, 7.156263, 0, 571.579355, 3226, "sell"),
    Line(61, 0, 1, False, -0.061, 1000, 81.748624, 0, 96.8, 7.156263, 0, 511.579355, 3238, "buy"),
    Line(67, 0, 3, False, -0.283, 1000, 100, 0, 100, 7.156263, 0, 231.579355, 3250, "overhaul"),
    Line(64, 0, 1, False, -0.151, 1000, 100, 0, 100, 7.156263, 0, 81.579355, 3262, "buy"),
    Line(66, 0, 1, True, -0.011, 1000, 100, 0, 100, 4.156263, 0, 81.579355, 3274, "invalid_action"),
    Line(68, 0, 1, False, -0.000836841, 1000, 100, 0, 100, 4.156263, 0, 81.579355, 3286, "cash_out terminated"),
]
# fmt: on


def ship_of(pilot: Pilot) -> Ship:
    ship = pilot.state.ship
    return Ship(ship.node, ship.fuel, ship.hull, ship.heat, ship.tool, ship.alert, ship.cargo_total(), ship.credits)


def last_ship_of(pilot: Pilot) -> Ship:
    """Recover the ship of an episode that has just ended from its last observation and metrics."""
    obs = pilot.batch.final_obs[0].tolist()
    return Ship(
        node=round(obs[Obs.CURRENT_NODE_INDEX_NORM] * 31),
        fuel=obs[Obs.FUEL_FRAC] * FUEL_MAX,
        hull=obs[Obs.HULL_FRAC] * HULL_MAX,
        heat=obs[Obs.HEAT_FRAC] * HEAT_MAX,
        tool=obs[Obs.TOOL_FRAC] * TOOL_MAX,
        alert=obs[Obs.ALERT_FRAC] * ALERT_MAX,
        cargo=obs[Obs.CARGO_LOAD_FRAC] * CARGO_MAX,
        credits=pilot.metrics()["credits"],
    )


def test_the_script_of_seed_42_goes_line_by_line(fly: Fly) -> None:
    pilot = fly(seed=42)

    for line in SCRIPT:
        record = pilot.step(line.action)

        ship = last_ship_of(pilot) if record.terminated[0] else ship_of(pilot)
        assert astuple(ship) == pytest.approx(astuple(line.ship), abs=SIX_DECIMALS)
        assert record.rewards[0] == pytest.approx(line.reward, abs=NINE_DECIMALS)
        assert (record.dt, record.info["invalid_action"], record.draws) == (line.dt, line.is_invalid, line.draws)
        assert record.effective == ((Act.HOLD_DRIFT if line.is_invalid else line.action,),)
        assert " ".join(record.events) == line.events
    assert record.terminated == (True,)
    assert record.info["end_reason"] == "cash_out"
