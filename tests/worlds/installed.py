"""Distributions that are made for a test: a folder with metadata, as an installer leaves it."""

import tempfile
from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from diorama.worlds.plugins import GROUP, installed_plugins
from diorama.worlds.registry import load_world

# The package alone: pip leaves metadata beside the sources that it installs, and they would be found as well.
_FOLDER = tempfile.TemporaryDirectory(prefix="orchard-")
ORCHARD = Path(_FOLDER.name)
(ORCHARD / "orchard").symlink_to(Path(__file__).parents[2] / "examples" / "orchard" / "src" / "orchard")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path; what is installed there is found, until the test ends."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(ORCHARD)
    installed_plugins.cache_clear()
    yield tmp_path
    installed_plugins.cache_clear()
    load_world.cache_clear()


def install(folder: Path, name: str, *entries: str, modules: dict[str, str] | None = None) -> None:
    """Leave a distribution in a folder: its entries of the group, written `name = value`, and its modules."""
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *entries]) + "\n")
    for module, source in (modules or {}).items():
        (folder / f"{module}.py").write_text(source)


def entries_in(folder: Path) -> list[EntryPoint]:
    """Return what the distributions of a folder offer."""
    return [entry for found in distributions(path=[str(folder)]) for entry in found.entry_points]
