"""Bringing a question before a government."""

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.kinds import DecisionKind, GovernmentKind
from diorama.worlds.tidebreak.campaign.politics.decision_targets import legal_targets
from diorama.worlds.tidebreak.campaign.state import CampaignState, Decision, Hub

QUEUE_MAX = 6


def can_propose(state: CampaignState, hub: Hub, kind: DecisionKind, target: str | None) -> bool:
    """Whether a question may be asked today: it makes sense, is not before the government and not blocked."""
    return why_not(state, hub, kind, target) is None


def why_not(state: CampaignState, hub: Hub, kind: DecisionKind, target: str | None) -> str | None:
    """Return what speaks against asking, None if nothing does."""
    government = hub.government
    if government.kind is GovernmentKind.ANARCHY:
        return f"{hub.name} has no government until day {government.interregnum_until + 1}"
    if len(government.queue) >= QUEUE_MAX:
        return f"{len(government.queue)} questions wait at {hub.name} already"
    if any((d.kind, d.target) == (kind, target) for d in government.queue):
        return f"{hub.name} is deciding this already"
    for blocked in government.blocked:
        if (blocked.kind, blocked.target) == (kind, target) and state.day <= blocked.until_day:
            return f"{hub.name} rejected this lately; it may be asked again after day {blocked.until_day}"
    if target not in legal_targets(state, hub, kind):
        return f"{kind} makes no sense at {hub.name} today" + ("" if target is None else f" for {target!r}")
    return None


def propose(
    state: CampaignState,
    hub: Hub,
    kind: DecisionKind,
    target: str | None,
    *,
    proposer: str,
    is_pressed: bool = False,
    cause: int | None = None,
) -> Decision:
    """Put a question into a hub's queue.

    Raises:
        ContractError: It may not be asked, with the reason.
    """
    reason = why_not(state, hub, kind, target)
    if reason is not None:
        raise ContractError(reason)
    decision = Decision(
        number=state.next_number("decision"),
        kind=kind,
        target=target,
        proposer=proposer,
        urgency=tables().decisions[kind].urgency,
        queued_day=state.day,
        ready_day=None,
        is_pressed=is_pressed,
        cause=cause,
    )
    hub.government.queue.append(decision)
    return decision
