"""The resolved battle, continued: units, their weapons and objectives, and the whole."""

from dataclasses import dataclass

from diorama.worlds.tidebreak.resolve.records import ResolvedMap, ResolvedRules, ResolvedShape, ResolvedTeam


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedSignature:
    """How much a thing shows: indices without unit, levels in decibels."""

    radar_index: float
    visual_index: float
    sl0_db: float
    slk_db: float
    ts_db: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedWeapon:
    """A row of the weapon table.

    Attributes:
        kind: `MunitionKind`, or -1 for point defense and air wings.
        group: `WeaponGroup`.
        ammo: Rounds of a full mount, -1 without end.
        launch_mask: Layers it can be launched from, bit `1 << layer`.
        pop_up: Whether it can be launched in the pop-up window.
        hits_mask: Layers it can hit.
        min_quality: `TrackQuality` it needs, -1 if it needs no track.
        sigma_max_m: Largest standard error of the track, None without bound.
    """

    code: int
    weapon_id: str
    name: str
    group: int
    kind: int
    rounds: int
    damage: float
    damage_type: int
    cooldown_s: int
    range_m: float
    spread_rad: float
    spread_min_m: float
    speed_ms: float
    turn_rate: float
    seeker_m: float
    half_fov_rad: float
    trigger_m: float
    half_arc_rad: float
    ammo: int
    launch_mask: int
    pop_up: bool
    hits_mask: int
    min_quality: int
    sigma_max_m: float | None
    city_killer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedHull:
    """The body of a unit; codes are `UnitKind` and `SizeClass`, tuples of three are by `Layer`.

    Attributes:
        class_code: Row of the class table, one past it for hulls without a class.
        compartments: 0, 8 or 12.
        mass_t: 0 for what cannot be moved.
        speed_ms: Full speed by layer, 0 where the hull cannot go.
        layers_mask: Layers it may be in.
        turn_lag_s: With the effect of its officers.
        dive_s: SURFACE to SUBMERGED and back, 0 if it cannot.
        deep_s: SUBMERGED to ABYSSAL and back, 0 if it cannot.
        bulkhead: Share of fire and flood that doors hold back.
    """

    class_code: int
    class_name: str
    kind: int
    size: int
    damage_tier: int
    boarding_tier: int
    compartments: int
    cost: float
    mass_t: float
    radius_m: float
    draught_m: float
    hp_max: float
    armour: float
    speed_ms: tuple[float, float, float]
    layers_mask: int
    is_submarine: bool
    acceleration: float
    turn_rate: float
    turn_lag_s: float
    dive_s: float
    deep_s: float
    bulkhead: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedSensors:
    """What a unit sees by; None where it has no such sensor."""

    radar_range_m: float | None
    di_db: float | None
    ping_db: float | None
    visual_factor: float
    tracks_max: int
    link_tier: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedMount:
    """A weapon aboard, in slot order; slots may have gaps. `ammo` counts are -1 without end."""

    slot: int
    weapon: int
    facing_rad: float
    any_arc: bool
    ammo_max: int
    ammo: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedCrew:
    """People at the start; skills with the effect of supply."""

    crew_start: int
    gunnery: float
    engineering: float
    fatigue: float
    morale: float
    command: float
    marines: int
    security: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedCompartment:
    """A compartment or district at the start."""

    integrity: float
    fire: float
    flood: float
    breached: bool
    crew: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedStart:
    """A unit's first state; five-tuples are by `System`, speed is along the heading."""

    x: float
    y: float
    heading: float
    speed_ms: float
    layer: int
    hp: float
    systems: tuple[float, ...]
    ceilings: tuple[float, ...]
    fire: float
    flood: float
    compartments: tuple[ResolvedCompartment, ...]
    fuel_s: float
    decoys: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedObjective:
    """What a unit is told to do; ids are unit ids, 0 for none.

    Attributes:
        type: `ObjectiveType`.
        target_ids: All targets, ascending; `target_id` is the single one of types that have one.
        zone: Area, its center an offset from unit `zone_relative_id` unless that is 0.
        destination_x: Position, or where to go once unit `destination_id` is gone; None without one.
        duration_ticks: Rounded up, 0 without one.
        deadline_ticks: Rounded up, -1 without one.
    """

    objective_id: str
    type: int
    priority: float
    target_id: int
    target_ids: tuple[int, ...]
    asset_id: int
    zone: ResolvedShape | None
    zone_relative_id: int
    destination_id: int
    destination_x: float | None
    destination_y: float | None
    duration_ticks: int
    deadline_ticks: int
    cargo: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedUnit:
    """A ship or platform.

    Attributes:
        id: From 1, by ascending byte order of `ship_id`.
        package_index: Place in the package's list, which the result keeps.
        team: Index of its team.
        fuel_capacity_s: Seconds at full speed, -1 without end.
    """

    id: int
    ship_id: str
    package_index: int
    team: int
    is_flagship: bool
    no_surrender: bool
    fleet_id: str | None
    fuel_capacity_s: float
    hull: ResolvedHull
    signature: ResolvedSignature
    sensors: ResolvedSensors
    mounts: tuple[ResolvedMount, ...]
    crew: ResolvedCrew
    start: ResolvedStart
    objective: ResolvedObjective | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedBattle:
    """Everything a battle starts from.

    Attributes:
        format: `FORMAT` of `records`, the version of this layout.
        schema_version: Of the package, echoed by the result.
        content_hash: Of the content that was expanded.
        weapons: The whole table, index = code.
        units: Index = id - 1.
    """

    format: str
    schema_version: str
    battle_id: str
    seed: int
    torch_seed: int | None
    content_hash: str
    rules: ResolvedRules
    teams: tuple[ResolvedTeam, ...]
    map: ResolvedMap
    weapons: tuple[ResolvedWeapon, ...]
    decoy_signature: ResolvedSignature
    mine_signature: ResolvedSignature
    units: tuple[ResolvedUnit, ...]
