"""What a unit remembers beside its state: from tick to tick, and within one."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.tidebreak.reference.components.contacts import NEVER, MateFix

CONTACT_ROWS: Final = 16


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
