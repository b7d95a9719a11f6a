from pathlib import Path

import msgspec
import pytest

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.runs import champions
from diorama.runs.champions import (
    MAX_POLICY_BYTES,
    champion_id,
    champion_layout,
    champion_worlds,
    check_card,
    find_run,
    open_champion,
    read_champion_header,
)
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.worlds.registry import world_folder
from tests.refusals import refused


def test_a_champion_is_a_run_that_lies_in_the_package_of_its_world() -> None:
    champion = open_champion("prospector")

    assert champion.run_id == champion_id("prospector") == "champion/prospector"
    assert champion.layout.directory == world_folder("prospector") / "champion"
    assert newest_checkpoint(champion.layout) == champion.policy_path()
    assert champion.metadata().run_id == "champion/prospector"
    assert [entry.replay_id for entry in champion.replay_index().entries] == [champion.card().replay_id]


def test_its_policy_files_are_small_enough_to_come_with_the_package() -> None:
    for world in champion_worlds():
        card = open_champion(world).card()
        assert max(card.policy.size_bytes, card.onnx.size_bytes) <= MAX_POLICY_BYTES


def test_the_header_of_its_policy_is_read_without_its_tensors() -> None:
    header = read_champion_header("prospector")

    assert (header.world, header.policy_arch) == ("prospector", open_champion("prospector").card().policy_arch)


def test_a_name_is_a_run_or_a_champion(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()

    assert find_run(tmp_path, "mine").layout.directory == tmp_path / "mine"
    assert find_run(tmp_path, "champion/prospector").run_id == "champion/prospector"


def test_a_world_without_a_champion_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)

    with refused(UnknownName, "world_has_no_champion", world="prospector", known=()):
        find_run(tmp_path, "champion/prospector")


def test_a_champion_of_no_world_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no world is called 'atlantis'"):
        find_run(tmp_path, "champion/atlantis")


@pytest.mark.parametrize("name", ["champion/../prospector", "../champion", "champion\\prospector"])
def test_names_that_lead_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises((UnknownName, ConfigError)):
        find_run(tmp_path, name)


def test_a_card_of_another_interface_is_refused() -> None:
    card = open_champion("prospector").card()
    older = msgspec.structs.replace(card, interface_version="prospector-v0")

    with refused(DocumentError, "champion_does_not_fit", field="interface_version", recorded="prospector-v0"):
        check_card(older, "prospector", card.interface_version)


def test_the_folder_of_a_world_is_found_without_loading_it() -> None:
    assert champion_layout("tidebreak").directory.parent.name == "tidebreak"
    assert (world_folder("tidebreak") / "contract.py").is_file()
