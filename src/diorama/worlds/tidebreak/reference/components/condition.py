"""Who a unit is and what state it is in: hull, people, stores, weapons."""

from dataclasses import dataclass, field

from diorama.worlds.tidebreak.codes import Emissions


@dataclass(slots=True)
class Identity:
    """Who the unit is; `status` holds bits of `UnitStatus`, `tier` is the damage tier."""

    id: int
    kind: int
    class_code: int
    team: int
    status: int
    size: int
    tier: int


@dataclass(slots=True)
class Posture:
    """What it shows of itself and what its damage control works on."""

    emissions: int = Emissions.PASSIVE
    dc_focus: int = 0


@dataclass(slots=True)
class Hull:
    """Hit points, fractions of the five systems, their repair ceilings, fire and flood."""

    hp: float
    systems: list[float] = field(metadata={"length": 5})
    ceilings: list[float] = field(metadata={"length": 5})
    fire: float
    flood: float


@dataclass(slots=True)
class Crew:
    """People."""

    alive: int
    running_loss: float
    killed: int
    wounded: int
    marines: float
    security: float
    gunnery: float
    engineering: float
    fatigue: float
    command: float


@dataclass(slots=True)
class Morale:
    """Will to fight, now and at the start."""

    morale: float
    morale_start: float


@dataclass(slots=True)
class Stores:
    """Fuel in seconds at full speed (-1 without end), decoys, and the tick the next one can be launched."""

    fuel: float
    decoys: int
    decoy_ready_at: int = 0


@dataclass(slots=True)
class Mount:
    """A weapon aboard; its row of `spec.mounts` has the same place. `ammo` is -1 without end."""

    ready_at: int
    ammo: int


@dataclass(slots=True)
class Compartment:
    """A compartment or district."""

    integrity: float
    fire: float
    flood: float
    breached: bool
    crew: int
