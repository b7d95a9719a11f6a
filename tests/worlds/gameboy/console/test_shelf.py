"""Which ROMs a folder offers, and why some of them cannot be played."""

from pathlib import Path

import pytest

from diorama.contracts.consoles import ConsoleProgram, ProgramSource
from diorama.contracts.errors import UnknownName
from diorama.contracts.named_files import named_files
from diorama.worlds.gameboy.assembler.header import CART_TYPE, CGB_FLAG, HEADER_CHECKSUM, header_checksum
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.console.shelf import list_programs, read_program
from diorama.worlds.gameboy.errors import CartridgeError, UnsupportedCartridge
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, TASK_ROMS, assemble


def changed(place: int, value: int) -> bytes:
    """Return a game with another byte in its header, and a checksum that fits."""
    image = bytearray(assemble("CATCH"))
    image[place] = value
    image[HEADER_CHECKSUM] = header_checksum(bytes(image))
    return bytes(image)


def of_folder(folder: Path) -> dict[str, ConsoleProgram]:
    return {one.id: one for one in list_programs(folder) if one.source is ProgramSource.FOLDER}


def test_what_comes_with_the_package_is_always_there() -> None:
    programs = list_programs(None)

    assert [one.id for one in programs] == [*TASK_ROMS, *MICRO_ROMS]
    assert all(one.problem is None and one.about for one in programs)
    for one in programs:
        if one.config is not None:
            assert GameboyConfig.model_validate(dict(one.config)).rom == one.id
    assert [one.id for one in programs if one.config is not None] == list(TASK_ROMS)
    assert {one.hardware for one in programs} >= {"no mapper", "MBC1, 32 KiB RAM", "MBC5"}


def test_a_folder_is_listed_by_name_with_what_lies_deeper(tmp_path: Path) -> None:
    for name in ("Zed.gb", "alpha.GB", "deep/er/one.gb", "notes.txt", ".hidden.gb", ".git/two.gb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(assemble("KEYDOOR"))

    assert list(of_folder(tmp_path)) == ["alpha.GB", "deep/er/one.gb", "Zed.gb"]
    cartridge, boot = read_program("deep/er/one.gb", tmp_path)
    assert (cartridge.title, boot) == ("KEYDOOR", BootMode.STUB_LCD)


@pytest.mark.parametrize(
    ("image", "words", "kind"),
    [
        pytest.param(changed(CART_TYPE, 0x06), "cartridge type $06 is not emulated", UnsupportedCartridge, id="mapper"),
        pytest.param(changed(CGB_FLAG, 0xC0), "runs on color consoles only", UnsupportedCartridge, id="color"),
        pytest.param(assemble("CATCH")[:-1], "has 32767 bytes", CartridgeError, id="size"),
        pytest.param(b"", "has 0 bytes", CartridgeError, id="empty"),
    ],
)
def test_a_rom_that_cannot_be_played_says_why(
    tmp_path: Path, image: bytes, words: str, kind: type[CartridgeError]
) -> None:
    (tmp_path / "odd.gb").write_bytes(image)

    listed = of_folder(tmp_path)["odd.gb"]

    assert words in (listed.problem or "")
    with pytest.raises(kind, match=r"^odd\.gb: "):
        read_program("odd.gb", tmp_path)


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "roms"
    folder.mkdir()
    (tmp_path / "secret.gb").write_bytes(assemble("CATCH"))
    (folder / "link.gb").symlink_to(tmp_path / "secret.gb")

    assert of_folder(folder)["link.gb"].problem == "it is a link that leads out of the folder"
    with pytest.raises(CartridgeError, match="leads out of the folder"):
        read_program("link.gb", folder)


def test_a_file_that_changes_is_looked_at_again(tmp_path: Path) -> None:
    (tmp_path / "one.gb").write_bytes(b"no cartridge")
    before = of_folder(tmp_path)["one.gb"].problem
    (tmp_path / "one.gb").write_bytes(assemble("CATCH"))

    assert (before is None, of_folder(tmp_path)["one.gb"].problem) == (False, None)


@pytest.mark.parametrize("name", ["nothing.gb", "../one.gb", "/etc/passwd", "a\0b", ""])
def test_a_name_that_is_not_on_the_list_is_unknown(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownName):
        read_program(name, tmp_path)


@pytest.mark.parametrize(
    ("config", "named"),
    [
        pytest.param({}, (), id="defaults"),
        pytest.param({"rom": "CATCH"}, (), id="ours"),
        pytest.param({"rom": "games/mine.gb"}, ("games/mine.gb",), id="rom"),
        pytest.param({"kind": "gb_tasks", "task": "KEYDOOR"}, (), id="shipped-task"),
        pytest.param({"kind": "gb_tasks", "task": "mine.yaml", "goal": "g"}, ("g", "mine.yaml"), id="goal-and-task"),
    ],
)
def test_a_configuration_tells_which_files_it_names(config: dict[str, object], named: tuple[str, ...]) -> None:
    assert tuple(text.value for text in named_files(GameboyConfig.model_validate(config))) == named
