"""Writes the golden contracts anew: `python -m tests.golden.renew`.

A golden file changes only together with the reason for it: a contract that is published never changes in place.
"""

import json
from pathlib import Path

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.descriptor import describe_world
from diorama.contracts.world import World
from diorama.worlds.registry import load_world, own_world_ids

GOLDEN = Path(__file__).parent


def variants_of(world: World[WorldConfig]) -> tuple[str | None, ...]:
    """Return what a world has a contract for: its default configuration, and every named variant."""
    return (None, *world.variants)


def golden_path(world: World[WorldConfig], variant: str | None = None) -> Path:
    """Return where the contract of a world's default configuration, or of a named variant, is kept."""
    version = world.describe(world.config_type()).interface_version
    return GOLDEN / (f"{version}.json" if variant is None else f"{version}-{variant}.json")


def golden_text(world: World[WorldConfig], variant: str | None = None) -> str:
    """Return the contract as it is now, as the text of a golden file."""
    settings = {} if variant is None else world.variants[variant]
    document = describe_world(world, parse_config(world.id, world.config_type, settings))
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write one file per world and variant."""
    for world_id in own_world_ids():
        world = load_world(world_id)
        for variant in variants_of(world):
            path = golden_path(world, variant)
            path.write_text(golden_text(world, variant), encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main()
