"""Components of units and munitions. The order of fields is the order of state words; field names are the contract's.

Who may write what: physics Transform, Motion and the bits GROUNDED and EXITED; layers Layer; command Posture and the
two `cmd_*`; fire Mounts; damage Hull, Compartments, losses of Crew and the bits DESTROYED and DISABLED; damage control
fire, flood and repair; fuel and support Stores; boarding Boarding, marines and CAPTURED; morale Morale and SURRENDERED;
tracks and links Tracks; objectives Objective. Tally is written by whoever does what it counts.
"""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.tidebreak.codes import NO_LAYER, BoardingStatus, ConnectionState, Emissions, ObjectiveStatus

NEVER: Final = -10_000  # a tick further back than any rule looks
NO_OBJECTIVE: Final = -1
STEADY: Final = 0
IN_TRANSIT: Final = 1
POPPING_UP: Final = 2
GROUPS: Final = 6
CONTACT_ROWS: Final = 16


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
class Transform:
    """Where it is."""

    x: float
    y: float
    heading: float


@dataclass(slots=True)
class Motion:
    """How it moves; velocity is through the water."""

    vx: float
    vy: float
    omega: float = 0.0
    throttle: float = 0.0
    rudder: float = 0.0
    cmd_throttle: float = 0.0
    cmd_rudder: float = 0.0


@dataclass(slots=True)
class LayerState:
    """Depth: `mode` is STEADY, IN_TRANSIT or POPPING_UP, `layer` the origin while in transit, times are ticks."""

    layer: int
    mode: int = STEADY
    target_layer: int = NO_LAYER
    elapsed: int = 0
    total: int = 0
    trans_damage: float = 0.0
    botches: int = 0


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


@dataclass(slots=True)
class ContactMemory:
    """Ticks at which it last pinged, was pinged and was painted by radar."""

    last_ping_tick: int = NEVER
    pinged_at: int = NEVER
    painted_at: int = NEVER


@dataclass(slots=True)
class Boarding:
    """A boarding from the attacker's side."""

    state: int = ConnectionState.NONE
    target_id: int = 0
    timer: int = 0
    transferred: float = 0.0
    progress: list[float] = field(default_factory=lambda: [0.0] * 3, metadata={"length": 3})
    status: int = BoardingStatus.NONE
    attached_ticks: int = 0
    damage_window: float = 0.0


@dataclass(slots=True)
class Objective:
    """How the objective stands; `type` is -1 without one, the values are the type's own."""

    type: int = NO_OBJECTIVE
    status: int = ObjectiveStatus.ACTIVE
    time_on: int = 0
    value_a: float = 0.0
    value_b: float = 0.0
    value_c: float = 0.0
    progress: float = 0.0
    reward_sum: float = 0.0


@dataclass(slots=True)
class Tally:
    """What it has done and suffered; `shots` is by weapon group from GUN."""

    damage_dealt: float = 0.0
    damage_taken: float = 0.0
    shots: list[int] = field(default_factory=lambda: [0] * GROUPS, metadata={"length": GROUPS})
    hits: int = 0
    kills: int = 0
    transitions: int = 0
    hazard_damage: float = 0.0
    collisions: int = 0


@dataclass(slots=True)
class Track:
    """What a unit believes of a contact.

    `target_id` is hidden from policies, `layer_est` is 3 when unknown, `class_level` is 0 none to 3 class,
    `modalities` has bit `1 << modality`.
    """

    track_id: int
    target_id: int
    x: float
    y: float
    vx: float
    vy: float
    P: float
    quality: int
    age: int
    hits: int
    bearing_only: bool
    layer_est: int
    class_level: int
    id_conf: float
    iff: int
    is_munition: bool
    modalities: int
    shared: bool


@dataclass(slots=True)
class Tracks:
    """Tracks by ascending track id; ids count from 1."""

    next_track_id: int = 1
    tracks: list[Track] = field(default_factory=list)

    def get(self, track_id: int) -> Track | None:
        """The track with this id, if it is held."""
        return next((track for track in self.tracks if track.track_id == track_id), None)

    def of_target(self, target_id: int) -> Track | None:
        """The track of this entity, if it is held."""
        return next((track for track in self.tracks if track.target_id == target_id), None)


@dataclass(slots=True)
class MateFix:
    """Where a team-mate was when the link last reached it."""

    unit_id: int
    x: float
    y: float
    vx: float
    vy: float
    layer: int
    tick: int


@dataclass(slots=True)
class Memory:
    """What must outlive a tick but is not hashed; snapshots keep it after the state words.

    Attributes:
        designated_track: Track id that orders without a target mean, 0 for none.
        contact_rows: What the rows of the last observation stand for: track ids, unit ids, munition ids; 0 if empty.
        mate_fixes: Last linked positions of team-mates, by ascending unit id.
        raised_ids: Enemies that its own sensors have raised to Q2, ascending.
        last_damage_by: Unit that damaged it last, 0 for none.
        last_damage_event: Event id of that DAMAGE.
        harmed_at: By team: tick at which this unit last damaged a unit of that team.
        grounding_at: Tick of its last GROUNDING event.
        scuttle_ticks: Consecutive ticks with the order to scuttle.
        was_effective: At the end of the tick before.
        is_loss_paid: Whether its loss has been credited to somebody.
        capture_method: `CaptureMethod`.
        captor_team: Team that took it, -1 for none.
        attacker_losses: Marines lost in its boardings.
        defender_losses: Defenders those marines killed.
        breach_quality: Of a beachhead.
        entry_district: District of a beachhead, -1 for none.
        carrier_id: Of a squadron, 0 for other units.
        carrier_slot: Place in the carrier's mounts.
        has_struck: Whether a squadron has made its attack.
        invalid_orders: Orders so far whose precondition failed.
        contacts_sum: Contacts held, summed over ticks.
    """

    designated_track: int = 0
    contact_rows: list[int] = field(default_factory=lambda: [0] * CONTACT_ROWS, metadata={"length": CONTACT_ROWS})
    mate_fixes: list[MateFix] = field(default_factory=list)
    raised_ids: list[int] = field(default_factory=list)
    last_damage_by: int = 0
    last_damage_event: int = 0
    harmed_at: list[int] = field(default_factory=lambda: [NEVER] * 4, metadata={"length": 4})
    grounding_at: int = NEVER
    scuttle_ticks: int = 0
    was_effective: bool = True
    is_loss_paid: bool = False
    capture_method: int = 0
    captor_team: int = -1
    attacker_losses: float = 0.0
    defender_losses: float = 0.0
    breach_quality: float = 0.0
    entry_district: int = -1
    carrier_id: int = 0
    carrier_slot: int = 0
    has_struck: bool = False
    invalid_orders: int = 0
    contacts_sum: int = 0


@dataclass(slots=True)
class Scratch:
    """What one tick hands from phase to phase and to rewards; a new one is made when the next tick begins.

    Attributes:
        hits_taken: Hits so far this tick: the `hit number` of keyed draws.
        effective_taken: Effective damage taken.
        dealt: Sum over own hits on other teams of effective / hp_max · cost of the target.
        dealt_own: The same for hits on the own team.
        credited_cost: Cost of units whose loss (kill, disable, capture) is credited to it this tick.
        captured_cost: The captures among them.
        wasted: Own munitions that ended without effect.
        raised: Enemies first raised to Q2 by its own sensors.
        mishaps: Collisions and groundings.
        hazard_damage: Effective damage by zones and weather.
        objective_delta: Change of progress.
        objective_result: 1 completed, -1 failed, else 0.
        collided_ids: Units it has collided with this tick.
        current_x: Current at the unit, sampled when SUBSTEP begins.
        current_y: Current at the unit.
        board_target: Unit it was ordered to board this tick, 0 for none.
        is_scuttling: Whether it was ordered to scuttle this tick.
        invalid: Orders of this tick whose precondition failed.
    """

    hits_taken: int = 0
    effective_taken: float = 0.0
    dealt: float = 0.0
    dealt_own: float = 0.0
    credited_cost: float = 0.0
    captured_cost: float = 0.0
    wasted: int = 0
    raised: int = 0
    mishaps: int = 0
    hazard_damage: float = 0.0
    objective_delta: float = 0.0
    objective_result: int = 0
    collided_ids: list[int] = field(default_factory=list)
    current_x: float = 0.0
    current_y: float = 0.0
    board_target: int = 0
    is_scuttling: bool = False
    invalid: int = 0


@dataclass(slots=True)
class Munition:
    """A salvo, torpedo, missile, charge, mine or decoy; a salvo stays at (x, y), where it was fired.

    `target_layers` has bit `1 << layer`, `remaining` is in seconds, `run` in meters. `fired_event` is not hashed.
    """

    id: int
    kind: int
    weapon_code: int
    owner_id: int
    team: int
    x: float
    y: float
    heading: float
    speed: float
    launch_layer: int
    target_layers: int
    aim_x: float
    aim_y: float
    lock_id: int
    remaining: float
    run: float
    rounds: int
    spread: float
    damage: float
    armed_at: int
    search: bool
    fired_event: int = field(default=0, metadata={"service": True})


@dataclass(slots=True)
class Storm:
    """A storm, as it stands."""

    x: float
    y: float
    vx: float
    vy: float
    radius: float
    intensity: float
    profile: int
    ends_at_tick: int
