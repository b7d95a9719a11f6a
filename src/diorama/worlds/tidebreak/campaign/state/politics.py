"""Governments, what they decide and who supports them."""

from dataclasses import dataclass, field

from diorama.worlds.tidebreak.campaign.kinds import Bloc, DecisionKind, GovernmentKind


@dataclass(slots=True, kw_only=True)
class InternalFaction:
    """A current of opinion; all numbers are 0 to 1 and the shares of a hub add up to 1."""

    kind: Bloc
    share: float
    satisfaction: float
    radicalization: float
    supported_day: int = 0


@dataclass(slots=True, kw_only=True)
class Decision:
    """A question before a government.

    Attributes:
        number: Counts all decisions of the campaign; keys its draws.
        target: What it is about: a hub, faction, hull class, chain, vocation or form of government.
        proposer: Faction id.
        urgency: 0 to 3; the most urgent is decided first.
        queued_day: When it was proposed.
        ready_day: When deliberation ends; None while it waits.
        is_pressed: The proposer spends political capital if votes are missing.
        cause: News it answers.
    """

    number: int
    kind: DecisionKind
    target: str | None
    proposer: str
    urgency: int
    queued_day: int
    ready_day: int | None
    is_pressed: bool
    cause: int | None


@dataclass(slots=True, kw_only=True)
class Blocked:
    """A decision that failed and may not be asked again before a day."""

    kind: DecisionKind
    target: str | None
    until_day: int


@dataclass(slots=True, kw_only=True)
class Government:
    """Who rules a hub and how well.

    Attributes:
        kind: Form of government.
        legitimacy: 0 to 1.
        capital: Political capital.
        ruling: Current of opinion in power.
        low_days: Days in a row of collapse.
        next_election_day: Of democracies.
        successor: Form of government that follows an interregnum.
        successor_legitimacy: What that government starts with.
        successor_ruling: Who comes to power then.
        interregnum_until: Last day of anarchy.
        queue: Decisions that wait, and the one under way (it has a `ready_day`).
        blocked: Decisions that failed lately.
    """

    kind: GovernmentKind
    legitimacy: float
    capital: float
    ruling: Bloc
    low_days: int = 0
    next_election_day: int = 0
    successor: GovernmentKind | None = None
    successor_legitimacy: float = 0.0
    successor_ruling: Bloc | None = None
    interregnum_until: int = 0
    queue: list[Decision] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
