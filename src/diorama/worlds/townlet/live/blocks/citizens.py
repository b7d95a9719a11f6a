"""`agents.<id>`: everything worth seeing of a citizen."""

from typing import Final

from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.codes import (
    NEED_NAMES,
    NOTHING,
    OPTION_NAMES,
    PRIMITIVE_NAMES,
    TRAIT_NAMES,
    ShiftState,
    word,
)
from diorama.worlds.townlet.live.blocks.scene import Scene, TieRow
from diorama.worlds.townlet.live.blocks.sections import Section, fixed_section
from diorama.worlds.townlet.live.blocks.values import told
from diorama.worlds.townlet.reference.names import display_name
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import Shift
from diorama.worlds.townlet.reference.systems.fitness import agent_fitness_index

TOP: Final = 2


def _traits(_: Scene, citizen: Citizen) -> JsonValue:
    return dict(zip(TRAIT_NAMES, citizen.traits, strict=True))


def _needs(_: Scene, citizen: Citizen) -> JsonValue:
    return dict(zip(NEED_NAMES, citizen.needs, strict=True))


def _inventory(scene: Scene, citizen: Citizen) -> JsonValue:
    return {item: count for item, count in zip(scene.town.tables.items, citizen.inventory, strict=True) if count}


def _commit(scene: Scene, citizen: Citizen) -> int:
    plan = citizen.plan
    return 0 if plan.has_ended else max(0, plan.commit_until - scene.town.tick)


def _running_mark(scene: Scene, citizen: Citizen) -> object:
    if not citizen.is_running:
        return None
    state = scene.town.objects[citizen.holding]
    return citizen.holding, state.running, state.remaining


def _running(scene: Scene, citizen: Citizen) -> JsonValue:
    state = scene.town.objects[citizen.holding] if citizen.is_running else None
    if state is None or state.spec is None:
        return None
    return told(object=scene.object_id(citizen.holding), affordance=state.spec.id, remaining=state.remaining)


def _job_mark(scene: Scene, citizen: Citizen) -> object:
    shift, tally = citizen.shift, citizen.tally
    return (
        citizen.job,
        shift.state,
        shift.is_on_shift,
        shift.late_ticks,
        _attendance(shift),
        len(shift.absences),
        tally.lateness_counter,
        tally.wages_withheld,
        tally.wages_earned,
        tally.meals_cooked,
        tally.meals_consumed,
        scene.basket,
        citizen.decline.is_exit_pending,
    )


def _job(scene: Scene, citizen: Citizen) -> JsonValue:
    shift, tally = citizen.shift, citizen.tally
    return told(
        job_id=None if citizen.job == NOTHING else scene.town.tables.jobs[citizen.job].id,
        on_shift=shift.is_on_shift,
        shift_state=word(ShiftState(shift.state)),
        attendance_ratio=_attendance(shift),
        late_ticks=shift.late_ticks,
        lateness_counter=tally.lateness_counter,
        absent_shifts_7d=shift.absent_shifts_7d,
        wages_withheld=tally.wages_withheld,
        wages_earned=tally.wages_earned,
        meals_cooked=tally.meals_cooked,
        meals_consumed=tally.meals_consumed,
        basket_cost=scene.basket,
        exit_pending=citizen.decline.is_exit_pending,
    )


def _attendance(shift: Shift) -> float | None:
    """Known from the end of the first shift on."""
    return shift.attendance_ratio if shift.attendance else None


def tie_value(row: TieRow) -> dict[str, JsonValue]:
    """A tie without the other's id."""
    return {"trust": row.trust, "familiarity": row.familiarity, "rivalry": row.rivalry}


def _friends(scene: Scene, citizen: Citizen) -> JsonValue:
    rows = sorted(scene.ties[citizen.seat], key=lambda row: -(row.trust + row.familiarity))[:TOP]
    return [{"agent_id": row.other, **tie_value(row)} for row in rows if row.trust + row.familiarity > 0.0]


def _rivals(scene: Scene, citizen: Citizen) -> JsonValue:
    rows = sorted(scene.ties[citizen.seat], key=lambda row: -row.rivalry)[:TOP]
    return [{"agent_id": row.other, **tie_value(row)} for row in rows if row.rivalry > 0.0]


def _ties(scene: Scene, citizen: Citizen) -> object:
    return scene.ties[citizen.seat]


def _last_action(_: Scene, citizen: Citizen) -> JsonValue:
    return {
        "primitive": PRIMITIVE_NAMES[citizen.last_primitive],
        "success": citizen.last_success,
        "duration": citizen.last_duration,
    }


def _source(scene: Scene, citizen: Citizen) -> str | None:
    return scene.decisions.by_seat.get(citizen.seat)


def _meets(scene: Scene, citizen: Citizen) -> JsonValue:
    appointment = citizen.appointment
    if not appointment.event:
        return None
    return {
        "event_id": f"evt_{appointment.event}",
        "zone": scene.town.tables.map.zones[appointment.zone].id,
        "from_tick": appointment.from_tick,
        "until_tick": appointment.until_tick,
    }


CITIZEN_SECTIONS: Final[tuple[Section[Citizen], ...]] = (
    fixed_section("name", lambda scene, citizen: display_name(scene.town, citizen.number)),
    fixed_section("seat", lambda _, citizen: citizen.seat),
    fixed_section("slot", lambda _, citizen: citizen.slot),
    fixed_section("profile", lambda scene, citizen: scene.town.tables.profiles[citizen.profile].name),
    fixed_section("traits", _traits),
    fixed_section("spawn_tick", lambda _, citizen: citizen.spawn_tick),
    fixed_section("home", lambda scene, citizen: scene.town.tables.map.zones[citizen.home].id),
    Section(
        name="pos",
        mark=lambda _, citizen: citizen.tile,
        tell=lambda scene, citizen: list(scene.town.tables.map.xy(citizen.tile)),
    ),
    Section(name="needs", mark=lambda _, citizen: tuple(citizen.needs), tell=_needs),
    Section(name="wallet", mark=lambda _, citizen: citizen.wallet, tell=lambda _, citizen: citizen.wallet),
    Section(name="inventory", mark=lambda _, citizen: tuple(citizen.inventory), tell=_inventory),
    Section(
        name="option",
        mark=lambda _, citizen: citizen.plan.option,
        tell=lambda _, citizen: OPTION_NAMES[citizen.plan.option],
    ),
    Section(name="option_source", mark=_source, tell=_source),
    Section(name="commit_remaining", mark=_commit, tell=_commit),
    Section(
        name="goal",
        mark=lambda _, citizen: citizen.plan.goal,
        tell=lambda scene, citizen: (
            None if citizen.plan.goal == NOTHING else list(scene.town.tables.map.xy(citizen.plan.goal))
        ),
    ),
    Section(name="running", mark=_running_mark, tell=_running),
    Section(
        name="holding",
        mark=lambda scene, citizen: scene.object_id(citizen.holding),
        tell=lambda scene, citizen: scene.object_id(citizen.holding),
    ),
    Section(
        name="queued_at",
        mark=lambda scene, citizen: scene.object_id(citizen.queued),
        tell=lambda scene, citizen: scene.object_id(citizen.queued),
    ),
    Section(name="job", mark=_job_mark, tell=_job),
    Section(name="friends", mark=_ties, tell=_friends),
    Section(name="rivals", mark=_ties, tell=_rivals),
    Section(
        name="last_action",
        mark=lambda _, citizen: (citizen.last_primitive, citizen.last_success, citizen.last_duration),
        tell=_last_action,
    ),
    Section(
        name="rent_arrears",
        mark=lambda _, citizen: citizen.decline.rent_arrears,
        tell=lambda _, citizen: citizen.decline.rent_arrears,
    ),
    Section(name="appointment", mark=lambda _, citizen: citizen.appointment.event, tell=_meets),
    Section(name="afi", mark=lambda scene, _: scene.slow, tell=lambda _, citizen: agent_fitness_index(citizen)),
    Section(name="ctx_reset", mark=lambda _, citizen: citizen.ctx_reset, tell=lambda _, citizen: citizen.ctx_reset),
    Section(
        name="possessed", mark=lambda _, citizen: citizen.is_possessed, tell=lambda _, citizen: citizen.is_possessed
    ),
)
