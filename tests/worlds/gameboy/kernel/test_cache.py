"""Generated modules on disk."""

from pathlib import Path

import pytest

from diorama.worlds.gameboy.kernel.cache import CACHE_VARIABLE, cache_folder, digest_of, load_module, stored_module
from diorama.worlds.gameboy.kernel.options import BuildOptions, Style
from diorama.worlds.gameboy.kernel.shim import Interpreted

PLAIN, SPECIAL = BuildOptions(), BuildOptions(style=Style.SPECIALISED)


def test_a_module_is_named_by_its_content(tmp_path: Path) -> None:
    path = stored_module(PLAIN, tmp_path)

    assert path.name == f"cpu_step_{digest_of(path.read_text())}.py"
    assert path != stored_module(SPECIAL, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2  # nothing half-written stays behind


def test_a_sound_file_is_used_again(tmp_path: Path) -> None:
    written = stored_module(PLAIN, tmp_path).stat()

    again = stored_module(PLAIN, tmp_path).stat()

    assert (again.st_ino, again.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


def test_a_damaged_file_is_written_anew(tmp_path: Path) -> None:
    path = stored_module(PLAIN, tmp_path)
    sound = path.read_text()
    path.write_bytes(sound.encode()[:-100] + b"\xff\xfe")

    assert stored_module(PLAIN, tmp_path).read_text() == sound


def test_a_loaded_module_carries_the_digest_in_its_name(tmp_path: Path) -> None:
    path = stored_module(PLAIN, tmp_path)

    module = load_module(path, Interpreted(), name="test")

    assert module.__name__ == f"test_{path.stem}"


def test_the_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kernels"))
    assert cache_folder() == tmp_path / "kernels"
    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "diorama" / "gameboy"
