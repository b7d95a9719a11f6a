"""Distributions that are made for a test: a folder with metadata, as an installer leaves it."""

from importlib.metadata import EntryPoint, distributions
from pathlib import Path

from diorama.worlds.plugins import GROUP


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
