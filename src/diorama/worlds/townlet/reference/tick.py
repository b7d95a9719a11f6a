"""The tick: seven stages in a fixed order, and the hooks around them.

Stages 2 to 5 are the town's: `schedule`, `decide`, `resolve` and `settle`, for whoever runs a town stage by stage.
Stage 1 drains commands, stages 6 and 7 tell and keep what happened.

    begin_tick    a clean page, stages 1 and 2
                  -- observations and masks are read here --
    finish_tick   stages 3 to 7, and on to the next tick
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from diorama.worlds.townlet.reference.decisions.deciding import decide
from diorama.worlds.townlet.reference.decisions.options import settle_options
from diorama.worlds.townlet.reference.resolving import resolve
from diorama.worlds.townlet.reference.reward import pay_rewards
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.facts import TickFacts
from diorama.worlds.townlet.reference.state.kpis import TickReport
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.appointments import keep_appointments
from diorama.worlds.townlet.reference.systems.collapse import count_decline
from diorama.worlds.townlet.reference.systems.fitness import turn_fitness
from diorama.worlds.townlet.reference.systems.hooks import run_deferred
from diorama.worlds.townlet.reference.systems.kpis import count_tick
from diorama.worlds.townlet.reference.systems.lifecycle import evaluate_exits, remove_exited
from diorama.worlds.townlet.reference.systems.needs import decay_needs
from diorama.worlds.townlet.reference.systems.perturbations.effects import note_city_events
from diorama.worlds.townlet.reference.systems.perturbations.scheduler import run_scheduler
from diorama.worlds.townlet.reference.systems.rollover import roll_over
from diorama.worlds.townlet.reference.systems.shifts import work_shifts
from diorama.worlds.townlet.reference.systems.spawning import spawn_replacements
from diorama.worlds.townlet.reference.systems.ties import fade_ties

System = Callable[[Town], None]
OnExit = Callable[[Town, Citizen], None]

CONSOLE, SCHEDULE, POLICY, RESOLVE, LIVE, TELL, KEEP = range(1, 8)

STAGE_2: Final[tuple[System, ...]] = (roll_over, spawn_replacements, run_scheduler)
STAGE_5: Final[tuple[System, ...]] = (
    decay_needs,  # after effects, which stage 4 applied
    work_shifts,
    fade_ties,
    keep_appointments,
    note_city_events,
    count_decline,
    evaluate_exits,
    pay_rewards,  # those who leave are paid for the last time
)


class StageHooks(Protocol):
    """Somebody who watches, or takes part in, the stages of a tick."""

    def before_stage(self, number: int, town: Town) -> None:
        """A stage is about to begin; the console executes its commands before stage 1 ends."""

    def after_stage(self, number: int, town: Town) -> None:
        """A stage has ended."""


def clear_page(town: Town) -> None:
    """Forget what the last tick paid and did: before stage 1, whose commands already write on the new page."""
    town.report = TickReport()
    for citizen in town.living():
        citizen.facts = TickFacts()


def schedule(town: Town) -> None:
    """Stage 2, and what decisions begin with: which options have ended."""
    for system in STAGE_2:
        system(town)
    settle_options(town)


def settle(town: Town, on_exit: OnExit | None = None) -> None:
    """Stage 5, until those who leave are gone and the tick is counted.

    Args:
        town: The town.
        on_exit: Called for everybody who leaves, while they are still there: the moment of their last observation.
    """
    for system in STAGE_5:
        system(town)
    if on_exit is not None:
        for seat in town.report.exits:
            citizen = town.citizen(seat)
            citizen.ctx_reset = True
            on_exit(town, citizen)
    remove_exited(town)
    count_tick(town)
    turn_fitness(town)


def begin_tick(town: Town, hooks: Sequence[StageHooks] = ()) -> None:
    """Open a tick up to the point where citizens decide."""
    clear_page(town)
    with _stage(town, hooks, CONSOLE):
        pass
    with _stage(town, hooks, SCHEDULE):
        schedule(town)


def finish_tick(
    town: Town,
    selections: Mapping[int, int],
    hooks: Sequence[StageHooks] = (),
    on_exit: OnExit | None = None,
) -> None:
    """Carry a tick out and go on to the next one. Reordering the systems breaks every stored replay.

    Args:
        town: A town whose tick has begun.
        selections: By seat, an action of the configured level.
        hooks: Called around every stage.
        on_exit: See `settle`.
    """
    with _stage(town, hooks, POLICY):
        primitives = decide(town, selections)
    with _stage(town, hooks, RESOLVE):
        resolve(town, primitives)
    with _stage(town, hooks, LIVE):
        settle(town, on_exit)
    with _stage(town, hooks, TELL):
        run_deferred(town)
    with _stage(town, hooks, KEEP):
        pass
    town.tick += 1


@contextmanager
def _stage(town: Town, hooks: Sequence[StageHooks], number: int) -> Iterator[None]:
    for hook in hooks:
        hook.before_stage(number, town)
    yield
    for hook in hooks:
        hook.after_stage(number, town)
