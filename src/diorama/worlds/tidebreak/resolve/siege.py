"""What a siege does to a ship that fights while it goes on."""

from typing import Final

from diorama.worlds.tidebreak.codes import System
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot

COMPARTMENT_NAMES: Final = (
    "bow",
    "fore_port",
    "fore_starboard",
    "mid_port",
    "mid_starboard",
    "aft_port",
    "aft_starboard",
    "stern",
)
DISTRICT_NAMES: Final = (
    "bow_quarter",
    "port_fore",
    "starboard_fore",
    "port_mid",
    "starboard_mid",
    "port_aft",
    "starboard_aft",
    "stern_works",
    "upper_city",
    "lower_decks",
    "cic_tower",
    "government_seat",
)
INTEGRITY_CAP: Final = 0.3
_CONTESTED_CAP: Final = 0.5
_SYSTEMS: Final = {"engineering": System.PROPULSION, "cic": System.SENSORS, "power": System.POWER}


def contested_by(ship: ShipSnapshot) -> frozenset[str]:
    """Names of the systems that attackers contest or control."""
    siege = ship.siege_state
    if siege is None or not siege.under_siege:
        return frozenset()
    return frozenset(siege.contested_systems) | _controlled(ship)


def system_cap(ship: ShipSnapshot, system: System) -> float:
    """Largest fraction a system can have: half while contested, nothing of the engines once they are controlled."""
    names = [name for name, affected in _SYSTEMS.items() if affected is system]
    if system is System.PROPULSION and "engineering" in _controlled(ship):
        return 0.0
    return _CONTESTED_CAP if contested_by(ship).intersection(names) else 1.0


def contested_compartments(ship: ShipSnapshot, count: int) -> frozenset[int]:
    """Indices of the compartments whose weapons are contested."""
    names = DISTRICT_NAMES if count == len(DISTRICT_NAMES) else COMPARTMENT_NAMES[:count]
    sectors = {name.removeprefix("weapons_").replace("-", "_") for name in contested_by(ship) if "weapons_" in name}
    return frozenset(index for index, name in enumerate(names) if name in sectors)


def _controlled(ship: ShipSnapshot) -> frozenset[str]:
    siege = ship.siege_state
    if siege is None or not siege.under_siege:
        return frozenset()
    return frozenset(name for force in siege.attacker_forces for name in force.controlled_systems)
