"""Worlds of other distributions: taken where they are right, told apart where they are not."""

import json
from pathlib import Path

import gymnasium
import pytest
from typer.testing import CliRunner

from diorama.cli.app import app, run
from diorama.contracts.errors import PluginError, UnknownName
from diorama.engine.adapters.registration import register_gymnasium
from diorama.engine.make import make
from diorama.training.presets import preset_names
from diorama.worlds.plugins import installed_plugins, load_plugin, sort_entries
from diorama.worlds.registry import (
    interface_version,
    load_world,
    load_worlds,
    own_world_ids,
    world_ids,
)
from tests.worlds.installed import entries_in, install
from tests.worlds.installed import site as site

UNRIPE = """
from dataclasses import replace
from orchard import WORLD as RIGHT
WORLD = replace(RIGHT, id="pears", describe=lambda config: replace(RIGHT.describe(config), world="plums"))
"""

HUNGRY = "import no_such_package"
LEAVES = "import sys; sys.exit('bye')"
GREETS = """
print("good morning")
from orchard import WORLD
"""


def test_a_plugin_is_a_world_like_any_other(site: Path) -> None:
    install(site, "diorama-orchard", "orchard-v1 = orchard:WORLD")

    assert world_ids() == (*own_world_ids(), "orchard")
    assert interface_version("orchard") == "orchard-v1"
    batch = make("orchard", copies=2)
    batch.reset()
    assert batch.spec.interface_version == "orchard-v1"
    assert preset_names("orchard") == ["default", "quick"]


def test_gymnasium_knows_it(site: Path) -> None:
    install(site, "diorama-orchard", "orchard-v1 = orchard:WORLD")

    register_gymnasium()
    env = gymnasium.make("diorama/Orchard-v1")
    del gymnasium.registry["diorama/Orchard-v1"]

    assert env.reset(seed=3)[1]["seed"] == 3


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        pytest.param("orchard = orchard:WORLD", "is no interface version", id="no-version"),
        pytest.param("Orchard-v1 = orchard:WORLD", "is no interface version", id="capitals"),
        pytest.param("orchard-v0 = orchard:WORLD", "is no interface version", id="version-zero"),
        pytest.param("prospector-v2 = orchard:WORLD", "from diorama itself", id="a-world-of-ours"),
    ],
)
def test_an_entry_that_can_be_no_world_is_told_without_loading_it(tmp_path: Path, entry: str, problem: str) -> None:
    install(tmp_path, "some-fruit", entry)

    plugins = sort_entries(entries_in(tmp_path), own_world_ids())

    assert not plugins.found
    assert len(plugins.problems) == 1
    assert "plug-in some-fruit 1.0" in plugins.problems[0]
    assert problem in plugins.problems[0]


def test_of_two_plugins_with_one_id_the_first_is_taken(tmp_path: Path) -> None:
    install(tmp_path, "some-fruit", "orchard-v2 = other:WORLD")
    install(tmp_path, "best-fruit", "orchard-v1 = orchard:WORLD")

    plugins = sort_entries(entries_in(tmp_path), own_world_ids())

    assert plugins.found["orchard"].interface_version == "orchard-v1"
    assert "plug-in some-fruit 1.0" in plugins.problems[0]
    assert "from plug-in best-fruit 1.0" in plugins.problems[0]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        pytest.param(
            "pears-v1 = no_such_module:WORLD", "ModuleNotFoundError: No module named 'no_such", id="no-module"
        ),
        pytest.param("pears-v1 = worm_eaten:WORLD", "ZeroDivisionError", id="breaks-on-import"),
        pytest.param("pears-v1 = hungry:WORLD", "install 'no_such_package', which it needs", id="needs-a-package"),
        pytest.param("pears-v1 = leaves:WORLD", "SystemExit: bye", id="leaves-on-import"),
        pytest.param("pears-v1 = orchard:GARDEN", "AttributeError", id="no-such-name"),
        pytest.param("pears-v1 = orchard:WORLD_ID", "is a str; it must be a diorama", id="no-world"),
        pytest.param("pears-v1 = orchard:WORLD", "its id is 'orchard'; make it 'pears'", id="another-id"),
        pytest.param("orchard-v2 = orchard:WORLD", "'orchard-v1' = 'orchard:WORLD'", id="another-version"),
        pytest.param("pears-v1 = unripe:WORLD", "cannot be described (ContractError", id="no-contract"),
    ],
)
def test_a_broken_plugin_is_told_with_what_would_be_right(site: Path, entry: str, problem: str) -> None:
    install(
        site,
        "some-fruit",
        entry,
        modules={"worm_eaten": "1 / 0\n", "unripe": UNRIPE, "leaves": LEAVES, "hungry": HUNGRY},
    )
    (plugin,) = installed_plugins(frozenset(own_world_ids())).found.values()

    with pytest.raises(PluginError) as caught:
        load_plugin(plugin)

    assert str(caught.value).startswith("plug-in some-fruit 1.0, entry ")
    assert problem in str(caught.value)


def test_a_broken_plugin_hides_nobody(site: Path) -> None:
    install(site, "some-fruit", "pears-v1 = no_such_module:WORLD", "Plums = orchard:WORLD")
    install(site, "diorama-orchard", "orchard-v1 = orchard:WORLD")

    listed = CliRunner().invoke(app, ["worlds", "--format", "json"])

    assert listed.exit_code == 0
    assert json.loads(listed.stdout) == [*own_world_ids(), "orchard"]
    assert [line.split(":")[0] for line in listed.stderr.splitlines()] == ["diorama", "diorama"]
    assert "'Plums'" in listed.stderr
    assert "no_such_module" in listed.stderr
    assert list(load_worlds()) == [*own_world_ids(), "orchard"]


def test_what_a_plugin_prints_on_import_is_no_part_of_a_result(site: Path) -> None:
    install(site, "diorama-orchard", "orchard-v1 = greets:WORLD", modules={"greets": GREETS})

    listed = CliRunner().invoke(app, ["worlds", "--format", "json"])

    assert json.loads(listed.stdout) == [*own_world_ids(), "orchard"]
    assert "good morning" in listed.stderr


def test_using_a_broken_plugin_is_refused_in_one_line(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "some-fruit", "pears-v1 = no_such_module:WORLD")

    assert run(["rollout", "pears", "--bot", "random"]) == 2

    told = capsys.readouterr().err
    assert told.startswith("diorama: plug-in some-fruit 1.0, entry 'pears-v1'")
    assert told.count("\n") == 1


def test_an_unknown_world_points_at_broken_plugins(site: Path) -> None:
    install(site, "some-fruit", "Plums = orchard:WORLD")

    with pytest.raises(UnknownName, match=r"no world is called 'Plums'; .*'diorama worlds' says why"):
        load_world("Plums")
