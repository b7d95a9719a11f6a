"""A ship's hull: its class with what the package changes, or wholly from the package."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.codes import Layer, SizeClass, UnitKind
from diorama.worlds.tidebreak.content import Content, ShipClass
from diorama.worlds.tidebreak.packages.ships import Capabilities, HullParams, MaxSpeed, ShipSnapshot
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedHull

BULKHEAD: Final = 0.7
CUSTOM_NAME: Final = "custom"
_COMPARTMENT_TIER: Final = 2
_COMPARTMENTS: Final = 8
_DISTRICTS: Final = 12
_HULL_FIELDS: Final = ("mass", "radius", "draught", "hp", "armour", "acceleration", "turn_rate", "turn_lag")


@dataclass(frozen=True, slots=True, kw_only=True)
class HullGap:
    """Something a hull needs and nobody says; `path` starts at the ship."""

    path: tuple[str, ...]
    message: str


def class_of(ship: ShipSnapshot, content: Content) -> ShipClass | None:
    """Return the ship's class, or None for a hull that the package describes by itself."""
    return None if ship.class_id is None else content.classes.get(ship.class_id)


def lending_class(ship: ShipSnapshot, content: Content) -> ShipClass:
    """Return the class that fills in what the package does not say: the ship's own, else one of its size."""
    own = class_of(ship, content)
    if own is not None:
        return own
    capabilities = ship.capabilities or Capabilities()
    crew = ship.crew.crew_count or 0
    return content.lender(content.size_of_crew(crew), is_submarine=bool(capabilities.can_submerge))


def hull_gaps(ship: ShipSnapshot, content: Content) -> list[HullGap]:
    """Return everything that keeps the hull from being complete."""
    if ship.class_id is not None and ship.class_id not in content.classes:
        known = ", ".join(content.classes)
        if not _is_explicit(ship):
            return [HullGap(path=("class_id",), message=f"{ship.class_id!r} is no class; there are: {known}")]
    gaps = [] if class_of(ship, content) is not None else _gaps_without_class(ship)
    return gaps or _layer_gaps(ship, content)


def resolve_hull(ship: ShipSnapshot, content: Content) -> ResolvedHull:
    """Put class and changes together; the hull must have no gaps."""
    own = class_of(ship, content)
    base = lending_class(ship, content)
    hull = ship.hull or HullParams()
    speeds = _speeds(ship, own)
    mask = _layers(ship, own)
    submarine = bool(mask >> Layer.SUBMERGED & 1)
    capabilities = ship.capabilities or Capabilities()
    hp_max = _first(hull.hp, base.hull.hp)
    size = base.size if own is not None else content.size_of_crew(ship.crew.crew_count or base.crew)
    tier = base.damage_tier if own is not None else content.sizes[size].damage_tier
    leadership, defenses = ship.leadership, ship.defenses
    lag = _first(hull.turn_lag, base.hull.turn_lag_s)
    armour = _first(hull.armour, base.hull.armour)
    return ResolvedHull(
        class_code=base.code if own is not None else content.custom_class_code,
        class_name=base.name if own is not None else CUSTOM_NAME,
        kind=int(base.kind if own is not None else _kind_of(speeds)),
        size=int(size),
        damage_tier=tier,
        boarding_tier=content.sizes[size].boarding_tier,
        compartments=_compartments(size, tier),
        cost=base.cost if own is not None else base.cost * (hp_max / base.hull.hp),
        mass_t=_first(hull.mass, base.hull.mass_t),
        radius_m=_first(hull.radius, base.hull.radius_m),
        draught_m=_first(hull.draught, base.hull.draught_m),
        hp_max=hp_max,
        armour=_first(defenses.armor if defenses is not None else None, armour),
        speed_ms=speeds,
        layers_mask=mask,
        is_submarine=submarine,
        acceleration=_first(hull.acceleration, base.hull.acceleration),
        turn_rate=_first(hull.turn_rate, base.hull.turn_rate),
        turn_lag_s=lag if leadership is None else lag * (1.25 - 0.5 * leadership.operations_competence),
        dive_s=_first(capabilities.dive_s, own.dive.dive_s if own is not None else None) if submarine else 0.0,
        deep_s=_first(capabilities.deep_s, own.dive.deep_s if own is not None else None)
        if mask >> Layer.ABYSSAL & 1
        else 0.0,
        bulkhead=_first(defenses.bulkhead if defenses is not None else None, BULKHEAD),
    )


def _is_explicit(ship: ShipSnapshot) -> bool:
    return None not in (ship.hull, ship.capabilities, ship.sensors, ship.weapons)


def _gaps_without_class(ship: ShipSnapshot) -> list[HullGap]:
    blocks = {"hull": ship.hull, "capabilities": ship.capabilities, "sensors": ship.sensors, "weapons": ship.weapons}
    gaps = [
        HullGap(path=(name,), message="is needed by a ship without a class")
        for name, block in blocks.items()
        if block is None
    ]
    if ship.hull is not None:
        given = ship.hull.model_dump()
        gaps += [
            HullGap(path=("hull", name), message="is needed by a ship without a class")
            for name in _HULL_FIELDS
            if given[name] is None
        ]
    return gaps


def _layer_gaps(ship: ShipSnapshot, content: Content) -> list[HullGap]:
    own = class_of(ship, content)
    mask = _layers(ship, own)
    speed = (ship.hull or HullParams()).max_speed
    of_class = MaxSpeed() if own is None else MaxSpeed(**own.speed.model_dump())
    capabilities = ship.capabilities or Capabilities()
    given = (
        (Layer.SURFACE, "hull.max_speed.surface", _either(speed.surface, of_class.surface)),
        (Layer.SUBMERGED, "hull.max_speed.submerged", _either(speed.submerged, of_class.submerged)),
        (Layer.ABYSSAL, "hull.max_speed.abyssal", _either(speed.abyssal, of_class.abyssal)),
        (Layer.SUBMERGED, "capabilities.dive_s", _either(capabilities.dive_s, own.dive.dive_s if own else None)),
        (Layer.ABYSSAL, "capabilities.deep_s", _either(capabilities.deep_s, own.dive.deep_s if own else None)),
    )
    gaps = [
        HullGap(path=tuple(path.split(".")), message=f"is needed by a hull that can be {layer.name}")
        for layer, path, value in given
        if mask >> layer & 1 and value is None
    ]
    if mask == 0:
        gaps.append(HullGap(path=("capabilities",), message="allow no layer at all"))
    if mask >> Layer.ABYSSAL & 1 and not mask >> Layer.SUBMERGED & 1:
        gaps.append(HullGap(path=("capabilities", "can_submerge"), message="is needed by a hull that goes deeper"))
    return gaps


def _layers(ship: ShipSnapshot, own: ShipClass | None) -> int:
    capabilities = ship.capabilities or Capabilities()
    can_submerge = own is not None and own.speed.submerged is not None
    can_abyssal = own is not None and own.speed.abyssal is not None
    flags = (
        True if capabilities.can_surface is None else capabilities.can_surface,
        can_submerge if capabilities.can_submerge is None else capabilities.can_submerge,
        can_abyssal if capabilities.can_abyssal is None else capabilities.can_abyssal,
    )
    return sum(1 << layer for layer, flag in zip(Layer, flags, strict=True) if flag)


def _speeds(ship: ShipSnapshot, own: ShipClass | None) -> tuple[float, float, float]:
    given = (ship.hull or HullParams()).max_speed
    of_class = MaxSpeed() if own is None else MaxSpeed(**own.speed.model_dump())
    mask = _layers(ship, own)
    return (
        _first(given.surface, of_class.surface) if mask >> Layer.SURFACE & 1 else 0.0,
        _first(given.submerged, of_class.submerged) if mask >> Layer.SUBMERGED & 1 else 0.0,
        _first(given.abyssal, of_class.abyssal) if mask >> Layer.ABYSSAL & 1 else 0.0,
    )


def _kind_of(speeds: tuple[float, float, float]) -> UnitKind:
    return UnitKind.PLATFORM if speeds == (0.0, 0.0, 0.0) else UnitKind.SHIP


def _compartments(size: SizeClass, tier: int) -> int:
    if tier < _COMPARTMENT_TIER:
        return 0
    return _DISTRICTS if size is SizeClass.XL else _COMPARTMENTS


def _either(given: float | None, of_class: float | None) -> float | None:
    return of_class if given is None else given


def _first(given: float | None, of_class: float | None) -> float:
    value = _either(given, of_class)
    return 0.0 if value is None else value
