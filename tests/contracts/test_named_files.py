"""What a configuration names is found wherever its model says so, however deep, and links lead out of no folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from diorama.contracts.config import WorldConfig
from diorama.contracts.foreign_config import EVERY_FILE, NO_FILE, FileAccess
from diorama.contracts.named_files import FilePath, ModuleName, named_files, named_modules, text_keys

Named = Annotated[str, FilePath()]


class Stage(BaseModel):
    goal: Named = ""
    label: str = ""


@dataclass(frozen=True)
class Skin:
    image: Named
    color: str = "red"


class Sounds(TypedDict, total=False):
    bell: Named


class Config(WorldConfig):
    rom: Annotated[str, FilePath(ships=lambda name: name == "ours"), Field(min_length=1)] = "usual"
    folder: Annotated[Path, FilePath()] | None = None
    stages: tuple[Stage, ...] = ()
    by_name: Mapping[str, Stage] = Field(default_factory=dict)
    pair: tuple[int, Named] = (0, "usual")
    listed: list[Named] = Field(default_factory=list)
    either: Stage | Named | None = None
    skin: Skin | None = None
    sounds: Sounds = Field(default_factory=lambda: Sounds())
    hooks: tuple[Annotated[str, ModuleName()], ...] = ()
    title: str = "/etc/passwd"


@pytest.mark.parametrize(
    ("given", "keys"),
    [
        pytest.param({}, [], id="defaults"),
        pytest.param({"rom": "ours"}, [], id="shipped"),
        pytest.param({"rom": "mine"}, ["rom"], id="text"),
        pytest.param({"folder": "/srv"}, ["folder"], id="path-or-none"),
        pytest.param({"stages": [{}, {"goal": "g"}]}, ["stages.1.goal"], id="models-in-a-tuple"),
        pytest.param({"by_name": {"a": {"goal": "g"}}}, ["by_name.a.goal"], id="models-in-a-mapping"),
        pytest.param({"pair": [1, "mine"]}, ["pair.1"], id="second-of-a-pair"),
        pytest.param({"listed": ["a", "b"]}, ["listed.0", "listed.1"], id="list"),
        pytest.param({"either": "mine"}, ["either"], id="text-of-a-union"),
        pytest.param({"either": {"goal": "g"}}, ["either.goal"], id="model-of-a-union"),
        pytest.param({"skin": {"image": "i"}}, ["skin.image"], id="dataclass"),
        pytest.param({"sounds": {"bell": "b"}}, ["sounds.bell"], id="typed-dict"),
        pytest.param({"title": "/srv/mine"}, [], id="not-declared"),
    ],
)
def test_files_are_found_at_any_depth(given: dict[str, object], keys: list[str]) -> None:
    assert [text.key for text in named_files(Config.model_validate(given))] == keys


def test_modules_are_found() -> None:
    assert named_modules(Config.model_validate({"hooks": ["a.b", "c"]})) == ("a.b", "c")


def test_every_key_of_a_model_is_known_without_a_value_in_it() -> None:
    marked = {key.key: type(key.mark) for key in text_keys(Config) if key.mark is not None}

    assert marked == {
        **dict.fromkeys(["rom", "folder", "stages.goal", "by_name.goal", "pair", "listed", "either.goal"], FilePath),
        **dict.fromkeys(["either", "skin.image", "sounds.bell"], FilePath),
        "hooks": ModuleName,
    }
    assert [key.key for key in text_keys(Config) if key.is_path] == ["folder"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    allowed = tmp_path / "allowed"
    (allowed / "deep").mkdir(parents=True)
    (allowed / "out").symlink_to(tmp_path)
    (tmp_path / "secret").write_text("s")
    (tmp_path / "way-in").symlink_to(allowed)
    return allowed


@pytest.mark.parametrize(
    ("name", "is_allowed"),
    [
        pytest.param("{allowed}/deep/rom.gb", True, id="inside"),
        pytest.param("{allowed}", True, id="itself"),
        pytest.param("{allowed}/absent/rom.gb", True, id="inside-and-absent"),
        pytest.param("{allowed}/../secret", False, id="dots"),
        pytest.param("{allowed}/deep/../../secret", False, id="dots-after-a-folder"),
        pytest.param("{allowed}/out/secret", False, id="link-that-leads-out"),
        pytest.param("{allowed}/out/absent", False, id="link-that-leads-out-to-nothing"),
        pytest.param("{allowed}-too/secret", False, id="name-that-begins-alike"),
        pytest.param("{parent}/way-in/deep", False, id="link-from-outside"),
        pytest.param("~/rom.gb", False, id="home"),
        pytest.param("{allowed}/a\0b", False, id="nul"),
        pytest.param("", False, id="empty"),
    ],
)
def test_a_folder_allows_what_lies_in_it(folder: Path, name: str, *, is_allowed: bool) -> None:
    path = name.format(allowed=folder, parent=folder.parent)

    assert FileAccess.below([folder]).allows(path) is is_allowed
    assert EVERY_FILE.allows(path)
    assert not NO_FILE.allows(path)
