"""The presentation manifests of the worlds against their descriptors and the files beside them."""

import json
import re
import shutil
import subprocess
import sys
import wave
from array import array
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest

from diorama.contracts.descriptor import describe_world
from diorama.worlds.morphogenesis.contracts.blueprints import CNN_BLUEPRINTS, TRANSFORMER_BLUEPRINTS
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.registry import load_world, world_ids
from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.tidebreak.contract import describe
from diorama.worlds.townlet.codes import OPTION_NAMES
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.tables.compiling import load_tables

REPOSITORY: Final = Path(__file__).parents[2]
PUBLIC: Final = REPOSITORY / "web" / "public"
ASSETS: Final = PUBLIC / "assets"
ASSETS_LIMIT_BYTES: Final = 1_500_000
PROSPECTOR: Final = "prospector"
TIDEBREAK: Final = "tidebreak"
GAMEBOY: Final = "gameboy"
TOWNLET: Final = "townlet"
MORPHOGENESIS: Final = "morphogenesis"
CLASS_FOLDERS: Final = {
    PROSPECTOR: {
        "entity.ship.": "ships/",
        "entity.station": "stations/",
        "entity.asteroid.": "asteroids/",
        "entity.hazard.": "hazards/",
        "entity.pirate.": "pirates/",
        "ui.panel.": "panels/",
        "ui.button.": "buttons/",
        "icon.market.": "icons/market/",
        "icon.event.": "icons/event/",
        "bg.starfield.": "starfields/",
        "bg.planet.": "planets/",
        "vfx.": "vfx/",
    },
    TIDEBREAK: {
        "entity.ship.": "ships/",
        "entity.wreck": "wrecks/",
        "entity.munition.": "munitions/",
        "icon.status.": "icons/status/",
        "vfx.": "vfx/",
    },
    GAMEBOY: {},
    TOWNLET: {
        "entity.object.": "objects/",
        "entity.scenery.": "scenery/",
        "entity.citizen.": "citizens/",
        "entity.face.": "faces/",
        "icon.option.": "icons/option/",
        "vfx.": "vfx/",
    },
    MORPHOGENESIS: {"icon.stage.": "icons/stage/", "icon.blueprint.": "icons/blueprint/", "vfx.": "vfx/"},
}
CUE_GROUPS: Final = {
    PROSPECTOR: {
        "ui.": "ui",
        "sfx.travel.": "travel",
        "sfx.scan.": "scan",
        "sfx.mine.": "mine",
        "sfx.utility.": "utility",
        "sfx.station.": "station",
        "sfx.event.": "event",
        "sfx.ui.": "event",
        "sfx.none": "ui",
    },
    TIDEBREAK: {
        "ui.": "ui",
        "sfx.helm.": "helm",
        "sfx.depth.": "depth",
        "sfx.sensor.": "sensor",
        "sfx.weapon.": "weapon",
        "sfx.support.": "support",
        "sfx.event.": "event",
        "sfx.none": "ui",
    },
    GAMEBOY: {"ui.": "ui", "sfx.event.": "event", "sfx.none": "ui"},
    TOWNLET: {"ui.": "ui", "sfx.event.": "event", "sfx.none": "ui"},
    MORPHOGENESIS: {"ui.": "ui", "sfx.event.": "event", "sfx.none": "ui"},
}
GRAPHICS_KEYS: Final = {
    PROSPECTOR: (
        *(f"entity.ship.{kind}" for kind in ("agent", "human")),
        "entity.station",
        *(f"entity.asteroid.{size}" for size in ("small", "medium", "large")),
        "entity.hazard.radiation",
        "entity.pirate.marker",
        *(f"ui.panel.{name}" for name in ("stats", "cargo", "market", "events", "minimap")),
        *(f"ui.button.{name}" for name in ("primary", "secondary", "danger")),
        *(f"icon.market.{way}" for way in ("up", "down", "flat")),
        *(f"icon.event.{name}" for name in ("pirate", "fracture", "overheat", "stranded", "destroyed", "invalid")),
    ),
    TIDEBREAK: (
        *(f"entity.ship.{ship_class}" for ship_class in (*shipped_content().classes, "squadron")),
        *(f"entity.munition.{kind.name.lower()}" for kind in MunitionKind),
        "entity.wreck",
        *(f"icon.status.{name}" for name in ("fire", "flood", "propulsion", "weapons", "sensors", "surrendered")),
    ),
    GAMEBOY: (),
    TOWNLET: (
        *(f"entity.object.{kind}" for kind in (*load_tables(TownletConfig()).types, "thing")),
        *(f"icon.option.{re.sub('(?<!^)(?=[A-Z])', '_', name).lower()}" for name in OPTION_NAMES),
    ),
    MORPHOGENESIS: (
        *(f"icon.stage.{stage.name.lower()}" for stage in SeedStage if stage is not SeedStage.UNKNOWN),
        *(f"icon.blueprint.{blueprint.blueprint_id}" for blueprint in {*CNN_BLUEPRINTS, *TRANSFORMER_BLUEPRINTS}),
    ),
}
BACKGROUND_KEYS: Final = {
    PROSPECTOR: ("bg.starfield.0", "bg.starfield.1", "bg.planet.0", "bg.planet.1"),
    TIDEBREAK: (),
    GAMEBOY: (),
    TOWNLET: (),
    MORPHOGENESIS: (),
}
UI_CUES: Final = ("none", "click", "select", "play", "pause", "step", "error")
COMMODITY_COLORS: Final = {"iron": "#9ca3af", "nickel": "#cbd5e1", "water_ice": "#67e8f9", "pge": "#facc15"}
COMMODITIES: Final = (*COMMODITY_COLORS, "rare_isotopes", "volatiles")

ACTION_EFFECTS: Final = (
    (range(6), "vfx.travel.warp", "sfx.travel.warp"),
    (range(6, 7), "vfx.none", "sfx.none"),
    (range(7, 8), "vfx.emergencyBurn", "sfx.travel.boost"),
    (range(8, 9), "vfx.scan.widePulse", "sfx.scan.wide"),
    (range(9, 10), "vfx.scan.focusBeam", "sfx.scan.focus"),
    (range(10, 11), "vfx.scan.deepSpectral", "sfx.scan.deep"),
    (range(11, 12), "vfx.scan.listenPing", "sfx.scan.listen"),
    (range(12, 28), "vfx.selection.ring", "ui.select"),
    (range(28, 29), "vfx.mine.conservative", "sfx.mine.low"),
    (range(29, 30), "vfx.mine.standard", "sfx.mine.mid"),
    (range(30, 31), "vfx.mine.aggressive", "sfx.mine.high"),
    (range(31, 32), "vfx.stabilize.field", "sfx.utility.stabilize"),
    (range(32, 33), "vfx.refine.sparkle", "sfx.utility.refine"),
    (range(33, 34), "vfx.cooldown.burst", "sfx.utility.cooldown"),
    (range(34, 35), "vfx.repair.tool", "sfx.utility.tool_repair"),
    (range(35, 36), "vfx.repair.hull", "sfx.utility.hull_patch"),
    (range(36, 42), "vfx.jettison", "sfx.utility.jettison"),
    (range(42, 43), "vfx.dock", "sfx.station.dock"),
    (range(43, 61), "vfx.sell", "sfx.station.sell"),
    (range(61, 67), "vfx.station.confirm", "sfx.station.buy"),
    (range(67, 68), "vfx.station.overhaul", "sfx.station.overhaul"),
    (range(68, 69), "vfx.ui.run_end", "sfx.ui.run_end"),
)
EVENT_EFFECTS: Final = {
    "invalid_action": ("vfx.warning.alert", "ui.error"),
    "pirate_encounter": ("vfx.warning.alert", "sfx.event.pirate_alarm"),
    "overheat_tick": ("vfx.event.overheat", "sfx.event.overheat_alarm"),
    "fracture": ("vfx.explosion.medium", "sfx.event.explosion"),
    "stranded": ("vfx.event.engine_fail", "sfx.event.engine_fail"),
    "destroyed": ("vfx.explosion.large", "sfx.event.big_explosion"),
    "terminated": ("vfx.ui.run_end", "sfx.ui.run_end"),
    "truncated": ("vfx.ui.run_end", "sfx.ui.run_end"),
    "cash_out": ("vfx.ui.run_end", "sfx.ui.run_end"),
}

Manifest = dict[str, Any]  # JSON documents, whose shape is what is tested


@pytest.fixture(scope="module", params=world_ids())
def world_id(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def assets(world_id: str) -> Path:
    return ASSETS / world_id


@pytest.fixture(scope="module")
def descriptor(world_id: str) -> Manifest:
    world = load_world(world_id)
    return dict(describe_world(world, world.config_type()))


@pytest.fixture(scope="module")
def graphics(descriptor: Manifest) -> Manifest:
    return read(descriptor["presentation"]["graphics"])


@pytest.fixture(scope="module")
def audio(descriptor: Manifest) -> Manifest:
    return read(descriptor["presentation"]["audio"])


@pytest.fixture(scope="module")
def effects(descriptor: Manifest) -> Manifest:
    return read(descriptor["presentation"]["effects"])


def read(url: str) -> Manifest:
    document: Manifest = json.loads((PUBLIC / url.removeprefix("/")).read_text(encoding="utf-8"))
    return document


def is_none(key: str) -> bool:
    return key.endswith(".none")


def test_the_three_documents_have_the_keys_of_their_format(
    graphics: Manifest, audio: Manifest, effects: Manifest
) -> None:
    assert set(graphics) == {"version", "atlases", "frames", "backgrounds", "fonts", "colors"}
    assert set(audio) == {"version", "groups", "cues"}
    assert set(effects) == {"version", "actions", "events"}
    assert all(set(frame) == {"path", "atlas", "frame"} for frame in graphics["frames"].values())
    assert all(set(entry) == {"path", "type"} for entry in graphics["backgrounds"].values())
    assert all(set(cue) == {"group", "files", "synth", "volume"} for cue in audio["cues"].values())
    assert all(set(group) == {"basePath", "volume"} for group in audio["groups"].values())


def test_every_action_of_the_descriptor_is_mapped_exactly_once(descriptor: Manifest, effects: Manifest) -> None:
    assert [entry["id"] for entry in effects["actions"]] == list(range(descriptor["n_actions"]))


def test_every_event_of_the_descriptor_is_mapped(descriptor: Manifest, effects: Manifest) -> None:
    assert set(effects["events"]) == {event["name"] for event in descriptor["events"]}


def test_actions_have_their_effects_and_cues() -> None:
    effects = read(f"/assets/{PROSPECTOR}/action_effects_manifest.json")
    expected = {action: (vfx, cue) for actions, vfx, cue in ACTION_EFFECTS for action in actions}

    assert {entry["id"]: (entry["vfx"], entry["cue"]) for entry in effects["actions"]} == expected


def test_events_have_their_effects_and_cues() -> None:
    effects = read(f"/assets/{PROSPECTOR}/action_effects_manifest.json")

    for name, entry in effects["events"].items():
        assert (entry["vfx"], entry["cue"]) == EVENT_EFFECTS.get(name, ("vfx.none", "sfx.none")), name


def test_every_referenced_key_is_present(graphics: Manifest, audio: Manifest, effects: Manifest) -> None:
    entries = [*effects["actions"], *effects["events"].values()]

    assert {entry["vfx"] for entry in entries} <= set(graphics["frames"])
    assert {entry["cue"] for entry in entries} <= set(audio["cues"])


def test_no_op_orders_of_a_ship_at_sea_are_silent_but_for_helm_and_weapons() -> None:
    effects = read(f"/assets/{TIDEBREAK}/action_effects_manifest.json")
    heads = describe(TidebreakConfig()).heads
    offsets = [sum(len(head.options) for head in heads[:place]) for place in range(len(heads))]

    silent = {
        head.name
        for head, offset in zip(heads, offsets, strict=True)
        if is_none(effects["actions"][offset + head.noop]["cue"])
    }

    assert silent == {"layer", "emissions", "target", "support"}


def test_the_keys_of_a_world_are_all_there(world_id: str, graphics: Manifest, audio: Manifest) -> None:
    assert set(GRAPHICS_KEYS[world_id]) <= set(graphics["frames"])
    assert set(BACKGROUND_KEYS[world_id]) == set(graphics["backgrounds"])
    assert {f"ui.{name}" for name in UI_CUES} <= set(audio["cues"])


def test_commodities_have_distinct_colors() -> None:
    graphics = read(f"/assets/{PROSPECTOR}/graphics_manifest.json")
    colors = {name: graphics["colors"][f"commodity.{name}"] for name in COMMODITIES}

    assert colors.items() >= COMMODITY_COLORS.items()
    assert len(set(colors.values())) == len(COMMODITIES)


def test_every_picture_is_a_readable_file_in_the_folder_of_its_class(
    world_id: str, assets: Path, graphics: Manifest
) -> None:
    for key, entry in {**graphics["frames"], **graphics["backgrounds"]}.items():
        if is_none(key):
            continue
        folder = next(folder for start, folder in CLASS_FOLDERS[world_id].items() if key.startswith(start))
        assert entry["path"].startswith(folder), key
        assert ElementTree.parse(assets / entry["path"]).getroot().tag.endswith("svg"), key


def test_no_two_keys_share_a_picture(graphics: Manifest) -> None:
    paths = [entry["path"] for entry in {**graphics["frames"], **graphics["backgrounds"]}.values() if entry["path"]]

    assert len(paths) == len(set(paths))


def test_every_cue_has_a_group_of_its_class_a_recipe_and_files_that_play(
    world_id: str, assets: Path, audio: Manifest
) -> None:
    for key, cue in audio["cues"].items():
        assert cue["group"] == next(group for start, group in CUE_GROUPS[world_id].items() if key.startswith(start)), (
            key
        )
        assert 0.0 <= cue["volume"] <= 1.0, key
        if is_none(key):
            assert cue["files"] == [], key
            continue
        assert cue["synth"]["layers"], key
        assert cue["files"], key
        for name in cue["files"]:
            samples = read_samples(assets / audio["groups"][cue["group"]]["basePath"] / name)
            assert max(samples) > 10_000, f"{key} is next to silent"


def test_every_picture_on_a_sheet_lies_inside_it(assets: Path, graphics: Manifest) -> None:
    sheets = {name: ElementTree.parse(assets / path).getroot() for name, path in graphics["atlases"].items()}

    for key, entry in graphics["frames"].items():
        if entry["atlas"] is not None:
            x, y, width, height = entry["frame"]
            sheet = sheets[entry["atlas"]]
            assert x + width <= float(sheet.attrib["width"]), key
            assert y + height <= float(sheet.attrib["height"]), key


def test_every_file_is_named_by_a_manifest(assets: Path, graphics: Manifest, audio: Manifest) -> None:
    pictures = {entry["path"] for entry in {**graphics["frames"], **graphics["backgrounds"]}.values() if entry["path"]}
    sounds = {
        audio["groups"][cue["group"]]["basePath"] + name for cue in audio["cues"].values() for name in cue["files"]
    }
    lying = {path.relative_to(assets).as_posix() for path in assets.rglob("*.*") if path.suffix in {".svg", ".wav"}}

    assert lying == pictures | sounds | set(graphics["atlases"].values())


def test_the_assets_are_small_and_may_be_redistributed(assets: Path) -> None:
    note = (assets / "LICENSE.txt").read_text(encoding="utf-8")

    assert sum(path.stat().st_size for path in assets.rglob("*") if path.is_file()) < ASSETS_LIMIT_BYTES
    assert "redistribute" in note
    assert "CC0" in note


def test_the_sounds_are_what_their_recipes_make(assets: Path, tmp_path: Path) -> None:
    manifest = shutil.copy(assets / "audio_manifest.json", tmp_path)

    tool = REPOSITORY / "tools" / "generate_sounds.py"
    subprocess.run([sys.executable, tool, manifest], check=True, capture_output=True)

    made = sorted(tmp_path.rglob("*.wav"))
    assert made
    for path in made:
        fresh, kept = read_samples(path), read_samples(assets / path.relative_to(tmp_path))
        # The C library's sine may differ in the last bit, and so may a rounded sample.
        assert len(fresh) == len(kept)
        assert all(abs(a - b) <= 2 for a, b in zip(fresh, kept, strict=True)), path.name


def test_the_sound_tool_refuses_a_missing_manifest_in_one_line(tmp_path: Path) -> None:
    tool = REPOSITORY / "tools" / "generate_sounds.py"
    run = subprocess.run([sys.executable, tool, tmp_path / "none.json"], check=False, capture_output=True, text=True)

    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


def read_samples(path: Path) -> "array[int]":
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050), path.name
        samples = array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples
