from collections.abc import Callable

import numpy as np
import pytest

from diorama.contracts.values import F32, U8
from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.contest import consecutive_seeds, run_contest
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.learn.evaluation.summary import metric_column
from diorama.numerics import log1p
from diorama.rng import Pcg32
from diorama.worlds.prospector.bots import BOTS
from diorama.worlds.prospector.contract import N_ACTIONS, Act, AsteroidObs, NeighborObs, Obs

NO_BYTES: U8 = np.zeros(0, np.uint8)
ALL_VALID: U8 = np.ones(N_ACTIONS, np.uint8)
STATION, CLUSTER, HAZARD = range(3)


class Scene:
    """An observation row put together by hand; what is not mentioned is a quiet, empty ship."""

    def __init__(self, *, at_station: bool = True, node: int = 0, **entries: float) -> None:
        self.obs: F32 = np.zeros(Obs.SIZE, np.float32)
        self.obs[[Obs.FUEL_FRAC, Obs.HULL_FRAC, Obs.TOOL_FRAC, Obs.TIME_FRAC]] = 1.0
        self.obs[Obs.AT_STATION_FLAG] = at_station
        self.obs[Obs.CURRENT_NODE_INDEX_NORM] = node / 31
        for name, value in entries.items():
            self.obs[PLACES[name]] = value

    def credits(self, credits_held: float) -> "Scene":
        # A little above: single precision must not turn an affordable thing into one that is not.
        self.obs[Obs.CREDITS_LOG_NORM] = log1p(credits_held * 1.0001) / log1p(1e7)
        return self

    def cargo(self, **shares: float) -> "Scene":
        for name, share in shares.items():
            self.obs[Obs.CARGO_BY_COMMODITY_FRAC + int(name[1:])] = share
        return self

    def prices(self, values: float, delta: float = 0.0) -> "Scene":
        self.obs[Obs.PRICE_NORM : Obs.PRICE_NORM + 6] = values
        self.obs[Obs.PRICE_DELTA_NORM : Obs.PRICE_DELTA_NORM + 6] = delta
        return self

    def way(self, slot: int, kind: int, *, time: float = 0.5, fuel: float = 0.5, threat: float = 0.5) -> "Scene":
        first = Obs.NEIGHBORS + NeighborObs.SIZE * slot
        self.obs[first + NeighborObs.VALID] = self.obs[first + NeighborObs.TYPE_ONEHOT + kind] = 1.0
        self.obs[first + NeighborObs.TRAVEL_TIME_NORM :][:3] = (time, fuel, threat)
        return self

    def rock(
        self,
        slot: int,
        *,
        pge: float = 0.5,
        stability: float = 0.5,
        depletion: float = 0.0,
        conf: float = 0.9,
        selected: bool = False,
    ) -> "Scene":
        first = Obs.ASTEROIDS + AsteroidObs.SIZE * slot
        entries = [1.0, 1.0 - pge, 0.0, 0.0, pge, 0.0, 0.0, stability, depletion, conf, float(selected)]
        self.obs[first : first + AsteroidObs.SIZE] = entries
        return self


PLACES = {
    "fuel": Obs.FUEL_FRAC,
    "hull": Obs.HULL_FRAC,
    "heat": Obs.HEAT_FRAC,
    "tool": Obs.TOOL_FRAC,
    "load": Obs.CARGO_LOAD_FRAC,
    "alert": Obs.ALERT_FRAC,
    "time": Obs.TIME_FRAC,
    "kits": Obs.REPAIR_KITS_NORM,
    "stabilizers": Obs.STABILIZERS_NORM,
    "hops": Obs.STEPS_TO_STATION_NORM,
}


def field(**entries: float) -> Scene:
    """A cluster with the station behind slot 1 and two rocks, the second one with more to dear."""
    scene = Scene(at_station=False, node=3, **entries).way(0, CLUSTER).way(1, STATION).way(2, HAZARD)
    scene.obs[Obs.PRICE_NORM + 3] = 0.5
    return scene.rock(0, pge=0.2).rock(1, pge=0.8)


def far_field(node: int, *, hops: int, depletion: float = 0.0) -> Scene:
    """A node with one rock; its ways are up to the test."""
    scene = Scene(at_station=False, node=node, hops=hops / 31).prices(0.5)
    return scene.rock(0, pge=0.8, depletion=depletion)


def port(**entries: float) -> Scene:
    """The station with a hazardous node behind slot 0 and clusters behind slots 1 and 2."""
    return Scene(at_station=True, node=0, **entries).way(0, HAZARD).way(1, CLUSTER).way(2, CLUSTER)


def choice(bot: str, scene: Scene) -> int:
    (action,) = BOTS[bot]().act(scene.obs, NO_BYTES, ALL_VALID)
    return action


GREEDY = [
    pytest.param(port().cargo(c1=0.02, c3=0.9), 48, id="sells-all-of-the-first"),
    pytest.param(port(fuel=0.39).credits(210), Act.BUY_FUEL_LARGE, id="refuels"),
    pytest.param(port(fuel=0.39).credits(209), 1, id="leaves-when-too-poor"),
    pytest.param(port().cargo(c1=0.009), 1, id="leaves-for-the-lowest-cluster"),
    pytest.param(Scene().way(0, STATION).way(1, HAZARD), 1, id="leaves-for-any-node-but-the-station"),
    pytest.param(Scene(), Act.HOLD_DRIFT, id="holds-with-nowhere-to-go"),
    pytest.param(field(load=0.86), 1, id="retreats-when-full"),
    pytest.param(field(heat=0.81), 1, id="retreats-when-hot"),
    pytest.param(field(hull=0.39), 1, id="retreats-when-hurt"),
    pytest.param(field(fuel=0.14), 1, id="retreats-when-thirsty"),
    pytest.param(Scene(at_station=False, load=0.9).way(2, HAZARD), 2, id="retreats-through-the-lowest-slot"),
    pytest.param(field(), Act.SELECT_ASTEROID + 1, id="selects-the-dearest"),
    pytest.param(field().rock(1, pge=0.8, depletion=0.9995), Act.SELECT_ASTEROID, id="ignores-dug-out-rocks"),
    pytest.param(field().rock(0, pge=0.8), Act.SELECT_ASTEROID, id="breaks-ties-toward-the-lower-slot"),
    pytest.param(field().rock(1, pge=0.8, selected=True), Act.MINE_AGGRESSIVE_SELECTED, id="digs-hard"),
    pytest.param(field(tool=0.59).rock(1, pge=0.8, selected=True), Act.MINE_STANDARD_SELECTED, id="spares-a-worn-tool"),
    pytest.param(field(heat=0.6).rock(1, pge=0.8, selected=True), Act.MINE_STANDARD_SELECTED, id="spares-a-hot-drill"),
    pytest.param(field().rock(0, depletion=1.0).rock(1, depletion=1.0), 0, id="moves-on-when-nothing-is-left"),
]
CAUTIOUS = [
    pytest.param(port().cargo(c2=0.02), 50, id="sells-half-of-the-first"),
    pytest.param(port(kits=0.25).credits(150), Act.BUY_REPAIR_KIT, id="buys-kits"),
    pytest.param(port(kits=0.5, fuel=0.49).credits(120), Act.BUY_FUEL_MED, id="refuels"),
    pytest.param(port(kits=0.5, fuel=0.49).credits(119), 1, id="leaves"),
    pytest.param(field(load=0.71), 1, id="retreats-when-full"),
    pytest.param(field(hull=0.54), 1, id="retreats-when-hurt"),
    pytest.param(field().rock(0, conf=0.1).rock(1, conf=0.5), Act.WIDE_SCAN, id="scans-what-it-does-not-know"),
    pytest.param(field(), Act.SELECT_ASTEROID + 1, id="selects"),
    pytest.param(field().rock(1, pge=0.8, conf=0.59, selected=True), Act.DEEP_SCAN_SELECTED, id="looks-twice"),
    pytest.param(
        field(stabilizers=0.2).rock(1, pge=0.9, stability=0.39, selected=True), Act.STABILIZE_SELECTED, id="stabilizes"
    ),
    pytest.param(field(heat=0.71).rock(1, pge=0.8, selected=True), Act.ACTIVE_COOLDOWN, id="cools"),
    pytest.param(field().rock(1, pge=0.8, selected=True), Act.MINE_CONSERVATIVE_SELECTED, id="digs-gently"),
]
TIMER = [
    pytest.param(port().cargo(c3=0.02).prices(0.31, 0.011), 52, id="sells-into-a-rise"),
    pytest.param(port().cargo(c3=0.02).prices(0.31, 0.009), 1, id="waits-for-a-rise"),
    pytest.param(port().cargo(c3=0.02).prices(0.29, 0.011), 1, id="waits-for-a-fair-price"),
    pytest.param(port(load=0.71).cargo(c3=0.02), 52, id="sells-when-full"),
    pytest.param(port(time=0.14).cargo(c1=0.06), 46, id="sells-the-rest-when-time-is-short"),
    pytest.param(port().cargo(c1=0.06), 1, id="keeps-the-rest"),
    pytest.param(port(fuel=0.49).credits(120), Act.BUY_FUEL_MED, id="refuels"),
    pytest.param(field(load=0.13), 1, id="brings-home-early"),
    pytest.param(field(load=0.13, heat=0.66), Act.ACTIVE_COOLDOWN, id="cools-first"),
    pytest.param(
        Scene(at_station=False, load=0.26).prices(0.5, -0.03).way(4, CLUSTER), 4, id="retreats-from-a-falling-price"
    ),
    pytest.param(Scene(at_station=False, load=0.86).way(4, CLUSTER), Act.HOLD_DRIFT, id="holds-far-from-the-station"),
    pytest.param(field(heat=0.81), Act.ACTIVE_COOLDOWN, id="cools-when-hot"),
    pytest.param(field(), Act.SELECT_ASTEROID + 1, id="selects-what-it-deals-in"),
    pytest.param(field().rock(1, pge=0.8, selected=True), Act.MINE_STANDARD_SELECTED, id="digs"),
    pytest.param(
        field(heat=0.6).rock(1, pge=0.8, selected=True), Act.MINE_CONSERVATIVE_SELECTED, id="digs-gently-when-warm"
    ),
]
PRUDENT = [
    pytest.param(port().cargo(c1=0.02, c3=0.03), 53, id="sells-half-of-the-largest"),
    pytest.param(port().cargo(c1=0.001, c3=0.019), 54, id="sells-all-of-a-small-rest"),
    pytest.param(port(hull=0.74).credits(280), Act.FULL_REPAIR_OVERHAUL, id="overhauls-the-hull"),
    pytest.param(port(tool=0.84).credits(280), Act.FULL_REPAIR_OVERHAUL, id="overhauls-the-tool"),
    pytest.param(port(fuel=0.74).credits(210), Act.BUY_FUEL_LARGE, id="refuels-a-lot"),
    pytest.param(port(fuel=0.59).credits(120), Act.BUY_FUEL_MED, id="refuels-a-little"),
    pytest.param(port(alert=0.01), Act.DOCK, id="lies-low"),
    pytest.param(port(heat=0.21), Act.HOLD_DRIFT, id="cools"),
    pytest.param(port(hull=0.69), Act.CASH_OUT_END_EPISODE, id="stops-while-ahead"),
    pytest.param(port(), 1, id="prefers-clusters"),
    pytest.param(port().way(2, CLUSTER, time=0.4), 2, id="prefers-short-ways"),
    pytest.param(port().way(2, CLUSTER, threat=0.4), 2, id="prefers-safe-ways"),
    pytest.param(port().way(2, CLUSTER, fuel=0.4), 2, id="prefers-cheap-ways"),
    pytest.param(Scene(), Act.CASH_OUT_END_EPISODE, id="stops-with-nowhere-to-go"),
    pytest.param(field(hull=0.59), 1, id="returns-when-hurt"),
    pytest.param(field(fuel=0.14), 1, id="returns-when-fuel-just-suffices"),
    pytest.param(field(alert=0.61), 1, id="returns-when-loud"),
    pytest.param(field(load=0.26), 1, id="returns-when-loaded"),
    pytest.param(Scene(at_station=False).way(3, CLUSTER), 3, id="goes-on-when-the-station-is-not-next-door"),
    pytest.param(field(heat=0.76), Act.ACTIVE_COOLDOWN, id="vents"),
    pytest.param(field(), Act.WIDE_SCAN, id="scans-a-new-node"),
]
REFINER = [
    pytest.param(port().cargo(c0=0.002, c1=0.001), Act.REFINE_ONBOARD, id="refines-cheap-metal"),
    pytest.param(port(heat=0.63).cargo(c1=0.01), Act.HOLD_DRIFT, id="lets-the-ship-cool"),
    pytest.param(port(heat=0.63, alert=0.1).cargo(c1=0.01), Act.DOCK, id="lies-low-while-it-cools"),
    pytest.param(port(fuel=0.09).cargo(c1=0.01), 47 + 1, id="sells-metal-when-thirsty"),
    pytest.param(port(time=0.02).cargo(c1=0.03), 46 + 1, id="sells-metal-when-time-is-short"),
    pytest.param(port().cargo(c1=0.001, c3=0.03), 53, id="sells-half-of-the-largest"),
    pytest.param(port(hull=0.74).credits(280), Act.FULL_REPAIR_OVERHAUL, id="overhauls"),
    pytest.param(port(), 1, id="prefers-clusters"),
    pytest.param(port(time=0.02), Act.CASH_OUT_END_EPISODE, id="stops-when-time-is-short"),
    pytest.param(Scene(), Act.CASH_OUT_END_EPISODE, id="stops-with-nowhere-to-go"),
    pytest.param(field(hull=0.49), 1, id="returns-when-hurt"),
    pytest.param(field(fuel=0.14), 1, id="returns-when-fuel-just-suffices"),
    pytest.param(field(alert=0.61), 1, id="returns-when-loud"),
    pytest.param(field(time=0.011), 1, id="returns-when-time-is-short"),
    pytest.param(field().cargo(c3=0.017), 1, id="returns-with-little-of-what-is-dear"),
    pytest.param(Scene(at_station=False).way(3, CLUSTER), 3, id="goes-on-when-the-station-is-not-next-door"),
    pytest.param(field(heat=0.76), Act.ACTIVE_COOLDOWN, id="vents"),
    pytest.param(field(), Act.WIDE_SCAN, id="scans-a-new-node"),
]

EXPLORER = [
    pytest.param(port().cargo(c0=0.002, c1=0.001), Act.REFINE_ONBOARD, id="refines-cheap-metal"),
    pytest.param(port().cargo(c1=0.001, c3=0.03), 53, id="sells-half-of-the-largest"),
    pytest.param(port(hull=0.69).credits(280), Act.FULL_REPAIR_OVERHAUL, id="overhauls-the-hull"),
    pytest.param(port(tool=0.84).credits(280), Act.FULL_REPAIR_OVERHAUL, id="overhauls-the-tool"),
    pytest.param(port(fuel=0.64).credits(210), Act.BUY_FUEL_LARGE, id="refuels"),
    pytest.param(port(fuel=0.66).credits(210), 1, id="does-not-refuel-early"),
    pytest.param(port(alert=0.01), Act.DOCK, id="lies-low"),
    pytest.param(port(heat=0.21), Act.HOLD_DRIFT, id="cools"),
    pytest.param(port(hull=0.64), Act.CASH_OUT_END_EPISODE, id="stops-when-hurt"),
    pytest.param(port(time=0.02), Act.CASH_OUT_END_EPISODE, id="stops-when-time-is-short"),
    pytest.param(port(), 1, id="prefers-clusters"),
    pytest.param(port().way(2, CLUSTER, time=0.4), 2, id="prefers-short-ways"),
    pytest.param(Scene(), Act.CASH_OUT_END_EPISODE, id="stops-with-nowhere-to-go"),
    pytest.param(field(hops=1 / 31, hull=0.39), 1, id="returns-when-hurt"),
    pytest.param(field(hops=2 / 31, hull=0.49), 1, id="returns-sooner-from-afar"),
    pytest.param(field(hops=1 / 31, fuel=0.19), 1, id="returns-when-fuel-just-suffices"),
    pytest.param(field(hops=1 / 31, alert=0.61), 1, id="returns-when-loud"),
    pytest.param(field(hops=1 / 31, time=0.011), 1, id="returns-when-time-is-short"),
    pytest.param(field(hops=1 / 31).cargo(c3=0.022), 1, id="returns-with-little-of-what-is-dear"),
    pytest.param(field(hops=2 / 31).cargo(c3=0.022), Act.WIDE_SCAN, id="may-hold-more-far-out"),
    pytest.param(field(hops=1 / 31, heat=0.76), Act.ACTIVE_COOLDOWN, id="vents"),
    pytest.param(field(hops=1 / 31), Act.WIDE_SCAN, id="scans-a-new-node"),
]


@pytest.mark.parametrize(("scene", "action"), GREEDY)
def test_greedy_miner(scene: Scene, action: int) -> None:
    assert choice("greedy_miner", scene) == action


@pytest.mark.parametrize(("scene", "action"), CAUTIOUS)
def test_cautious_scanner(scene: Scene, action: int) -> None:
    assert choice("cautious_scanner", scene) == action


@pytest.mark.parametrize(("scene", "action"), TIMER)
def test_market_timer(scene: Scene, action: int) -> None:
    assert choice("market_timer", scene) == action


@pytest.mark.parametrize(("scene", "action"), PRUDENT)
def test_prudent_hauler(scene: Scene, action: int) -> None:
    assert choice("prudent_hauler", scene) == action


@pytest.mark.parametrize(("scene", "action"), REFINER)
def test_refiner(scene: Scene, action: int) -> None:
    assert choice("refiner", scene) == action


@pytest.mark.parametrize(("scene", "action"), EXPLORER)
def test_explorer(scene: Scene, action: int) -> None:
    assert choice("explorer", scene) == action


def play(bot: str, *scenes: Scene) -> list[int]:
    player = BOTS[bot]()
    player.reset(0)
    return [player.act(scene.obs, NO_BYTES, ALL_VALID)[0] for scene in scenes]


def test_prudent_hauler_scans_a_node_once_and_then_digs_what_pays() -> None:
    rich = field().prices(0.9)
    selected = field().prices(0.9).rock(1, pge=0.8, selected=True)
    firm = field().prices(0.9).rock(1, pge=0.8, stability=0.76, selected=True)

    actions = play("prudent_hauler", rich, rich, selected, firm)

    assert actions == [
        Act.WIDE_SCAN,
        Act.SELECT_ASTEROID + 1,
        Act.MINE_CONSERVATIVE_SELECTED,
        Act.MINE_STANDARD_SELECTED,
    ]


def test_prudent_hauler_gives_up_a_slot_whose_rocks_do_not_pay_and_stops_when_all_are_exhausted() -> None:
    worthless = field().prices(0.0).rock(0, pge=0.0, stability=0.0).rock(1, pge=0.0, stability=0.0)
    home = Scene().way(1, CLUSTER).way(2, CLUSTER, time=0.6)

    actions = play("prudent_hauler", home, worthless, worthless, home, worthless, home)

    assert actions == [1, Act.WIDE_SCAN, 1, 2, 1, Act.CASH_OUT_END_EPISODE]


def test_refiner_digs_rocks_the_hauler_fears_and_stops_when_no_dig_pays() -> None:
    loose = field().prices(0.9).rock(0, stability=0.0).rock(1, stability=0.0)
    spent = field().prices(0.9).rock(0, depletion=0.99).rock(1, depletion=0.99)
    far = field().prices(0.9).rock(0, depletion=0.99).rock(1, depletion=0.99).way(1, STATION, time=0.6)
    home = Scene().way(1, CLUSTER).way(2, CLUSTER, time=0.6)

    actions = play("refiner", home, loose, loose, spent, home, far, home)

    assert actions == [1, Act.WIDE_SCAN, Act.SELECT_ASTEROID, 1, 2, 1, Act.CASH_OUT_END_EPISODE]


def test_refiner_remembers_which_rocks_are_exhausted_by_where_the_ship_is() -> None:
    spent = field().rock(0, depletion=0.99).rock(1, depletion=0.99).way(1, STATION, time=0.6)
    home = Scene().way(1, CLUSTER).way(2, CLUSTER, time=0.6)

    # It would leave by slot 1, but the ship arrives behind slot 2, as when a policy acts and the bot teaches.
    actions = play("refiner", home, spent, spent, home)

    assert actions == [1, Act.WIDE_SCAN, 1, 1]


FIRST = {"time": 0.5, "fuel": 0.4}
SECOND = {"time": 0.25, "fuel": 0.3}
HARBOR = Scene().way(0, CLUSTER, **FIRST)
NEXT_DOOR = far_field(1, hops=1).way(0, STATION, **FIRST).way(1, CLUSTER, **SECOND)
SPENT_NEXT_DOOR = far_field(1, hops=1, depletion=0.999).way(0, STATION, **FIRST).way(1, CLUSTER, **SECOND)
FAR_OUT = far_field(2, hops=2).way(0, CLUSTER, time=0.1, fuel=0.1).way(1, CLUSTER, **SECOND)


def test_explorer_goes_on_from_exhausted_rocks_and_knows_the_way_home() -> None:
    loaded = Scene(at_station=False, node=2, hops=2 / 31).way(1, CLUSTER, **SECOND).cargo(c3=0.1)
    passing = Scene(at_station=False, node=1, hops=1 / 31).way(0, STATION, **FIRST).way(1, CLUSTER, **SECOND)

    actions = play(
        "explorer", HARBOR, SPENT_NEXT_DOOR, SPENT_NEXT_DOOR, FAR_OUT, FAR_OUT, loaded, loaded, passing.cargo(c3=0.1)
    )

    assert actions == [0, Act.WIDE_SCAN, 1, Act.WIDE_SCAN, Act.SELECT_ASTEROID, Act.EMERGENCY_BURN, 1, 0]


def test_explorer_digs_a_rock_until_it_is_not_worth_a_dig() -> None:
    def two_rocks(left: float) -> Scene:
        scene = Scene(at_station=False, node=1, hops=1 / 31).way(0, STATION, **FIRST).prices(0.5)
        return scene.rock(0, pge=1.0).rock(1, pge=0.0, depletion=1.0 - left, selected=True)

    actions = play("explorer", two_rocks(0.9), two_rocks(0.9), two_rocks(0.05))

    assert actions == [Act.WIDE_SCAN, Act.MINE_CONSERVATIVE_SELECTED, Act.SELECT_ASTEROID]


def test_explorer_goes_no_farther_than_two_legs_and_stops_when_all_is_exhausted() -> None:
    spent_far_out = far_field(2, hops=2, depletion=0.999).way(0, CLUSTER, time=0.1, fuel=0.1).way(1, CLUSTER, **SECOND)

    actions = play(
        "explorer",
        *(HARBOR, SPENT_NEXT_DOOR, SPENT_NEXT_DOOR),
        *(spent_far_out, spent_far_out, SPENT_NEXT_DOOR, HARBOR),
    )

    assert actions == [0, Act.WIDE_SCAN, 1, Act.WIDE_SCAN, 1, 0, Act.CASH_OUT_END_EPISODE]


def test_explorer_draws_its_chart_from_where_the_ship_is_and_not_from_what_it_decided() -> None:
    # It digs next door, but the ship goes on, as when a policy acts and the bot teaches.
    hurt = Scene(at_station=False, node=2, hull=0.2, hops=2 / 31).way(0, CLUSTER, time=0.1, fuel=0.1)

    actions = play("explorer", HARBOR, NEXT_DOOR, hurt.way(1, CLUSTER, **SECOND))

    assert actions == [0, Act.WIDE_SCAN, 1]


def test_explorer_that_was_put_somewhere_looks_for_the_way() -> None:
    lost = Scene(at_station=False, node=2, hops=1 / 31).way(0, CLUSTER, time=0.9).way(1, HAZARD).way(2, CLUSTER)

    assert choice("explorer", lost) == 2


def test_prudent_hauler_forgets_between_episodes() -> None:
    bot = BOTS["prudent_hauler"]()
    bot.reset(1)
    bot.act(field().obs, NO_BYTES, ALL_VALID)

    bot.reset(2)

    assert bot.act(field().obs, NO_BYTES, ALL_VALID) == (Act.WIDE_SCAN,)


def test_random_valid_draws_from_the_stream_of_its_episode() -> None:
    mask: U8 = np.zeros(N_ACTIONS, np.uint8)
    mask[[3, 6, 42, 68]] = 1
    bot, rng = BOTS["random_valid"](), Pcg32.from_seed(77, 99)
    bot.reset(77)

    actions = [bot.act(Scene().obs, NO_BYTES, mask)[0] for _ in range(20)]

    assert actions == [(3, 6, 42, 68)[rng.next_u32() % 4] for _ in range(20)]


@pytest.mark.parametrize(("bot", "action"), [("cash_out", 68), ("idle", 6)])
def test_the_simplest_bots_always_do_the_same(bot: str, action: int) -> None:
    assert choice(bot, port()) == choice(bot, field()) == action


def test_there_are_nine_bots_weakest_first() -> None:
    assert list(BOTS) == [
        *("cash_out", "idle", "random_valid", "greedy_miner", "cautious_scanner", "market_timer", "prudent_hauler"),
        *("refiner", "explorer"),
    ]


# Means of published calibration runs: net profit with its standard error, survival, returns, decisions, ticks.
CALIBRATION = [
    pytest.param("cash_out", 100, (0.0, 0.0), 1.00, (-0.001, -0.0002), (1, 1), id="cash_out"),
    pytest.param("random_valid", 100, (13.0, 3.0), 0.38, (-62.0, -5.0), (65, 117), id="random_valid"),
    pytest.param("greedy_miner", 100, (361.0, 37.0), 0.00, (-107.0, -9.0), (54, 93), id="greedy_miner"),
    pytest.param("cautious_scanner", 100, (102.0, 23.0), 0.00, (-83.0, -7.0), (64, 130), id="cautious_scanner"),
    pytest.param("market_timer", 100, (13.0, 6.0), 0.00, (-113.0, -10.0), (51, 57), id="market_timer"),
    pytest.param(
        "prudent_hauler",
        60,
        (22170.0, 1040.0),
        1.00,
        (-179.0, 20.0),
        (2250, 2770),
        id="prudent_hauler",
        marks=pytest.mark.slow,
    ),
    pytest.param(
        "refiner", 40, (41900.0, 2500.0), 1.00, (-143.0, 39.4), (2800, 4300), id="refiner", marks=pytest.mark.slow
    ),
    pytest.param(
        "explorer", 40, (93800.0, 5500.0), 1.00, (-580.0, 85.9), (7310, 11220), id="explorer", marks=pytest.mark.slow
    ),
]


@pytest.mark.parametrize(("bot", "episodes", "profit", "survival", "returns", "lengths"), CALIBRATION)
def test_bots_score_what_the_calibration_says(
    bot: str,
    episodes: int,
    profit: tuple[float, float],
    survival: float,
    returns: tuple[float, float],
    lengths: tuple[float, float],
) -> None:
    venue = open_venue("prospector", tier="fast")

    contest = run_contest(
        venue,
        [bot_contender(venue.world, bot)],
        [consecutive_seeds(7, episodes)],
        max_decisions=30_000,
        progress=SilentProgress(),
    )

    (result,) = contest.results
    columns: dict[str, Callable[[], list[float]]] = {
        "return_v1": lambda: [record.returns["v1"] for record in result.records],
        "return_v2": lambda: [record.returns["v2"] for record in result.records],
        "decisions": lambda: [float(record.decisions) for record in result.records],
        "ticks": lambda: [float(record.ticks) for record in result.records],
    }
    net_profit = metric_column(result.records, "net_profit")
    assert net_profit.mean() == pytest.approx(profit[0], abs=4 * profit[1])
    survival_error = (survival * (1.0 - survival) / episodes) ** 0.5
    assert metric_column(result.records, "survival").mean() == pytest.approx(survival, abs=4 * survival_error)
    for column, expected in zip(columns.values(), (*returns, *lengths), strict=True):
        values = np.array(column())
        error = values.std(ddof=1) / np.sqrt(len(values))
        # The published figures are rounded to about two digits.
        assert values.mean() == pytest.approx(expected, abs=4 * error + 0.05 * abs(expected))
