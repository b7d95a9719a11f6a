"""One hub or one fleet in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from diorama.worlds.tidebreak.campaign import Campaign
    from diorama.worlds.tidebreak.campaign.state import Fleet, Hub


def hub_detail(console: Console, played: Campaign, hub: Hub) -> None:
    """Print stores with where they come from and go, politics, yards and plants."""
    government = hub.government
    governor = played.state.find_person(hub.governor)
    console.print(
        f"[bold]{hub.name}[/], {hub.kind.lower().replace('_', ' ')} of {hub.owner}: {hub.population:,.0f} people, "
        f"prosperity {hub.prosperity:+.2f}, governor {governor.name if governor is not None else 'none'}"
    )
    console.print(_stores(hub))
    console.print(
        f"Government: {government.kind.lower().replace('_', ' ')}, legitimacy {government.legitimacy:.2f}, "
        f"ruled by the {government.ruling.lower()}, political capital {government.capital:.0f}"
    )
    console.print(_blocs(hub))
    for decision in government.queue:
        ready = "waits its turn" if decision.ready_day is None else f"is decided on day {decision.ready_day}"
        target = "" if decision.target is None else f" {decision.target}"
        console.print(f"Question: {decision.kind}{target} {ready}")
    for crisis in hub.crises:
        console.print(f"[red]Crisis: {crisis.kind.lower()}, answer it before day {crisis.deadline_day}[/]")
    for build in hub.builds:
        stand = f"{build.days_left:.0f} days left" if build.is_begun else "waits for materials"
        console.print(f"Yard: {build.class_id.replace('_', ' ')}, {stand}")
    plants = ", ".join(f"{chain} {batches:.0f}" for chain, batches in hub.facilities.items())
    console.print(f"Plants (batches a day): {plants}; yard level {hub.yard_level}")


def fleet_detail(console: Console, played: Campaign, fleet: Fleet) -> None:
    """Print a fleet's stores and every ship."""
    from diorama.worlds.tidebreak.campaign.fleets.readiness import resource_days
    from diorama.worlds.tidebreak.campaign.fleets.strength import marines_of
    from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS

    state = played.state
    stores = ", ".join(
        f"{r.lower()} {fleet.supply[r]:,.0f} ({resource_days(state, fleet, r):.0f} days at sea)" for r in FLEET_NEEDS
    )
    console.print(f"[bold]{fleet.name}[/] ({fleet.id}) of {fleet.owner}, stance {fleet.stance.lower()}: {stores}")
    table = Table(box=SIMPLE)
    for heading in ("ship", "name", "class", "hull", "crew", "ammunition", "fatigue", "marines", "captain"):
        table.add_column(heading)
    for ship in state.ships_of(fleet):
        captain = state.find_person(ship.captain)
        table.add_row(
            ship.id,
            ship.name,
            ship.class_id.replace("_", " "),
            f"{ship.hp_share:.0%}",
            f"{ship.crew_share:.0%}",
            f"{ship.ammo_share:.0%}",
            f"{ship.fatigue:.2f}",
            str(marines_of(ship)),
            "-" if captain is None else captain.name,
        )
    console.print(table)


def _stores(hub: Hub) -> Table:
    from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
    from diorama.worlds.tidebreak.campaign.kinds import Flow, Resource

    table = Table(box=SIMPLE)
    for heading in ("resource", "stock", "days", "made", "processed", "used", "spoiled", "spent", "by ship"):
        table.add_column(heading, justify="left" if heading == "resource" else "right")
    for resource in Resource:
        flows = {flow: hub.flows.get(flow, {}).get(resource, 0.0) for flow in Flow}
        gained = flows[Flow.PRODUCED] + flows[Flow.FOUND]
        used = [flows[flow] for flow in (Flow.PROCESSED, Flow.CONSUMED, Flow.DECAYED, Flow.SPENT)]
        carried = hub.stock[resource] - hub.opening[resource] - gained + sum(used) + flows[Flow.LOST]
        has_need = daily_need(hub, resource) > 0.0
        table.add_row(
            resource.lower(),
            f"{hub.stock[resource]:,.0f}",
            f"{hub.days[resource]:.0f} {hub.status[resource].lower()}" if has_need else "-",
            f"{gained:+,.0f}",
            *(f"{-amount:,.0f}" if amount else "-" for amount in used),
            f"{carried:+,.0f}",
        )
    return table


def _blocs(hub: Hub) -> Table:
    table = Table(box=SIMPLE)
    for heading in ("current of opinion", "share", "satisfaction", "radicalization"):
        table.add_column(heading, justify="left" if heading == "current of opinion" else "right")
    for bloc in hub.blocs:
        table.add_row(bloc.kind.lower(), f"{bloc.share:.0%}", f"{bloc.satisfaction:.2f}", f"{bloc.radicalization:.2f}")
    return table
