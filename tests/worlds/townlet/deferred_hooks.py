"""A hook that only listens."""

from diorama.worlds.townlet.tables.custom_hooks import HookCall

HEARD: list[str] = []


def listen(call: HookCall) -> str | None:
    """Note what happened; what a deferred hook returns is ignored."""
    HEARD.append(f"{call.stage} {call.agent_id} {call.tick}")
    return "ignored"


HOOKS = {"listen": listen}
DEFERRED = ("listen",)
