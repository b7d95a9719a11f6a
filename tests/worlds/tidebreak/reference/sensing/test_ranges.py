"""Where a contact begins: the range of zero excess against closed forms worked out by hand."""

from math import log10, sqrt
from typing import Any

import pytest

from diorama.worlds.tidebreak.codes import Emissions, Modality, System
from tests.worlds.tidebreak.reference.sensing.arenas import activate, detection_range, excess, open_water, ship


def range_of_loss(loss_db: float) -> float:
    """The range over which sound loses this much by spreading and absorption."""
    near, far = 1.0, 1e6
    for _ in range(80):
        middle = (near + far) / 2.0
        near, far = (middle, far) if 20.0 * log10(middle) + middle / 1000.0 < loss_db else (near, middle)
    return near


@pytest.mark.parametrize(
    ("classes", "weather", "meters"),
    [
        pytest.param(("corvette", "corvette"), {}, 9_000.0, id="clear-air"),
        pytest.param(("corvette", "skimmer"), {}, 9_000.0 * sqrt(0.15), id="small-target"),
        pytest.param(("skimmer", "dreadnought"), {"visibility_km": 5}, 9_000.0 * 0.25 * sqrt(3.0), id="haze"),
        pytest.param(("corvette", "corvette"), {"visibility_km": 0.1}, 9_000.0 * 0.02, id="thick-fog"),
    ],
)
def test_the_eye_reaches_as_far_as_air_and_size_allow(
    classes: tuple[str, str], weather: dict[str, float], meters: float
) -> None:
    battle = open_water(ship("a", classes[0], 0.0), ship("b", classes[1], 5_000.0), weather=weather)

    assert detection_range(battle, Modality.VISUAL) == pytest.approx(meters, rel=0.02)


@pytest.mark.parametrize(
    ("classes", "weather", "meters"),
    [
        pytest.param(("corvette", "corvette"), {}, 14_000.0, id="calm"),
        pytest.param(("frigate", "skimmer"), {}, 20_000.0 * sqrt(sqrt(0.08)), id="fourth-root"),
        pytest.param(
            ("corvette", "corvette"),
            {"sea_state": 4, "precipitation": "HEAVY_RAIN"},
            14_000.0 * 0.7,
            id="sea-and-rain",
        ),
        pytest.param(("corvette", "corvette"), {"sea_state": 9, "precipitation": "STORM"}, 14_000.0 * 0.35, id="storm"),
    ],
)
def test_radar_reaches_by_the_fourth_root_of_the_index(
    classes: tuple[str, str], weather: dict[str, float], meters: float
) -> None:
    battle = open_water(ship("a", classes[0], 0.0), ship("b", classes[1], 5_000.0), weather=weather)
    activate(battle)

    assert detection_range(battle, Modality.RADAR) == pytest.approx(meters, rel=0.02)


def test_a_receiver_hears_a_radar_half_again_as_far_as_it_sees() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "frigate", 5_000.0))
    battle.unit(2).posture.emissions = Emissions.ACTIVE

    assert detection_range(battle, Modality.ESM) == pytest.approx(30_000.0, rel=0.02)


def test_a_receiver_hears_the_link_of_a_passive_pair_and_nothing_of_a_lone_ship() -> None:
    mates = open_water(ship("a", "corvette", 0.0), ship("b", "frigate", 5_000.0), ship("b", "frigate", 8_000.0))
    alone = open_water(ship("a", "corvette", 0.0), ship("b", "frigate", 5_000.0))

    assert detection_range(mates, Modality.ESM, far=9_000.0) == pytest.approx(3_000.0, rel=0.02)
    assert excess(alone, Modality.ESM) is None


@pytest.mark.parametrize(
    ("observer", "target", "loss_db"),
    [
        # 140 source - 62 sea + 12 array - 12 threshold
        pytest.param({"class": "corvette"}, {"class": "corvette"}, 78.0, id="still-corvettes"),
        # the same at 12 of 15 m/s: 140 + 24 * 0.64 + 8 * (0.8 - 0.7) / 0.3
        pytest.param({"class": "corvette"}, {"class": "corvette", "speed": 12.0}, 96.0266667, id="under-way"),
        # 150 - 60 below the layer + 18 - 12, and 12 * 0.5 for the thermocline
        pytest.param(
            {"class": "attack_sub", "layer": "SUBMERGED"}, {"class": "freighter"}, 90.0, id="through-the-thermocline"
        ),
        # 112 + 18 on the surface - 62 + 16 - 12
        pytest.param({"class": "frigate"}, {"class": "attack_sub"}, 72.0, id="surfaced-submarine"),
        # 112 - 58 + 18 - 12 - 6 of the deep, 14 between the layers
        pytest.param(
            {"class": "deep_runner", "layer": "ABYSSAL"},
            {"class": "attack_sub", "layer": "SUBMERGED"},
            40.0,
            id="from-the-deep",
        ),
    ],
)
def test_a_listening_sonar_reaches_as_far_as_its_figure_of_merit(
    observer: dict[str, Any], target: dict[str, Any], loss_db: float
) -> None:
    battle = open_water(
        ship("a", str(observer.pop("class")), 0.0, **observer), ship("b", str(target.pop("class")), 5_000.0, **target)
    )

    assert detection_range(battle, Modality.PASSIVE_SONAR) == pytest.approx(range_of_loss(loss_db), rel=0.02)


def test_a_ping_pays_the_way_twice() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "attack_sub", 2_000.0, layer="SUBMERGED"))
    activate(battle)
    battle.tick = 9  # tick + id is a multiple of 10

    # 205 + 10 - 62 + 12 - 14, halved, less 12 * 0.5 for the thermocline
    assert detection_range(battle, Modality.ACTIVE_SONAR) == pytest.approx(range_of_loss(69.5), rel=0.02)


def test_a_ping_comes_every_tenth_tick_and_only_from_who_is_active() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "corvette", 2_000.0))
    heard: dict[Emissions, list[int]] = {}
    for emissions in Emissions:
        battle.unit(1).posture.emissions = emissions
        heard[emissions] = []
        for battle.tick in range(20):
            heard[emissions] += [battle.tick] if excess(battle, Modality.ACTIVE_SONAR) is not None else []

    assert heard == {Emissions.SILENT: [], Emissions.PASSIVE: [], Emissions.ACTIVE: [9, 19]}


def test_damage_interference_and_an_obstacle_cost_what_they_should() -> None:
    zone = {
        "shape": {"type": "circle", "radius": 500},
        "position": [5_000, 0],
        "modifier_type": "SENSOR_INTERFERENCE",
        "intensity": 0.4,
    }
    rock = {"shape": {"type": "circle", "radius": 100}, "position": [2_500, 0], "material": "solid"}
    ships = (ship("a", "corvette", 0.0), ship("b", "corvette", 5_000.0))
    plain, disturbed, blocked = (
        open_water(*ships),
        open_water(*ships, zones=[zone]),
        open_water(*ships, obstacles=[rock]),
    )
    hurt = open_water(*ships)
    hurt.unit(1).hull.systems[System.SENSORS] = 0.5
    hurt.unit(1).hull.systems[System.POWER] = 0.75

    whole = excess(plain, Modality.PASSIVE_SONAR) or 0.0
    assert excess(disturbed, Modality.PASSIVE_SONAR) == pytest.approx(whole - 8.0)
    assert excess(hurt, Modality.PASSIVE_SONAR) == pytest.approx(whole - 3.0 - 1.0)
    assert excess(blocked, Modality.PASSIVE_SONAR) == pytest.approx(whole - 25.0)
    assert excess(blocked, Modality.VISUAL) is None


def test_a_radar_that_is_jammed_loses_25_decibels() -> None:
    zone = {
        "shape": {"type": "circle", "radius": 500},
        "position": [0, 0],
        "modifier_type": "ECM",
        "intensity": 0.5,
    }
    ships = (ship("a", "corvette", 0.0), ship("b", "corvette", 5_000.0))
    plain, jammed = open_water(*ships), open_water(*ships, zones=[zone])
    activate(plain)
    activate(jammed)

    for modality in (Modality.RADAR, Modality.ESM):
        assert excess(jammed, modality) == pytest.approx((excess(plain, modality) or 0.0) - 12.5)
    assert excess(jammed, Modality.VISUAL) == excess(plain, Modality.VISUAL)


def test_layers_decide_who_can_be_seen() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "attack_sub", 2_000.0, layer="SUBMERGED"))
    activate(battle)
    battle.unit(2).hull.systems[System.SENSORS] = 0.2

    assert excess(battle, Modality.VISUAL) is None
    assert excess(battle, Modality.RADAR) is None
    assert excess(battle, Modality.PASSIVE_SONAR) is not None
    assert excess(battle, Modality.RADAR, observer=2, target=1) is None
