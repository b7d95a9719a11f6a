"""A campaign as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import typer
from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.result_console import result_console
from diorama.cli.tidebreak.campaign_map import chart
from diorama.cli.tidebreak.campaign_places import fleet_detail, hub_detail
from diorama.contracts.errors import UnknownName

if TYPE_CHECKING:
    from diorama.worlds.tidebreak.campaign import Campaign, Order
    from diorama.worlds.tidebreak.campaign.state import News

_COLORS: Final = {
    "COMFORTABLE": "green",
    "ADEQUATE": "green",
    "RATIONING": "yellow",
    "CRITICAL": "red",
    "EXHAUSTED": "bold red",
    "OPEN": "green",
    "CONTESTED": "yellow",
    "BLOCKADED": "red",
    "CLOSED": "red",
    "stable": "green",
    "strained": "yellow",
    "crisis": "red",
    "collapse": "bold red",
}


def show_overview(played: Campaign) -> None:
    """Print the day, the map and the main tables."""
    state = played.state
    who = "bots play all" if state.player is None else f"you lead the {state.faction(state.player).name}"
    typer.echo(f"Day {state.day} of {state.last_day}; {who}.")
    console = result_console()
    for section in (chart, _factions, _hubs, _fleets, _routes):
        console.print(section(played))
    show_concerns(played)


def show_report(played: Campaign, what: Sequence[str], *, day: int | None) -> None:
    """Print one part of the picture.

    Raises:
        UnknownName: There is no such part.
    """
    console = result_console()
    name = what[0]
    state = played.state
    if name == "overview":
        show_overview(played)
    elif name == "news":
        show_news(played, played.news(day), day=played.day if day is None else day)
    elif name == "why" and len(what) > 1 and what[1].isdecimal():
        for depth, item in enumerate(played.explain(int(what[1]))):
            typer.echo(f"{'  ' * depth}{'because ' if depth else ''}day {item.day}: {item.text}")
    elif name in _SECTIONS:
        console.print(_SECTIONS[name](played))
    elif (hub := state.find_hub(name)) is not None:
        hub_detail(console, played, hub)
    elif (fleet := state.find_fleet(name)) is not None:
        fleet_detail(console, played, fleet)
    else:
        places = [*(hub.id for hub in state.hubs), *(fleet.id for fleet in state.fleets)]
        known = ["overview", "news", "why NUMBER", *_SECTIONS, *places]
        raise UnknownName.among("report", " ".join(what), known)


def show_news(played: Campaign, news: Sequence[News], *, day: int | None = None) -> None:
    """Print news by day, with the number that 'report why' takes."""
    console = result_console()
    if not news:
        typer.echo(f"Day {played.day if day is None else day}: nothing to report.")
        return
    shown = None
    for item in news:
        if item.day != shown:
            shown = item.day
            console.print(f"[bold]Day {shown}[/]", highlight=False)
        because = "" if item.cause is None else f" [dim](because of {item.cause})[/]"
        console.print(f"  [dim]{item.number:4d}[/] {item.text}{because}", highlight=False)


def show_concerns(played: Campaign) -> None:
    """Print what waits for the player."""
    from diorama.worlds.tidebreak.campaign.telling.attention import concerns

    for concern in concerns(played.state):
        result_console().print(f"[yellow]![/] {concern.text}", highlight=False)


def show_orders(played: Campaign, orders: Sequence[Order], *, limit: int, has_filter: bool) -> None:
    """Print orders and how many may be given."""
    from diorama.worlds.tidebreak.campaign.orders import USAGE, Budget, orders_left

    state = played.state
    left = f"{orders_left(state, Budget.FLEET)} to fleets, {orders_left(state, Budget.POLICY)} of policy"
    table = Table(title=f"Orders on day {state.day} (left: {left}; others are free)", box=SIMPLE)
    table.add_column("order", no_wrap=True)
    table.add_column("what it means")
    for order in orders[:limit]:
        table.add_row(order.code, order.text)
    if orders:
        result_console().print(table)
    if len(orders) > limit:
        verbs = sorted({order.verb.value for order in orders})
        typer.echo(f"{len(orders) - limit} more: add a word, such as {', '.join(verbs)}, or --all.")
    elif not has_filter:
        typer.echo(
            "Also: 'orders split', 'orders goods' and 'orders dismiss'; any word narrows the list, --all shows all."
        )
    elif not orders:
        typer.echo("No order of today is like that. Forms: " + "; ".join(USAGE.values()))


def _factions(played: Campaign) -> Table:
    state = played.state
    table = Table(title="Factions", box=SIMPLE)
    for heading in ("faction", "score", "morale", "ships' cost", "goals", "with others"):
        table.add_column(heading, justify="right" if heading in ("score", "morale", "ships' cost") else "left")
    from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import effective_morale
    from diorama.worlds.tidebreak.campaign.fleets.strength import faction_cost

    for faction in state.factions:
        is_gone = faction.defeated_day is not None
        table.add_row(
            f"{faction.name} ({faction.id})" + (" - you" if faction.id == state.player else ""),
            f"{played.score(faction.id):.2f}",
            f"{effective_morale(faction):.2f}",
            f"{faction_cost(state, faction.id):,.0f}",
            "defeated" if is_gone else ", ".join(goal.kind.lower() for goal in faction.goals) or "-",
            "; ".join(
                _relation_words(played, faction.id, other.id) for other in state.factions if other is not faction
            ),
        )
    return table


def _relation_words(played: Campaign, first: str, second: str) -> str:
    from diorama.worlds.tidebreak.campaign.telling.view import band_of

    relation = played.state.relation(first, second)
    treaties = [t.kind.lower().replace("_", " ") for t in played.state.treaties if {t.a, t.b} == {first, second}]
    stand = "[red]at war[/]" if relation.is_at_war else band_of(relation.disposition)
    extra = f", {', '.join(treaties)}" if treaties else ""
    return f"{second}: {stand} {relation.disposition:+.2f}{extra}"


def _hubs(played: Campaign) -> Table:
    from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
    from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Resource
    from diorama.worlds.tidebreak.campaign.politics.legitimacy import band

    table = Table(title="Hubs (days of supply)", box=SIMPLE)
    for heading in (
        "hub",
        "owner",
        "people",
        "government",
        "legitimacy",
        *(r.lower() for r in NEEDS),
        "materials",
        "trouble",
    ):
        table.add_column(heading, justify="left" if heading in ("hub", "owner", "government", "trouble") else "right")
    for hub in played.state.hubs:
        cells = [
            _colored(hub.status[r].value, f"{hub.days[r]:.0f}") if daily_need(hub, r) > 0.0 else "-" for r in NEEDS
        ]
        troubles = [crisis.kind.lower() for crisis in hub.crises]
        troubles += [f"besieged {s.control:.0%}" for s in played.state.sieges if s.hub == hub.id]
        troubles += ["rationing"] if hub.is_rationing else []
        legitimacy = hub.government.legitimacy
        table.add_row(
            f"{hub.name} ({hub.id})",
            hub.owner,
            f"{hub.population:,.0f}",
            hub.government.kind.lower().replace("_", " "),
            _colored(band(legitimacy), f"{legitimacy:.2f} {band(legitimacy)}"),
            *cells,
            f"{hub.stock[Resource.MATERIALS]:,.0f}",
            ", ".join(troubles) or "-",
        )
    return table


def _fleets(played: Campaign) -> Table:
    from collections import Counter

    from diorama.worlds.tidebreak.campaign.fleets.missions import mission_words
    from diorama.worlds.tidebreak.campaign.fleets.readiness import condition, supply_days
    from diorama.worlds.tidebreak.campaign.fleets.strength import fleet_cost

    state = played.state
    table = Table(title="Fleets", box=SIMPLE)
    for heading in ("fleet", "owner", "where", "ships", "cost", "hulls", "supply days", "stance", "mission"):
        table.add_column(heading, justify="right" if heading in ("cost", "hulls", "supply days") else "left")
    for fleet in state.fleets:
        counts = Counter(ship.class_id.replace("_", " ") for ship in state.ships_of(fleet))
        mission = state.find_mission(fleet.mission)
        table.add_row(
            f"{fleet.name} ({fleet.id})",
            fleet.owner,
            _whereabouts(played, fleet.id),
            ", ".join(f"{n} {name}" for name, n in counts.items()),
            f"{fleet_cost(state, fleet):,.0f}",
            f"{condition(state, fleet):.0%}",
            f"{supply_days(state, fleet):.0f}",
            fleet.stance.lower(),
            "-" if mission is None else mission_words(state, mission),
        )
    return table


def _whereabouts(played: Campaign, fleet_id: str) -> str:
    fleet = played.state.fleet(fleet_id)
    goal = f", bound for {played.state.node(fleet.path[-1]).name}" if fleet.path else ""
    if fleet.passage is None:
        return f"{played.state.node(str(fleet.node)).name}{goal}"
    return f"at sea, {fleet.passage.days_left:.1f} days from {played.state.node(fleet.passage.target).name}{goal}"


def _routes(played: Campaign) -> Table:
    from diorama.worlds.tidebreak.campaign.telling.view import amounts

    table = Table(title="Routes (units planned a day)", box=SIMPLE)
    for heading in ("route", "from - to", "out", "back", "status", "threat"):
        table.add_column(heading)
    for route in played.state.routes:
        out, back = (", ".join(f"{v:.0f} {k}" for k, v in amounts(g).items()) for g in (route.goods, route.goods_back))
        table.add_row(
            f"{route.name} ({route.id})",
            f"{played.state.node(route.origin).name} - {played.state.node(route.destination).name}",
            out or "-",
            back or "-",
            _colored(route.status.value, route.status.lower()),
            f"{route.threat:.2f}",
        )
    return table


def _missions(played: Campaign) -> Table:
    from diorama.worlds.tidebreak.campaign.fleets.missions import mission_words, open_missions
    from diorama.worlds.tidebreak.campaign.orders import offered_missions

    state = played.state
    offered = [] if state.player is None else offered_missions(state, state.player)
    table = Table(title="Missions (take one with 'order mission NUMBER FLEET')", box=SIMPLE)
    for heading in ("number", "issuer", "mission", "until day", "reward", "state"):
        table.add_column(heading)
    for mission in open_missions(state):
        reward = ", ".join(f"{v:.0f} {k}" for k, v in mission.reward.items())
        stand = "offered to you" if mission in offered else mission.status.lower()
        table.add_row(
            str(mission.number), mission.issuer, mission_words(state, mission), str(mission.deadline_day), reward, stand
        )
    return table


def _people(played: Campaign) -> Table:
    table = Table(title="People", box=SIMPLE)
    for heading in ("number", "name", "faction", "office", "command", "operations", "politics", "traits"):
        table.add_column(heading)
    for person in played.state.people:
        office = person.role.lower() if person.post is None else f"{person.role.lower()} of {person.post}"
        table.add_row(
            str(person.number),
            person.name,
            person.faction or "-",
            office,
            f"{person.command:.2f}",
            f"{person.operations:.2f}",
            f"{person.politics:.2f}",
            ", ".join(person.traits),
        )
    return table


def _scores(played: Campaign) -> Table:
    table = Table(title="Score", box=SIMPLE)
    table.add_column("faction")
    table.add_column("score", justify="right")
    for faction in sorted(played.state.factions, key=lambda faction: -played.score(faction.id)):
        table.add_row(faction.name, f"{played.score(faction.id):.3f}")
    return table


def _colored(state: str, text: str) -> str:
    return f"[{_COLORS[state]}]{text}[/]" if state in _COLORS else text


_SECTIONS: Final[dict[str, Callable[[Campaign], Table | str]]] = {
    "map": chart,
    "hubs": _hubs,
    "fleets": _fleets,
    "routes": _routes,
    "factions": _factions,
    "missions": _missions,
    "people": _people,
    "score": _scores,
}
