"""Why something cannot be chosen now, in words for whoever leads a citizen; read from the frame."""

from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import DIRECTIONS, OPTION_NAMES, PRIMITIVE_NAMES, Need, Option, Primitive
from diorama.worlds.townlet.frames import CitizenPart, FrameParts, read_frame
from diorama.worlds.townlet.reference.decisions.targets import SATISFIED

_POSSIBLE: Final = ""
_NOBODY: Final = "nobody has this seat"
_INTERACTIONS: Final = (Primitive.INTERACT_0, Primitive.INTERACT_1, Primitive.INTERACT_2, Primitive.INTERACT_3)
_WAYS: Final = (
    (Primitive.MOVE_NORTH, "north"),
    (Primitive.MOVE_EAST, "east"),
    (Primitive.MOVE_SOUTH, "south"),
    (Primitive.MOVE_WEST, "west"),
)


def explain_mask(state: JsonObject, seat: int) -> tuple[str, ...]:
    """Return for every option or primitive what it lacks.

    Where the mask rules something out the reason is given as far as the frame tells it; for the rest it is the most
    likely one, so only ask about what is masked.

    Args:
        state: A frame.
        seat: Who asks.
    """
    frame = read_frame(state)
    citizen = frame.citizen(seat)
    names = OPTION_NAMES if frame.action_level == "option" else PRIMITIVE_NAMES
    if citizen is None:
        return tuple(_NOBODY if place else _POSSIBLE for place in range(len(names)))
    return _options(frame, citizen) if frame.action_level == "option" else _primitives(frame, citizen)


def _options(frame: FrameParts, citizen: CitizenPart) -> tuple[str, ...]:
    bound = _binding(frame, citizen)
    if bound:
        return tuple(_POSSIBLE if name == citizen.option else bound for name in OPTION_NAMES)
    reasons = dict.fromkeys(Option, _POSSIBLE)
    reasons[Option.GET_FED] = _lacks(citizen, Need.HUNGER, "not hungry") or "no meal, nothing to cook and no money"
    reasons[Option.GET_CLEAN] = _lacks(citizen, Need.HYGIENE, "clean already") or _no_shower(frame, citizen)
    reasons[Option.GO_TO_WORK] = _no_work(frame, citizen)
    reasons[Option.SHOP_GROCERIES] = "nothing to cook, and no money or nothing left at the grocer"
    reasons[Option.SLEEP] = _lacks(citizen, Need.ENERGY, "not tired") or "no bed"
    reasons[Option.SOCIALISE] = "relationships are switched off in this town"
    reasons[Option.AVOID_RIVALS] = "no rival is near"
    return tuple(reasons.values())


def _binding(frame: FrameParts, citizen: CitizenPart) -> str:
    doing = None if citizen.holds is None else frame.thing(citizen.holds).doing
    if citizen.is_busy:
        return f"busy with {'something' if doing is None else doing.replace('_', ' ')}"
    return f"set on {citizen.option} for {citizen.commit} more ticks" if citizen.commit else _POSSIBLE


def _lacks(citizen: CitizenPart, need: Need, otherwise: str) -> str:
    return otherwise if citizen.needs[need] >= SATISFIED else _POSSIBLE


def _no_shower(frame: FrameParts, citizen: CitizenPart) -> str:
    price = frame.prices["shower_cost"][1]
    if not frame.utilities.power:
        return "the power is out"
    if not frame.utilities.water:
        return "the water is out"
    return f"costs {price:g} coins" if citizen.wallet < price else "lost the turn at every shower a moment ago"


def _no_work(frame: FrameParts, citizen: CitizenPart) -> str:
    if citizen.job is None:
        return "no job"
    if citizen.shift == "absent":
        return "the shift is missed"
    _, _, start, end = frame.map.jobs[citizen.job]
    return "the shift is over" if frame.tod >= end else f"too early: the shift begins at {_clock(frame, start)}"


def _primitives(frame: FrameParts, citizen: CitizenPart) -> tuple[str, ...]:
    if citizen.is_busy:
        busy = _binding(frame, citizen)
        return tuple(_POSSIBLE if primitive in (Primitive.WAIT, Primitive.RELEASE) else busy for primitive in Primitive)
    reasons = dict.fromkeys(Primitive, _POSSIBLE)
    for (primitive, way), (dx, dy) in zip(_WAYS, DIRECTIONS, strict=True):
        reasons[primitive] = _obstacle(frame, (citizen.at[0] + dx, citizen.at[1] + dy)) or f"no way {way}"
    for rank, primitive in enumerate(_INTERACTIONS):
        reasons[primitive] = _unusable(frame, citizen, rank)
    reasons[Primitive.RELEASE] = "nothing is held or waited for"
    reasons[Primitive.TALK] = "nobody to talk to stands beside"
    reasons[Primitive.YIELD] = "nobody waits for what is held"
    return tuple(reasons.values())


def _obstacle(frame: FrameParts, place: tuple[int, int]) -> str:
    width, height = frame.map.size
    if not (0 <= place[0] < width and 0 <= place[1] < height):
        return "the town ends here"
    thing = next((kind for _, kind, _, x, y, _, _ in frame.map.objects if (x, y) == place), None)
    return _POSSIBLE if thing is None else f"a {thing} is in the way"


def _unusable(frame: FrameParts, citizen: CitizenPart, rank: int) -> str:
    taken = citizen.waits if citizen.holds is None else citizen.holds
    if taken is None:
        return "nothing usable is in reach"
    uses = frame.map.uses.get(frame.map.objects[taken][1], ())
    if rank >= len(uses):
        return "it has no such use"
    if citizen.holds is None:
        return "waiting for the turn"
    use_tile = frame.map.objects[taken][5:7]
    return "stand in front of it first" if citizen.at != use_tile else "something it needs or costs is missing"


def _clock(frame: FrameParts, tod: int) -> str:
    minutes = tod * 24 * 60 // frame.ticks_per_day
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
