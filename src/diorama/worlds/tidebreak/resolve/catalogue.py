"""Every class as a unit that a package says nothing else about: what the native tier generates battles from."""

from dataclasses import asdict
from functools import cache

from diorama.contracts.values import canonical_json
from diorama.worlds.tidebreak.content import Content, shipped_content
from diorama.worlds.tidebreak.packages.bathymetry import UniformDepth
from diorama.worlds.tidebreak.packages.map import Bounds, MapDefinition
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot, ShipState
from diorama.worlds.tidebreak.packages.teams import Team
from diorama.worlds.tidebreak.resolve.equipment import resolve_signature, resolve_weapon
from diorama.worlds.tidebreak.resolve.units import resolve_units


@cache
def shipped_catalogue() -> bytes:
    """Return the catalogue of the tables that ship with the world; written once."""
    return class_catalogue(shipped_content())


def class_catalogue(content: Content) -> bytes:
    """Write weapons, signatures and one undamaged unit of every class as canonical JSON."""
    return canonical_json(
        {
            "content_hash": content.content_hash,
            "weapons": [asdict(resolve_weapon(weapon)) for weapon in content.weapons.values()],
            "decoy_signature": asdict(resolve_signature(content.decoy_signature)),
            "mine_signature": asdict(resolve_signature(content.mine_signature)),
            "classes": [asdict(unit) for unit in resolve_units(_one_of_each(content), content)],
        }
    ).encode()


def _one_of_each(content: Content) -> BattlePackage:
    """Return all classes in one place; nobody could fight there, so it is never validated."""
    return BattlePackage(
        schema_version="arena.v1",
        battle_id="catalogue",
        seed=1,
        time_limit_s=10.0,
        teams=(Team(team_id="all"),),
        map=MapDefinition(
            bounds=Bounds(min_x=-1000.0, min_y=-1000.0, max_x=1000.0, max_y=1000.0),
            bathymetry=UniformDepth(depth_m=1500.0),
        ),
        ships=tuple(
            ShipSnapshot(ship_id=name, team_id="all", class_id=name, initial_state=ShipState(x=0.0, y=0.0, heading=0.0))
            for name in content.classes
        ),
    )
