"""Stage 3: from what was selected to what is done."""

from collections.abc import Mapping

from diorama.worlds.townlet.codes import NOTHING, Primitive
from diorama.worlds.townlet.reference.decisions.expansion import expand
from diorama.worlds.townlet.reference.decisions.guards import guarded
from diorama.worlds.townlet.reference.decisions.options import OPTIONS, is_bound, is_feasible, option_mask, take_option
from diorama.worlds.townlet.reference.decisions.primitives import PRIMITIVES, primitive_mask
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town


def action_mask(town: Town, citizen: Citizen) -> list[int]:
    """What a citizen may select, at the configured level; never all zero."""
    return option_mask(town, citizen) if _uses_options(town) else primitive_mask(town, citizen)


def decide(town: Town, selections: Mapping[int, int]) -> list[int]:
    """Turn selections into primitives, one per seat; the observations of this stage have been taken.

    Args:
        town: The town; `report` says what was replaced.
        selections: By seat, an action of the configured level; a citizen without one selects 0.
    """
    primitives = [int(Primitive.WAIT)] * len(town.seats)
    for citizen in town.living():
        wanted = selections.get(citizen.seat, 0)
        if citizen.is_possessed:
            primitive = _possessed_step(town, citizen)
        elif _uses_options(town):
            _select_option(town, citizen, wanted)
            primitive = expand(town, citizen)
        else:
            primitive = _select_primitive(town, citizen, wanted)
        primitive = guarded(town, citizen, primitive)
        primitives[citizen.seat] = primitive
        town.report.primitives[citizen.seat] = primitive
        citizen.ctx_reset = False
    return primitives


def _uses_options(town: Town) -> bool:
    return town.config.policy_runtime.action_level == "option"


def _select_option(town: Town, citizen: Citizen, wanted: int) -> None:
    option = wanted
    if is_bound(town, citizen):
        option = citizen.plan.option
        if wanted != option:
            town.report.commit_enforced.add(citizen.seat)
    elif not 0 <= wanted < OPTIONS or not is_feasible(town, citizen, wanted):
        option = _invalid(town, citizen)
    town.report.effective[citizen.seat] = option
    if not citizen.is_running:
        take_option(town, citizen, option)


def _select_primitive(town: Town, citizen: Citizen, wanted: int) -> int:
    is_valid = 0 <= wanted < PRIMITIVES and primitive_mask(town, citizen)[wanted]
    primitive = wanted if is_valid else _invalid(town, citizen)
    town.report.effective[citizen.seat] = primitive
    return primitive


def _possessed_step(town: Town, citizen: Citizen) -> int:
    wanted = citizen.possessed_primitive
    citizen.possessed_primitive = NOTHING
    return wanted if wanted != NOTHING and primitive_mask(town, citizen)[wanted] else Primitive.WAIT


def _invalid(town: Town, citizen: Citizen) -> int:
    town.report.invalid.add(citizen.seat)
    citizen.tally.invalid_actions += 1
    return 0
