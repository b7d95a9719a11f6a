"""Commands about citizens: sending, moving, feeding, possessing and removing them."""

import re
from typing import Annotated, Final, Literal

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING, PRIMITIVE_NAMES, Role
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.console.finding import free_tile, the_citizen, the_zone
from diorama.worlds.townlet.reference.names import agent_id, find_citizen
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.collapse import relocate
from diorama.worlds.townlet.reference.systems.embedding import has_free_slot
from diorama.worlds.townlet.reference.systems.needs import set_need
from diorama.worlds.townlet.reference.systems.spawning import Arrival, free_bed, free_seat, free_spawn_tile, spawn
from diorama.worlds.townlet.tables.personalities import profile_names

_AGENT_ID: Final = r"^[a-z][a-z0-9_#-]{0,31}$"
_GENERATED: Final = re.compile(r"citizen_\d+")
Position = tuple[int, int]
NeedName = Literal["hunger", "hygiene", "energy"]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class SpawnArguments(Arguments):
    """Who is sent."""

    agent_id: str | None = Field(default=None, pattern=_AGENT_ID)
    position: Position | None = None
    home: str | None = None
    job: str | None = None
    profile: str | None = None
    needs: dict[NeedName, Share] | None = None
    wallet: float | None = Field(default=None, ge=0.0)
    name: str | None = Field(default=None, min_length=1, max_length=64)


class TeleportArguments(Arguments):
    """Who goes where."""

    agent_id: str
    x: int
    y: int
    force: bool = False


class SetNeedArguments(Arguments):
    """Which needs become what; values are kept within 0 and 1."""

    agent_id: str
    need: NeedName | None = None
    value: float | None = None
    needs: dict[NeedName, float] | None = None


class KillArguments(Arguments):
    """Who is removed."""

    agent_id: str
    reason: str | None = Field(default=None, max_length=280)


class PossessArguments(Arguments):
    """Whose steps are taken over, or given back."""

    agent_id: str
    action: Literal["acquire", "release"]


class PossessActArguments(Arguments):
    """The next step of a possessed citizen, by name or number."""

    agent_id: str
    primitive: str | int


def _spawn(town: Town, given: SpawnArguments) -> JsonObject:
    home = None if given.home is None else the_zone(town, given.home)
    _check_room(town, given, home)
    tile = free_spawn_tile(town) if given.position is None else free_tile(town, *given.position)
    if tile == NOTHING:
        raise CommandError("conflict", "no_tile", "every spawn tile is taken; give a position")
    usual, wanted = town.config.world.initial_needs, given.needs or {}
    needs = (
        wanted.get("hunger", usual.hunger),
        wanted.get("hygiene", usual.hygiene),
        wanted.get("energy", usual.energy),
    )
    citizen = spawn(
        town,
        Arrival(
            agent_id=given.agent_id if given.agent_id or not given.name else f"citizen_{town.next_number:03d}",
            display_name=given.name,
            tile=tile,
            needs=needs,
            wallet=given.wallet,
            job=_index("job", given.job, [job.id for job in town.tables.jobs]),
            profile=_index("profile", given.profile, list(profile_names())),
            home=home,
        ),
    )
    return {
        "agent_id": agent_id(town, citizen.number),
        "position": list(town.tables.map.xy(citizen.tile)),
        "slot": citizen.slot,
        "home": town.tables.map.zones[citizen.home].id,
    }


def _check_room(town: Town, given: SpawnArguments, home: int | None) -> None:
    if given.agent_id is not None:
        if _GENERATED.fullmatch(given.agent_id):
            raise CommandError("invalid_args", "reserved_id", "ids such as citizen_012 are given out by the town")
        if find_citizen(town, given.agent_id) is not None:
            raise CommandError("conflict", "exists", f"there is a citizen {given.agent_id!r} already")
    for is_missing, what in (
        (free_seat(town) == NOTHING, "seat"),
        (free_bed(town, home) == NOTHING, "bed"),
        (not has_free_slot(town), "slot"),
    ):
        if is_missing:
            raise CommandError("conflict", f"no_{what}", f"there is no free {what}")


def _index(kind: str, wanted: str | None, known: list[str]) -> int | None:
    if wanted is None:
        return None
    if wanted not in known:
        raise CommandError("invalid_args", f"unknown_{kind}", f"there is no {kind} {wanted!r}: {', '.join(known)}")
    return known.index(wanted)


def _teleport(town: Town, given: TeleportArguments) -> JsonObject:
    citizen = the_citizen(town, given.agent_id)
    tile = free_tile(town, given.x, given.y)
    if citizen.is_running and not given.force:
        raise CommandError("conflict", "busy_target", f"{given.agent_id} is in the middle of something; use force")
    relocate(town, citizen, tile)
    town.record(EventKind.AGENT_TELEPORTED, citizen.number, tile)
    return {"position": [given.x, given.y]}


def _setneed(town: Town, given: SetNeedArguments) -> JsonObject:
    citizen = the_citizen(town, given.agent_id)
    wanted = dict(given.needs or {})
    if given.need is not None and given.value is not None:
        wanted[given.need] = given.value
    if not wanted:
        raise CommandError("usage", "nothing_given", "give a need and a value, or needs")
    clamped = []
    for name, value in wanted.items():
        set_need(town, citizen, NEED_NAMES.index(name), value)
        if not 0.0 <= value <= 1.0:
            clamped.append(name)
    citizen.ctx_reset = True
    return {"applied": {name: citizen.needs[NEED_NAMES.index(name)] for name in wanted}, "clamped": clamped}


def _kill(town: Town, given: KillArguments) -> JsonObject:
    the_citizen(town, given.agent_id).decline.kill_requested = True
    return {"removed": given.agent_id}


def _possess(town: Town, given: PossessArguments) -> JsonObject:
    citizen = the_citizen(town, given.agent_id)
    if given.action == "acquire":
        if citizen.is_possessed:
            raise CommandError("conflict", "already_possessed", f"{given.agent_id} is possessed already")
        if _is_asleep(town, citizen):
            raise CommandError("conflict", "busy_target", f"{given.agent_id} is asleep")
        citizen.is_possessed = True
        town.record(EventKind.AGENT_POSSESSED, citizen.number)
    else:
        if not citizen.is_possessed:
            raise CommandError("conflict", "not_possessed", f"{given.agent_id} is not possessed")
        citizen.is_possessed = False
        citizen.possessed_primitive = NOTHING
        town.record(EventKind.AGENT_RELEASED, citizen.number)
    citizen.ctx_reset = True
    citizen.plan.has_ended = True
    return {"possessed": [agent_id(town, other.number) for other in town.living() if other.is_possessed]}


def _possess_act(town: Town, given: PossessActArguments) -> JsonObject:
    citizen = the_citizen(town, given.agent_id)
    if not citizen.is_possessed:
        raise CommandError("conflict", "not_possessed", f"{given.agent_id} is not possessed")
    names = list(PRIMITIVE_NAMES)
    wanted = given.primitive
    number = names.index(wanted) if wanted in names else wanted
    if not isinstance(number, int) or not 0 <= number < len(names):
        raise CommandError("invalid_args", "unknown_primitive", f"{wanted!r} is none of: {', '.join(names)}")
    citizen.possessed_primitive = number
    return {"accepted": names[number]}


def _is_asleep(town: Town, citizen: Citizen) -> bool:
    return citizen.is_running and town.objects[citizen.holding].running == town.tables.roles[Role.SLEEP]


COMMANDS: Final = (
    Command(
        name="spawn",
        role="admin",
        needs_id=True,
        summary="Send a new citizen.",
        arguments=SpawnArguments,
        run=_spawn,
    ),
    Command(
        name="teleport",
        role="admin",
        needs_id=True,
        summary="Put a citizen somewhere else.",
        arguments=TeleportArguments,
        run=_teleport,
    ),
    Command(
        name="setneed",
        role="admin",
        needs_id=True,
        summary="Set needs of a citizen.",
        arguments=SetNeedArguments,
        run=_setneed,
    ),
    Command(
        name="kill",
        role="admin",
        needs_id=True,
        summary="Remove a citizen at the end of this tick.",
        arguments=KillArguments,
        run=_kill,
    ),
    Command(
        name="possess",
        role="admin",
        needs_id=True,
        summary="Take over a citizen's steps, or give them back.",
        arguments=PossessArguments,
        run=_possess,
    ),
    Command(
        name="possess_act",
        role="admin",
        needs_id=True,
        summary="Say what a possessed citizen does next.",
        arguments=PossessActArguments,
        run=_possess_act,
    ),
)
