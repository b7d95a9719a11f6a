"""The after-action report: who won, what became of every ship, and how it came about."""

from typing import Final

from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.result_console import result_console
from diorama.cli.tidebreak.fighting import Fought
from diorama.worlds.tidebreak.contract import Event
from diorama.worlds.tidebreak.packages.outcomes import ShipOutcome
from diorama.worlds.tidebreak.sentences import Names, sentence

_MAIN_EVENTS: Final = frozenset(
    {
        Event.HIT,
        Event.CRITICAL,
        Event.DESTROYED,
        Event.DISABLED,
        Event.SURRENDERED,
        Event.CAPTURED,
        Event.SCUTTLED,
        Event.EXITED,
        Event.COLLISION,
        Event.GROUNDING,
        Event.TRANSITION_BOTCHED,
        Event.BEACHHEAD,
        Event.REPULSED,
        Event.SQUADRON_LAUNCHED,
        Event.SQUADRON_LOST,
        Event.OBJECTIVE_COMPLETED,
        Event.OBJECTIVE_FAILED,
        Event.BATTLE_END,
    }
)
_DECISIVE: Final = _MAIN_EVENTS - {Event.HIT, Event.CRITICAL, Event.COLLISION, Event.SQUADRON_LAUNCHED}


def print_report(fought: Fought, *, timeline: int) -> None:
    """Print the report; `timeline` is how many events are told at most."""
    console, result = result_console(), fought.result
    verdict = "no winner" if result.winner_team_id is None else f"{result.winner_team_id} won"
    console.print(
        f"{result.battle_id}: {verdict}, {result.end_reason.name.replace('_', ' ').lower()} "
        f"after {_clock(int(result.duration_s))} (seed {result.seed}, {fought.tier} tier)"
    )
    console.print(_teams(fought))
    console.print(_ships(fought))
    if timeline:
        console.print(_timeline(fought, timeline))
    if fought.run is not None:
        console.print(f"result and replay: {fought.run}")


def _teams(fought: Fought) -> Table:
    table = _table("teams", "team", "lost", "surrendered", "captured", "cost at start", "cost left", "morale")
    for team in fought.result.teams:
        table.add_row(
            team.team_id,
            str(team.ships_lost),
            str(team.ships_surrendered),
            str(team.ships_captured),
            f"{team.cost_start:.0f}",
            f"{team.cost_end:.0f}",
            f"{team.morale_delta:+.2f}",
        )
    return table


def _ships(fought: Fought) -> Table:
    table = _table(
        "ships", "ship", "class", "script", "fate", "hp", "dealt", "taken", "shots", "hits", "kills", "objective"
    )
    for ship in fought.result.ships:
        unit = fought.unit(ship.ship_id)
        table.add_row(
            ship.ship_id,
            unit.class_name,
            fought.scripts.get(ship.ship_id, "-"),
            _fate(ship),
            f"{ship.final_state.hp / unit.hp_max:.0%}",
            f"{ship.damage_dealt:.0f}",
            f"{ship.damage_taken:.0f}",
            str(unit.shots),
            str(unit.hits),
            str(ship.kills),
            _objective(ship),
        )
    return table


def _fate(ship: ShipOutcome) -> str:
    if ship.exited:
        return "left the map"
    captor = "" if ship.captor_team_id is None else f" by {ship.captor_team_id}"
    return ship.fate.name.lower() + captor


def _objective(ship: ShipOutcome) -> str:
    outcome = ship.objective_outcome
    if outcome is None:
        return "-"
    return f"{outcome.type.name.lower()}: {outcome.status.name.lower()}, {outcome.progress:.0%}"


def _timeline(fought: Fought, limit: int) -> Table:
    main = [row for row in fought.events if row.kind in _MAIN_EVENTS]
    if len(main) > limit:
        # Whatever decides something is told before single hits are.
        kept = sorted(main, key=lambda row: (row.kind not in _DECISIVE, row.id))[:limit]
        left_out = len(main) - len(kept)
        main = sorted(kept, key=lambda row: row.id)
    else:
        left_out = 0
    title = "timeline" if not left_out else f"timeline ({left_out} lesser events left out)"
    table = _table(title, "time", "event", "what happened")
    names = Names.of_package(fought.package.battle)
    known = {row.id: row for row in fought.events}
    for row in main:
        table.add_row(_clock(row.tick), f"#{row.id}", sentence(row, names, known))
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, box=SIMPLE, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(heading, no_wrap=place == 0)
    return table


def _clock(seconds: int) -> str:
    return f"{seconds // 60:02d}:{seconds % 60:02d}"
