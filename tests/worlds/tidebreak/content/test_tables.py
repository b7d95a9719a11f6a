from pathlib import Path
from shutil import copytree

import pytest
import yaml

from diorama.contracts.errors import ConfigError
from diorama.worlds.tidebreak import content as package
from diorama.worlds.tidebreak.codes import Layer, LinkTier, MunitionKind, SizeClass, TrackQuality, UnitKind, WeaponGroup
from diorama.worlds.tidebreak.content import load_content, shipped_content
from tests.worlds.tidebreak.samples import CLASS_NAMES

FOLDER = Path(package.__file__).parent
COLUMNS = ["name", "cost", "hp", "crew", "speed", "radar", "tracks", "size", "marines", "mounts", "platform", "fuel"]
COSTS = (15, 40, 70, 200, 1000, 1100, 20000, 130, 320, 160, 60, 25, 120, 350, 900)
HIT_POINTS = (28, 130, 360, 800, 4800, 3800, 24000, 280, 480, 700, 600, 80, 400, 1500, 5000)
CREWS = (2, 24, 90, 240, 1700, 2600, 20000, 65, 190, 180, 28, 8, 60, 250, 1600)
SURFACE_SPEEDS = (24, 18, 15, 14, 11, 12, 4, 11, 9, 12, 9, 0, 0, 0, 0)
RADAR_INDICES = (8, 40, 100, 220, 900, 1500, 8000, 25, 40, 250, 300, 60, 400, 1500, 1500)
TRACKS = (16, 24, 32, 48, 64, 64, 64, 24, 32, 24, 16, 64, 16, 32, 64)
SIZES = ["S", "S", "S", "M", "L", "L", "XL", "S", "M", "M", "S", "S", "S", "M", "L"]
MARINES = (0, 6, 10, 24, 80, 60, 400, 0, 12, 300, 0, 0, 0, 10, 100)
MOUNT_COUNTS = (2, 4, 7, 9, 11, 9, 11, 2, 4, 3, 1, 0, 0, 3, 12)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (lambda row: row.name, CLASS_NAMES),
        (lambda row: row.cost, COSTS),
        (lambda row: row.hull.hp, HIT_POINTS),
        (lambda row: row.crew, CREWS),
        (lambda row: row.speed.surface, SURFACE_SPEEDS),
        (lambda row: row.signature.radar_index, RADAR_INDICES),
        (lambda row: row.sensors.tracks, TRACKS),
        (lambda row: row.size.name, SIZES),
        (lambda row: row.stores.marines, MARINES),
        (lambda row: len(row.mounts), MOUNT_COUNTS),
        (lambda row: row.kind is UnitKind.PLATFORM, [False] * 11 + [True] * 4),
        (lambda row: row.stores.fuel_s, [5400, 14400] + [43200] * 9 + [None] * 4),
    ],
    ids=[
        "name",
        "cost",
        "hp",
        "crew",
        "speed",
        "radar-index",
        "tracks",
        "size",
        "marines",
        "mounts",
        "platform",
        "fuel",
    ],
)
def test_a_column_of_the_classes_is_as_written(column: object, values: list[object]) -> None:
    assert callable(column)
    assert [column(row) for row in shipped_content().classes.values()] == list(values)


def test_the_deep_runner_is_the_only_hull_for_the_abyss() -> None:
    classes = shipped_content().classes

    assert [name for name, row in classes.items() if row.speed.abyssal is not None] == ["deep_runner"]
    assert (classes["deep_runner"].dive.dive_s, classes["deep_runner"].dive.deep_s) == (45, 75)
    assert [name for name, row in classes.items() if row.speed.submerged is not None] == ["attack_sub", "deep_runner"]


def test_a_whole_row_is_as_written() -> None:
    frigate = shipped_content().classes["frigate"]

    assert (frigate.code, frigate.damage_tier) == (3, 1)
    assert frigate.hull.model_dump() == {
        "mass_t": 4200,
        "radius_m": 30,
        "draught_m": 6,
        "hp": 800,
        "armour": 6,
        "acceleration": 0.6,
        "turn_rate": 0.09,
        "turn_lag_s": 3.5,
    }
    assert (frigate.signature.sl0_db, frigate.signature.slk_db, frigate.signature.ts_db) == (142, 22, 12)
    assert (frigate.sensors.radar_range_m, frigate.sensors.di_db, frigate.sensors.ping_db) == (20000, 16, 210)
    assert frigate.sensors.link_tier is LinkTier.T3
    mounts = [f"{mount.weapon} {mount.facing}" for mount in frigate.mounts]
    assert mounts == ["G127 F", "G127 A", "AC30 O", "AC30 O", "M80 O", "T324 O", "DC O", "PD O", "PD O"]


def test_weapons_are_as_written() -> None:
    weapons = shipped_content().weapons

    assert list(weapons) == [
        "AC30",
        "R70",
        "G76",
        "G127",
        "G300",
        "T450",
        "T533",
        "T324",
        "DPT",
        "M80",
        "DC",
        "MN",
        "PD",
        "AIR",
    ]
    assert [row.hit.damage for row in weapons.values()] == [4, 24, 14, 26, 90, 170, 240, 110, 260, 120, 60, 180, 0, 40]
    assert [row.fire.cooldown_s for row in weapons.values()] == [2, 20, 3, 4, 12, 30, 25, 15, 30, 20, 12, 30, 1, 180]
    assert [row.fire.ammo for row in weapons.values()] == [120, 2, 160, 140, 80, 2, 6, 6, 4, 4, 24, 8, 400, None]
    heavy, torpedo, missile = weapons["G300"], weapons["T533"], weapons["M80"]
    assert (heavy.fire.range_m, heavy.fire.spread_mrad, heavy.flight.speed_ms) == (14000, 4.5, 780)
    assert (torpedo.kind, torpedo.group) == (MunitionKind.TORPEDO, WeaponGroup.TORPEDO)
    assert torpedo.launch_from == torpedo.hits == (Layer.SURFACE, Layer.SUBMERGED)
    assert torpedo.track is not None
    assert (torpedo.track.quality, torpedo.track.sigma_max_m) == (TrackQuality.Q1, 400)
    assert (missile.pop_up, missile.flight.seeker_m, missile.flight.half_fov_rad) == (True, 2500, 0.5)
    assert weapons["T324"].hits == (Layer.SUBMERGED,)
    assert weapons["MN"].flight.trigger_m == 60


@pytest.mark.parametrize(("crew", "size"), [(0, "S"), (149, "S"), (150, "M"), (1500, "L"), (10000, "XL")])
def test_a_crew_makes_a_size(crew: int, size: str) -> None:
    assert shipped_content().size_of_crew(crew) is SizeClass[size]


def edited(folder: Path, file: str, old: str, new: str) -> Path:
    copytree(FOLDER, folder / "content")
    path = folder / "content" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return folder / "content"


def test_layout_does_not_change_the_hash_and_numbers_do(tmp_path: Path) -> None:
    same = edited(tmp_path / "same", "classes.yaml", "cost: 15", "cost:   15.0")
    other = edited(tmp_path / "other", "classes.yaml", "cost: 15", "cost: 16")

    assert load_content(same).content_hash == shipped_content().content_hash
    assert load_content(other).content_hash != shipped_content().content_hash


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("classes.yaml", "weapon: R70", "weapon: R71", "no weapon is called 'R71'"),
        ("classes.yaml", "code: 3", "code: 5", "codes must count up from 0"),
        ("classes.yaml", "size: S", "size: HUGE", "is no SizeClass"),
        ("classes.yaml", "kind: SHIP", "kind: SQUADRON", r"classes\.0\.kind: .* SHIP or a PLATFORM"),
        ("classes.yaml", "cost: 15", "price: 15", r"classes\.0\.price"),
        ("classes.yaml", "surface: corvette", "surface: galleon", "no class is called 'galleon'"),
        ("weapons.yaml", "ammo: 120", "ammo: -1", "greater than or equal to 0"),
        ("weapons.yaml", "weapons:", "weapons: [", "must be YAML"),
        ("weapons.yaml", "weapons:", "-", r"^weapons\.yaml: it should be a mapping"),
    ],
    ids=["weapon", "code", "size", "squadron", "key", "lender", "range", "yaml", "list"],
)
def test_a_wrong_table_is_refused_with_its_place(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_content(edited(tmp_path, file, old, new))


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"classes\.yaml: cannot be read"):
        load_content(tmp_path)


def test_every_mount_of_a_class_names_a_weapon() -> None:
    document = yaml.safe_load((FOLDER / "classes.yaml").read_text())
    named = {mount["weapon"] for row in document["classes"] for mount in row["mounts"]}

    assert named <= set(shipped_content().weapons)
