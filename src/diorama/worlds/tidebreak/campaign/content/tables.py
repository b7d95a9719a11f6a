"""Rows of the campaign's tables."""

from typing import Annotated, Literal

from pydantic import Field

from diorama.worlds.tidebreak.campaign.kinds import (
    ActionKind,
    Bloc,
    Chain,
    DecisionKind,
    GoalKind,
    GovernmentKind,
    Resource,
    TreatyKind,
    Vocation,
)
from diorama.worlds.tidebreak.content.table import Amount, Count, Table

_Share = Annotated[float, Field(ge=0.0, le=1.0)]
_Days = tuple[Count, Count]
Amounts = dict[Resource, Amount]


class ChainRow(Table):
    """A production chain: amounts per batch; `free_on_land` inputs cost nothing on a land base."""

    name: Chain
    inputs: Amounts
    outputs: Amounts
    vocation: Vocation
    free_on_land: tuple[Resource, ...] = ()
    draws_reserve: bool = False


class PerPerson(Table):
    """Daily need of one person by where they live."""

    sea: Amounts
    land: Amounts


class EconomyFile(Table):
    """The whole of `economy.yaml`."""

    chains: tuple[ChainRow, ...]
    per_person: PerPerson
    decay: dict[Resource, _Share]
    leverage: dict[Vocation, Amount]
    fuel_per_day: dict[str, Amount]
    scouts: tuple[str, ...]


class GovernmentRow(Table):
    """A form of government; `override` is the capital that forces a decision in a crisis, None if nothing does."""

    name: GovernmentKind
    civil_days: _Days
    military_days: _Days
    baseline: _Share
    s_prosper: Amount
    s_defeat: Amount
    capital_max: Amount
    capital_per_day: Amount
    pass_civil: _Share
    pass_military: _Share
    override: Amount | None = None
    coup: Amount
    counts_prosperity: bool = False
    holds_elections: bool = False


class DecisionRow(Table):
    """A decision: who supports it, and what it is about."""

    name: DecisionKind
    target: Literal["none", "hub", "faction", "class", "chain", "vocation", "government"]
    stances: tuple[float, float, float, float, float]
    is_military: bool = False
    urgency: int = Field(ge=0, le=3)
    gain: float = Field(ge=-1.0, le=1.0)
    text: str


class ActionRow(Table):
    """What an action costs, and the first day it is allowed."""

    name: ActionKind
    cost: Amount
    grace_day: Count = 0


class TreatyRow(Table):
    """From which willingness a treaty is accepted, and how long it lasts."""

    name: TreatyKind
    accepts_at: float
    lasts: Count | None = None
    grace_day: Count = 0


class PoliticsFile(Table):
    """The whole of `politics.yaml`."""

    governments: tuple[GovernmentRow, ...]
    preferred: dict[Bloc, GovernmentKind]
    decisions: tuple[DecisionRow, ...]
    actions: tuple[ActionRow, ...]
    goals: dict[GoalKind, tuple[ActionKind, ...]]
    treaties: tuple[TreatyRow, ...]


class PeopleFile(Table):
    """The whole of `people.yaml`."""

    given: tuple[str, ...] = Field(min_length=1)
    family: tuple[str, ...] = Field(min_length=1)
    ships: tuple[str, ...] = Field(min_length=1)
