"""Every command of a console once, as a viewer and as an admin."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.live.commands import Role
from diorama.operate.rehearsals.drills import Drill
from diorama.operate.rehearsals.rehearsal import Rehearsal
from diorama.operate.rehearsals.theater import Theater, outcome_of, refusal_of

ROLES: Final[tuple[Role, ...]] = ("admin", "viewer")  # what admins save, viewers look at
_FORBIDDEN: Final = "forbidden"


def rehearse_console(rehearsal: Rehearsal, theater: Theater, drills: Sequence[Drill]) -> None:
    """Give every command of the console; drills of commands that this console does not have are left out.

    Raises:
        StepFailed: At the first command that is answered otherwise than it should be, or that has no drill.
    """
    entries = theater.runtime.desk.catalogue.entries
    missing = sorted(set(entries) - {drill.name for drill in drills})
    rehearsal.check(
        "every command is rehearsed", not missing, tick=theater.tick, detail=", ".join(missing) or f"{len(entries)}"
    )
    for role in ROLES:
        for drill in drills:
            if drill.name in entries:
                _give(rehearsal, theater, drill, role)


def _give(rehearsal: Rehearsal, theater: Theater, drill: Drill, role: Role) -> None:
    answer = theater.command(drill.name, drill.args, drill.kwargs, role=role)
    is_allowed = role == "admin" or theater.runtime.desk.catalogue.entries[drill.name].command.role == "viewer"
    code, reason = refusal_of(answer)
    has_passed = reason == drill.refusal if is_allowed else code == _FORBIDDEN
    rehearsal.check(f"{role}: {drill.name}", has_passed, tick=theater.tick, detail=outcome_of(answer))
