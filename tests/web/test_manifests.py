"""The presentation manifests of the worlds against their descriptors and the files beside them."""

import json
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
from diorama.worlds.registry import load_world, world_ids
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.contract import describe
from tests.web.expected_keys import (
    ACTION_EFFECTS,
    BACKGROUND_KEYS,
    CLASS_FOLDERS,
    COMMODITIES,
    COMMODITY_COLORS,
    CUE_GROUPS,
    EVENT_EFFECTS,
    GRAPHICS_KEYS,
    PROSPECTOR,
    TIDEBREAK,
    UI_CUES,
)

REPOSITORY: Final = Path(__file__).parents[2]
PUBLIC: Final = REPOSITORY / "web" / "public"
ASSETS: Final = PUBLIC / "assets"
ASSETS_LIMIT_BYTES: Final = 1_500_000

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
