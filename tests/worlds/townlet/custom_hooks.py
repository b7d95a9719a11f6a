"""Hooks of a test's own."""

from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.tables.custom_hooks import HookCall

CALLS: list[str] = []


def forbid(call: HookCall) -> str | None:
    """Cancel everything citizen_001 begins."""
    assert isinstance(call.town, Town)
    CALLS.append(f"{call.stage} {call.affordance_id} {call.object_id} {call.tick}")
    return "not you" if call.agent_id == "citizen_001" else None


HOOKS = {"forbid": forbid}
