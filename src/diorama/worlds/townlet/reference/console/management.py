"""Commands about queues, employment and the rules of living and leaving."""

from typing import Final, Literal

from pydantic import Field, model_validator

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import NOBODY, NOTHING, ShiftState, word
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.console.finding import id_of, the_citizen, the_object
from diorama.worlds.townlet.reference.console.happenings import NoArguments
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.exit_queue import leave_exit_queue


class ObjectArguments(Arguments):
    """Which object; all of them without an id."""

    object_id: str | None = None


class ExitArguments(Arguments):
    """What is done about the exit queue, and to whom."""

    action: Literal["review", "approve", "defer"]
    agent_id: str | None = None


class SwitchArguments(Arguments):
    """On or off."""

    state: Literal["on", "off"]


class CapArguments(Arguments):
    """Exits per day."""

    per_day: int = Field(ge=0, le=50)


class DelayArguments(Arguments):
    """Ticks until a replacement comes."""

    min: int = Field(ge=0, le=100000)
    max: int = Field(ge=0, le=100000)

    @model_validator(mode="after")
    def _check(self) -> "DelayArguments":
        if self.min > self.max:
            raise ValueError("min is above max")
        return self


class DeathArguments(Arguments):
    """When hunger ends a life in town."""

    need: Literal["hunger"]
    value: float = Field(ge=0.0, le=1.0)
    ticks: int = Field(ge=1, le=100000)


def queue_block(town: Town, object_index: int) -> JsonObject:
    """An object as operators see it."""
    state, row = town.objects[object_index], town.tables.objects[object_index]
    return {
        "object_id": row.id,
        "holder": id_of(town, state.holder),
        "queue": [
            {"agent_id": id_of(town, entry.seat), "waited": town.tick - entry.joined_tick} for entry in state.queue
        ],
        "running": None if state.spec is None else {"affordance": state.spec.id, "remaining": state.remaining},
        "stall": state.stall,
        "cooldowns": {
            str(id_of(town, seat)): expiry
            for seat, expiry in enumerate(state.cooldowns)
            if expiry > town.tick and town.seats[seat] is not None
        },
    }


def queue_metrics(town: Town) -> dict[str, JsonValue]:
    """Counts of the queue manager."""
    metrics = town.queues
    return {
        "requests": metrics.requests,
        "grants": metrics.grants,
        "timeouts": metrics.timeouts,
        "cooldown_events": metrics.cooldown_events,
        "ghost_step_events": metrics.ghost_step_events,
        "ghost_move_events": metrics.ghost_move_events,
        "rotation_events": metrics.rotation_events,
        "mean_wait_ticks": metrics.wait_ticks / metrics.grants if metrics.grants else 0.0,
        "max_wait_ticks": metrics.max_wait_ticks,
        "conflict_intensity_sum": metrics.conflict_intensity_sum,
    }


def employment_block(town: Town) -> JsonObject:
    """The employment loop as it is told."""
    ledger = town.employment
    return {
        "pending": [{"agent_id": id_of(town, entry.seat), "since_tick": entry.since_tick} for entry in ledger.queue],
        "pending_count": len(ledger.queue),
        "exits_today": ledger.exits_today,
        "daily_exit_cap": town.rules.daily_exit_cap,
        "queue_limit": town.config.employment.exit_queue_limit,
        "review_window": town.config.employment.exit_review_window,
        "agents": {
            agent_id(town, citizen.number): {
                "job_id": None if citizen.job == NOTHING else town.tables.jobs[citizen.job].id,
                "shift_state": word(ShiftState(citizen.shift.state)),
                "on_shift": citizen.shift.is_on_shift,
                "attendance_ratio": citizen.shift.attendance_ratio,
                "absent_shifts_7d": citizen.shift.absent_shifts_7d,
            }
            for citizen in town.living()
        },
    }


def _queues(town: Town, given: ObjectArguments) -> JsonObject:
    indices = range(len(town.objects)) if given.object_id is None else [the_object(town, given.object_id)]
    return {"objects": [queue_block(town, index) for index in indices], "metrics": queue_metrics(town)}


def _affordances(town: Town, _: NoArguments) -> JsonObject:
    running = [queue_block(town, index) for index, state in enumerate(town.objects) if state.spec is not None]
    held = sum(state.holder != NOBODY for state in town.objects)
    return {
        "running": running,
        "running_count": len(running),
        "reservations": held,
        "counts": {**town.chronicle.uses},
    }


def _employment_status(town: Town, _: NoArguments) -> JsonObject:
    return employment_block(town)


def _employment_exit(town: Town, given: ExitArguments) -> JsonObject:
    if given.action == "review":
        return employment_block(town)
    if given.agent_id is None:
        raise CommandError("usage", "missing_agent", f"say whom: employment_exit {given.action} <agent_id>")
    citizen = the_citizen(town, given.agent_id)
    if not citizen.decline.is_exit_pending:
        raise CommandError("not_found", "not_pending", f"{given.agent_id} is not in the exit queue")
    if given.action == "approve":
        if citizen.seat not in town.employment.approvals:
            town.employment.approvals.append(citizen.seat)
        town.record(EventKind.EMPLOYMENT_EXIT_MANUAL_REQUEST, citizen.number)
    else:
        leave_exit_queue(town, citizen)
        town.employment.approvals = [seat for seat in town.employment.approvals if seat != citizen.seat]
        citizen.shift.absences.clear()
        town.record(EventKind.EMPLOYMENT_EXIT_DEFERRED, citizen.number)
    return {"agent_id": given.agent_id, "action": given.action, "pending": citizen.decline.is_exit_pending}


def _toggle_mortality(town: Town, given: SwitchArguments) -> JsonObject:
    town.rules.mortality = given.state == "on"
    return {"mortality": given.state}


def _set_exit_cap(town: Town, given: CapArguments) -> JsonObject:
    town.rules.max_exits_per_day = town.rules.daily_exit_cap = given.per_day
    return {"max_exits_per_day": given.per_day, "daily_exit_cap": given.per_day}


def _set_spawn_delay(town: Town, given: DelayArguments) -> JsonObject:
    town.rules.spawn_delay_min, town.rules.spawn_delay_max = given.min, given.max
    return {"spawn_delay_ticks": [given.min, given.max]}


def _set_death_threshold(town: Town, given: DeathArguments) -> JsonObject:
    town.rules.collapse_threshold, town.rules.collapse_ticks = given.value, given.ticks
    return {"need": given.need, "threshold": given.value, "ticks": given.ticks}


COMMANDS: Final = (
    Command(
        name="debug_queues",
        role="viewer",
        needs_id=False,
        summary="Show holders, queues and cooldowns.",
        arguments=ObjectArguments,
        run=_queues,
        aliases=("queue_inspect",),
    ),
    Command(
        name="affordance_status",
        role="viewer",
        needs_id=False,
        summary="Show what is being done.",
        arguments=NoArguments,
        run=_affordances,
    ),
    Command(
        name="employment_status",
        role="viewer",
        needs_id=False,
        summary="Show shifts and the exit queue.",
        arguments=NoArguments,
        run=_employment_status,
    ),
    Command(
        name="employment_exit",
        role="admin",
        needs_id=True,
        summary="Review, approve or defer exits.",
        arguments=ExitArguments,
        run=_employment_exit,
        needs_id_when=lambda given: given.action != "review",
    ),
    Command(
        name="toggle_mortality",
        role="admin",
        needs_id=True,
        summary="Let citizens leave or not.",
        arguments=SwitchArguments,
        run=_toggle_mortality,
    ),
    Command(
        name="set_exit_cap",
        role="admin",
        needs_id=True,
        summary="Set how many may leave in a day.",
        arguments=CapArguments,
        run=_set_exit_cap,
    ),
    Command(
        name="set_spawn_delay",
        role="admin",
        needs_id=True,
        summary="Set when replacements come.",
        arguments=DelayArguments,
        run=_set_spawn_delay,
    ),
    Command(
        name="set_death_threshold",
        role="admin",
        needs_id=True,
        summary="Set when hunger ends a life in town.",
        arguments=DeathArguments,
        run=_set_death_threshold,
    ),
)
