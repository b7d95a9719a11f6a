"""The exit queue: who has been absent too often loses their place in town, slowly and under review."""

from collections.abc import Callable

from diorama.worlds.townlet.codes import ExitPath
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import ExitEntry
from diorama.worlds.townlet.reference.state.town import Town

TryExit = Callable[[Citizen, bool], bool]


def work_exit_queue(town: Town, try_exit: TryExit) -> None:
    """Let the queue take in and let go.

    Args:
        town: The town.
        try_exit: Lets a citizen leave for unemployment unless the lifecycle holds it back; told whether an operator
            has approved it, which nothing holds back.
    """
    for seat in [*town.employment.approvals]:
        _execute(town, town.citizen(seat), ExitPath.MANUAL_APPROVE, try_exit)
    town.employment.approvals.clear()
    _take_in(town)
    oldest = town.tick - town.config.employment.exit_review_window
    for entry in [entry for entry in town.employment.queue if entry.since_tick < oldest]:
        _execute(town, town.citizen(entry.seat), ExitPath.AUTO_REVIEW, try_exit)
    while town.employment.queue and town.employment.exits_today < town.rules.daily_exit_cap:
        if not _execute(town, town.citizen(town.employment.queue[0].seat), ExitPath.DAILY_CAP, try_exit):
            break


def leave_exit_queue(town: Town, citizen: Citizen) -> None:
    """Take a citizen out of the queue."""
    citizen.decline.is_exit_pending = False
    town.employment.queue = [entry for entry in town.employment.queue if entry.seat != citizen.seat]


def _take_in(town: Town) -> None:
    rule, ledger = town.config.employment, town.employment
    for citizen in town.in_turn():
        is_due = citizen.shift.absent_shifts_7d >= rule.max_absent_shifts
        if not is_due or citizen.decline.is_exit_pending or citizen.facts.exit_reason >= 0:
            continue
        if len(ledger.queue) >= rule.exit_queue_limit:
            if not ledger.overflow_told:
                ledger.overflow_told = True
                town.record(EventKind.EMPLOYMENT_EXIT_QUEUE_OVERFLOW, len(ledger.queue), rule.exit_queue_limit)
            continue
        ledger.queue.append(ExitEntry(citizen.seat, town.tick))
        citizen.decline.is_exit_pending = True
        town.record(EventKind.EMPLOYMENT_EXIT_PENDING, citizen.number, len(ledger.queue))


def _execute(town: Town, citizen: Citizen, path: ExitPath, try_exit: TryExit) -> bool:
    job = citizen.job
    if not try_exit(citizen, path is ExitPath.MANUAL_APPROVE):
        return False
    leave_exit_queue(town, citizen)
    town.employment.exits_today += 1
    town.record(EventKind.EMPLOYMENT_EXIT_PROCESSED, citizen.number, job, path)
    return True
