"""What became of each ship and team."""

from typing import Annotated

from pydantic import Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import (
    BoardingStatus,
    CaptureMethod,
    ComponentStatus,
    Layer,
    ObjectiveStatus,
    ObjectiveType,
    ShipFate,
)
from diorama.worlds.tidebreak.packages.base import (
    Amount,
    Angle,
    Count,
    Exchange,
    Flag,
    Identifier,
    Number,
    Share,
    SlotKey,
    Text,
)
from diorama.worlds.tidebreak.packages.damage import DamageReport

_MoraleDelta = Annotated[float, Field(strict=True, ge=-0.3, le=0.2)]


class FinalState(Exchange):
    """Where and how a ship ended; rounds by slot."""

    x: Number
    y: Number
    heading: Angle
    speed: Amount
    layer: Annotated[Layer, ByName]
    hp: Amount
    ammo: dict[SlotKey, Annotated[int, Field(strict=True, ge=-1)]] = Field(default_factory=dict)


class Consumption(Exchange):
    """What a ship used up; fuel in seconds at full speed."""

    ammo_used: dict[SlotKey, Count] = Field(default_factory=dict)
    fuel_used: Amount = 0.0
    decoys_used: Count = 0


class Casualties(Exchange):
    """People lost."""

    killed: Count = 0
    wounded: Count = 0


class ObjectiveOutcome(Exchange):
    """How an objective ended; key events are event ids."""

    type: Annotated[ObjectiveType, ByName]
    status: Annotated[ObjectiveStatus, ByName]
    progress: Share
    reward_earned: Number = 0.0
    key_events: tuple[Count, ...] = ()


class ShipOutcome(Exchange):
    """One ship, at its place in the package."""

    ship_id: Identifier
    fate: Annotated[ShipFate, ByName]
    capture_method: Annotated[CaptureMethod, ByName] | None = None
    captor_team_id: Identifier | None = None
    exited: Flag = False
    final_state: FinalState
    final_morale: Share
    consumption: Consumption = Consumption()
    crew_casualties: Casualties = Casualties()
    damage_report: DamageReport = DamageReport()
    salvage_value: Amount = 0.0
    objective_outcome: ObjectiveOutcome | None = None
    damage_dealt: Amount = 0.0
    damage_taken: Amount = 0.0
    kills: Count = 0


class TeamOutcome(Exchange):
    """One team."""

    team_id: Identifier
    morale_delta: _MoraleDelta
    ships_lost: Count = 0
    ships_surrendered: Count = 0
    ships_captured: Count = 0
    decisive_victory: Flag = False
    cost_start: Amount = 0.0
    cost_end: Amount = 0.0


class BoardingOutcome(Exchange):
    """One boarding; `transfer_progress` is the share of the marines carried that went over."""

    target_ship_id: Identifier
    attacker_team_id: Identifier
    status: Annotated[BoardingStatus, ByName]
    attached_duration_s: Amount = 0.0
    transfer_progress: Share = 0.0
    troops_inserted: Amount = 0.0
    attacker_casualties: Amount = 0.0
    defender_casualties: Amount = 0.0
    breach_quality: Share = 0.0
    entry_point: Text | None = None


class MegashipDamageReport(Exchange):
    """The state of a city at sea; `district_damage` is 1 - integrity by name."""

    ship_id: Identifier
    propulsion_status: Annotated[ComponentStatus, ByName]
    cic_status: Annotated[ComponentStatus, ByName]
    primary_weapons: Annotated[ComponentStatus, ByName]
    power_systems: Annotated[ComponentStatus, ByName]
    district_damage: dict[Text, Share] = Field(default_factory=dict)
    casualty_estimate: Count = 0
    evacuation_status: Share = 0.0
    morale_shock: Share = 0.0
    legitimacy_impact: Annotated[float, Field(strict=True, ge=-0.25, le=0.0)] = 0.0
