"""Whoever has read one world finds their way in the next: the same names for the same things."""

import re
from pathlib import Path
from typing import Final

import pytest

import diorama.worlds
from diorama.worlds.registry import own_world_ids

FOLDER: Final = Path(diorama.worlds.__file__).parent
WORLDS: Final = own_world_ids()
PARTS: Final = ("contract", "evaluation", "fast", "parity")
PACKAGES_OR_MODULES: Final = ("bots", "config", "picture", "render")
SECTIONS: Final = (
    "The rules in short",
    "Seeing, deciding, being paid",
    "Changing it",
    "Try it",
    "Learning it",
    "The two tiers",
    "Where things are",
)


@pytest.mark.parametrize("world", WORLDS)
def test_every_world_has_its_parts_under_the_same_names(world: str) -> None:
    inside = FOLDER / world

    modules = [name for name in PARTS if (inside / f"{name}.py").is_file()]
    either = [
        name
        for name in PACKAGES_OR_MODULES
        if (inside / f"{name}.py").is_file() or (inside / name / "__init__.py").is_file()
    ]

    assert modules == list(PARTS)
    assert either == list(PACKAGES_OR_MODULES)
    assert (inside / "bots" / "__init__.py").is_file()
    assert {"default.yaml", "quick.yaml"} <= {path.name for path in (inside / "presets").iterdir()}
    places = [inside / "simulation.py", inside / "reference" / "simulation.py"]
    assert sum(path.is_file() for path in places) == 1


@pytest.mark.parametrize("world", WORLDS)
def test_every_readme_tells_the_same_things_in_the_same_order(world: str) -> None:
    text = (FOLDER / world / "README.md").read_text(encoding="utf-8")

    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)

    assert sections == list(SECTIONS)
    opening = text.partition("\n## ")[0]
    assert "diorama.make(" in opening
    assert text.rstrip().endswith("|"), "the page ends with the table of where things are"


@pytest.mark.parametrize("world", WORLDS)
def test_every_file_that_a_readme_points_to_is_there(world: str) -> None:
    inside = FOLDER / world
    text = (inside / "README.md").read_text(encoding="utf-8")
    table = text.partition("## Where things are")[2]

    rows = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    assert rows, "the table names files in its first column"
    missing = []
    for row in rows:
        beside = inside
        for name in re.findall(r"`([^`]+)`", row):
            place = inside / name if (inside / name).exists() else beside / name
            if not place.exists():
                missing.append(name)
            beside = place.parent

    assert not missing
