"""How a city at sea came out of a battle."""

from typing import Final

from diorama.numerics import fmin
from diorama.worlds.tidebreak.codes import BoardingStatus, ComponentStatus, System, component_status
from diorama.worlds.tidebreak.packages.outcomes import MegashipDamageReport
from diorama.worlds.tidebreak.reference.judge.standing import hp_share
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.resolve.siege import DISTRICT_NAMES

SHOCK_PER_DAMAGE: Final = 1.2
SHOCK_OF_BEACHHEAD: Final = 0.3
LEGITIMACY_PER_SHOCK: Final = -0.25
HABITABLE_ABOVE: Final = 0.5
EVACUATION_SHARE: Final = 0.3


def megaship_report(battle: Battle, city: Unit) -> MegashipDamageReport:
    """Sum up a city's damage for its government."""
    has_beachhead = any(
        unit.boarding.target_id == city.id and unit.boarding.status == BoardingStatus.ESTABLISHED
        for unit in battle.units
    )
    shock = fmin(1.0, SHOCK_PER_DAMAGE * (1.0 - hp_share(city)) + (SHOCK_OF_BEACHHEAD if has_beachhead else 0.0))
    habitable = sum(part.integrity > HABITABLE_ABOVE for part in city.compartments)
    share = float(habitable) / float(len(city.compartments)) if city.compartments else 0.0
    return MegashipDamageReport(
        ship_id=city.spec.ship_id,
        propulsion_status=_status(city, System.PROPULSION),
        cic_status=_status(city, System.SENSORS),
        primary_weapons=_status(city, System.WEAPONS),
        power_systems=_status(city, System.POWER),
        district_damage={
            name: 1.0 - part.integrity for name, part in zip(DISTRICT_NAMES, city.compartments, strict=False)
        },
        casualty_estimate=city.crew.killed + city.crew.wounded,
        evacuation_status=EVACUATION_SHARE * share,
        morale_shock=shock,
        legitimacy_impact=LEGITIMACY_PER_SHOCK * shock,
    )


def _status(city: Unit, system: System) -> ComponentStatus:
    return component_status(usable(city, system))
