"""Everything a battle hands back."""

from typing import Annotated

from pydantic import Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import EndReason
from diorama.worlds.tidebreak.limits import TIME_LIMIT_MAX_S
from diorama.worlds.tidebreak.packages.base import Amount, Count, Exchange, Identifier, Text
from diorama.worlds.tidebreak.packages.outcomes import (
    BoardingOutcome,
    MegashipDamageReport,
    ShipOutcome,
    TeamOutcome,
)
from diorama.worlds.tidebreak.packages.package import BattleId, SchemaVersion, Seed, TorchSeed

TRACE_VERSION = "tbtrace.1"


class EventSummary(Exchange):
    """What happened, counted."""

    hits: Count = 0
    kills: Count = 0
    surrenders: Count = 0
    transitions: Count = 0
    hazard_damage: Amount = 0.0
    collisions: Count = 0
    captures: Count = 0


class ReplayReference(Exchange):
    """Where the battle can be seen again; the log's name and hash are known once it is written."""

    seed: Seed
    trace_version: Text = TRACE_VERSION
    action_log_ref: Text | None = None
    action_log_hash: Text | None = None
    initial_state_hash: Text
    final_state_hash: Text


class BattleResult(Exchange):
    """The outcome of one package; `check_result` tells whether it can be that package's."""

    schema_version: SchemaVersion
    battle_id: BattleId
    seed: Seed
    torch_seed: TorchSeed | None = None
    content_hash: Text
    winner_team_id: Identifier | None = None
    end_reason: Annotated[EndReason, ByName]
    duration_s: Annotated[float, Field(strict=True, ge=0.0, le=TIME_LIMIT_MAX_S)]
    ships: tuple[ShipOutcome, ...]
    teams: tuple[TeamOutcome, ...]
    event_summary: EventSummary = EventSummary()
    boarding_outcomes: tuple[BoardingOutcome, ...] = ()
    megaship_reports: tuple[MegashipDamageReport, ...] = ()
    replay: ReplayReference
