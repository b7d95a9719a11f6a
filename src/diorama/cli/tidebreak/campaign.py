"""`diorama tidebreak campaign`: play the strategic layer from the command line, one save file at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from diorama.cli.groups import command_group, examples
from diorama.cli.options import FormatOption
from diorama.contracts.errors import ConfigError, ContractError
from diorama.storage.artifact_files import read_named
from diorama.worlds.tidebreak.packages.documents import MAX_BYTES

if TYPE_CHECKING:
    from diorama.worlds.tidebreak.campaign import Campaign, DayReport

DEFAULT_FILE: Final = Path("campaign.json")
_SHOWN_ORDERS: Final = 60
_QUIET: Final = ("split", "dismiss", "goods")  # shown when asked for: there are many and they are rarely wanted

campaign_app = command_group()


@campaign_app.callback(
    epilog=examples(
        "diorama tidebreak campaign new --seed 7",
        "diorama tidebreak campaign report",
        "diorama tidebreak campaign orders move",
        "diorama tidebreak campaign order move fleet-1 narrows",
        "diorama tidebreak campaign day 5",
        "diorama tidebreak campaign battle --auto",
    )
)
def campaign() -> None:
    """Lead a faction day by day: food, fuel, governments, treaties, fleets, and battles fought in the arena.

    A campaign lives in one file (--file, campaign.json unless given); every command goes on from it. Look around with
    'report', see what you may do with 'orders', give an 'order', then let a 'day' pass. Six orders to fleets and two of
    policy are taken a day. When your ships meet an enemy the day stops: 'battle' shows the briefing and fights it.
    """


FileOption = Annotated[
    Path,
    typer.Option("--file", "-f", envvar="DIORAMA_CAMPAIGN", dir_okay=False, help="The campaign that is played."),
]


def _complete_scenario(incomplete: str) -> list[str]:
    from diorama.worlds.tidebreak.campaign import campaign_names

    return [name for name in campaign_names() if name.startswith(incomplete)]


@campaign_app.command(
    epilog=examples("diorama tidebreak campaign new", "diorama tidebreak campaign new two_powers --player dominion")
)
def new(
    scenario: Annotated[
        str, typer.Argument(help="Opening position.", autocompletion=_complete_scenario)
    ] = "two_powers",
    seed: Annotated[int, typer.Option(min=1, help="The same seed and orders give the same campaign.")] = 1,
    player: Annotated[str, typer.Option(help="Faction you lead; 'none' lets bots play all.")] = "accord",
    file: FileOption = DEFAULT_FILE,
    force: Annotated[bool, typer.Option("--force", help="Replace a campaign that is there already.")] = False,
) -> None:
    """Begin a campaign."""
    from diorama.cli.tidebreak.campaign_tables import show_overview
    from diorama.worlds.tidebreak.campaign import Campaign
    from diorama.worlds.tidebreak.campaign.scenarios import load_campaign_scenario

    if file.exists() and not force:
        raise ConfigError(f"{file} exists already; go on with it, name another --file, or replace it with --force")
    begun = Campaign(scenario, seed, None if player == "none" else player)
    begun.save(file)
    typer.echo(f"{load_campaign_scenario(scenario).summary}\n")
    show_overview(begun)
    typer.echo(f"Saved in {file}. Try 'orders' to see what you may do, and 'day' to let time pass.")


@campaign_app.command(
    epilog=examples("diorama tidebreak campaign day", "diorama tidebreak campaign day 30 --auto-battles")
)
def day(
    days: Annotated[int, typer.Argument(metavar="DAYS", min=1, help="How many days at most.")] = 1,
    auto_battles: Annotated[
        bool, typer.Option("--auto-battles", help="Let your own battles be fought by scripts without asking.")
    ] = False,
    autopilot: Annotated[bool, typer.Option("--autopilot", help="Let a bot lead your faction on these days.")] = False,
    no_stop: Annotated[
        bool, typer.Option("--no-stop", help="Go on although an offer, a crisis or a siege asks for an answer.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show news that do not concern you, too.")] = False,
    file: FileOption = DEFAULT_FILE,
    form: FormatOption = "text",
) -> None:
    """Let days pass and tell what happened; stops when a battle waits for you or something asks for an answer."""
    from diorama.worlds.tidebreak.campaign.telling.view import news_view

    played = _load(file)
    reports = _play(played, days, auto_battles=auto_battles, autopilot=autopilot, stops=not no_stop)
    played.save(file)
    if form == "json":
        news = [news_view(item) for report in reports for item in report.news]
        pending = reports[-1].pending
        typer.echo(json.dumps({"day": played.day, "news": news, "is_battle_pending": pending is not None}))
        return
    _tell(played, reports, everything=everything)


@campaign_app.command(
    epilog=examples(
        "diorama tidebreak campaign orders",
        "diorama tidebreak campaign orders move",
        "diorama tidebreak campaign orders build --all",
    )
)
def orders(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="Only orders whose line has all these words.", show_default=False),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=f"Show more than {_SHOWN_ORDERS}.")] = False,
    file: FileOption = DEFAULT_FILE,
    form: FormatOption = "text",
) -> None:
    """List what you may order now; the first column is what 'order' takes."""
    from diorama.cli.tidebreak.campaign_tables import show_orders
    from diorama.worlds.tidebreak.campaign.telling.view import order_view

    played = _load(file)
    legal = played.orders()
    wanted = [word.lower() for word in words or []]
    if not wanted and not everything and form == "text":
        legal = [order for order in legal if order.verb.value not in _QUIET]
    found = [order for order in legal if all(word in f"{order.code} {order.text}".lower() for word in wanted)]
    if form == "json":
        typer.echo(json.dumps([order_view(order) for order in found], indent=2))
        return
    if played.pending_battle is not None:
        raise ContractError("a battle waits: 'diorama tidebreak campaign battle' shows and fights it")
    show_orders(played, found, limit=len(found) if everything else _SHOWN_ORDERS, has_filter=bool(wanted))


@campaign_app.command(
    epilog=examples(
        "diorama tidebreak campaign order move fleet-1 narrows",
        "diorama tidebreak campaign order propose new_providence BUILD corvette",
        "diorama tidebreak campaign order goods route-1 out FOOD 300",
    )
)
def order(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="An order as 'orders' lists it.")],
    file: FileOption = DEFAULT_FILE,
) -> None:
    """Give an order, written as 'orders' lists it.

    To fleets (six a day): move, stance, split, merge, mission, invade. Of policy (two a day): propose, press (propose
    and spend political capital if votes are missing), offer, covert. Free: accept, decline, goods, siege, dismiss.
    """
    from diorama.worlds.tidebreak.campaign.orders import Budget, orders_left

    played = _load(file)
    done = played.submit(" ".join(words))
    played.save(file)
    left = [orders_left(played.state, budget) for budget in (Budget.FLEET, Budget.POLICY)]
    typer.echo(f"{done[0].upper()}{done[1:]}. Orders left today: {left[0]} to fleets, {left[1]} of policy.")


@campaign_app.command(
    epilog=examples(
        "diorama tidebreak campaign battle",
        "diorama tidebreak campaign battle --auto",
        "diorama tidebreak campaign battle --package battle.json",
        "diorama tidebreak campaign battle --result result.json",
    )
)
def battle(
    auto: Annotated[bool, typer.Option("--auto", help="Let scripts fight it.")] = False,
    script: Annotated[
        str | None, typer.Option(metavar="NAME", help="Script of your ships, such as kiter; fights it, too.")
    ] = None,
    package: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Write the battle package, to fight it elsewhere."),
    ] = None,
    result: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Apply a result that was fought elsewhere.")
    ] = None,
    file: FileOption = DEFAULT_FILE,
) -> None:
    """Show the battle that waits, fight it, or hand it over."""
    from diorama.worlds.tidebreak.packages import read_result

    played = _load(file)
    pending = played.pending_battle
    if pending is None:
        raise ContractError("no battle waits; 'day' goes on")
    if package is not None:
        package.write_text(pending.package.model_dump_json(indent=2) + "\n", encoding="utf-8")
        typer.echo(f"{package}: fight it with 'diorama tidebreak fight', then 'battle --result'")
        return
    typer.echo(pending.briefing)
    if result is not None:
        report = played.apply(read_result(read_named(result, most_bytes=MAX_BYTES)))
    elif auto or script is not None:
        own = [ship.ship_id for ship in pending.package.ships if ship.team_id == pending.side]
        name = None if script is None else script if script.startswith("script:") else f"script:{script}"
        report = played.auto({} if name is None else dict.fromkeys(own, name))
    else:
        typer.echo("\nFight it with --auto or --script NAME, or take it elsewhere with --package and --result.")
        return
    played.save(file)
    _tell(played, [report], everything=False)


@campaign_app.command(epilog=examples("diorama tidebreak campaign save before-the-war.json"))
def save(
    target: Annotated[Path, typer.Argument(dir_okay=False, help="Where to keep a copy.")],
    file: FileOption = DEFAULT_FILE,
) -> None:
    """Keep a copy of the campaign as it stands."""
    played = _load(file)
    played.save(target)
    typer.echo(f"{target}: day {played.day} of {played.state.last_day}")


@campaign_app.command(epilog=examples("diorama tidebreak campaign load before-the-war.json"))
def load(
    source: Annotated[Path, typer.Argument(dir_okay=False, help="A copy that was kept.")],
    file: FileOption = DEFAULT_FILE,
) -> None:
    """Go on from a copy that was kept; the future is as if it had never been saved."""
    played = _load(source)
    played.save(file)
    typer.echo(f"{file}: day {played.day} of {played.state.last_day}, from {source}")


@campaign_app.command(
    epilog=examples(
        "diorama tidebreak campaign report",
        "diorama tidebreak campaign report new_providence",
        "diorama tidebreak campaign report news --day 12",
        "diorama tidebreak campaign report why 57",
    )
)
def report(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHAT]",
            help="Nothing for the overview; or map, hubs, fleets, routes, factions, missions, people, news, score, "
            "'why NUMBER' for the causes of a piece of news, or the id of a hub or fleet.",
            show_default=False,
        ),
    ] = None,
    on_day: Annotated[int | None, typer.Option("--day", min=0, help="News of this day.", show_default=False)] = None,
    file: FileOption = DEFAULT_FILE,
    form: FormatOption = "text",
) -> None:
    """Show how things stand: map, supplies, fleets, politics, news and their causes."""
    if on_day is not None and what != ["news"]:
        raise ConfigError(f"--day {on_day} goes with news alone: report news --day {on_day}")
    from diorama.cli.tidebreak.campaign_tables import show_report
    from diorama.worlds.tidebreak.campaign import campaign_view

    played = _load(file)
    if form == "json":
        typer.echo(json.dumps(campaign_view(played), indent=2))
        return
    show_report(played, what or ["overview"], day=on_day)


def _load(file: Path) -> Campaign:
    from diorama.worlds.tidebreak.campaign import Campaign

    if not file.exists():
        raise ConfigError(f"{file}: there is no campaign; begin one with 'diorama tidebreak campaign new'")
    return Campaign.load(file)


def _play(played: Campaign, days: int, *, auto_battles: bool, autopilot: bool, stops: bool) -> list[DayReport]:
    """Play up to so many days, one at a time, so that something new to answer can stop them."""
    from diorama.worlds.tidebreak.campaign.telling.attention import concerns

    reports: list[DayReport] = []
    played_days = 0
    while played_days < days and (not reports or reports[-1].ending is None):
        known = {concern.key for concern in concerns(played.state)}
        reports.append(played.advance(autopilot=autopilot))
        while reports[-1].pending is not None and auto_battles:
            reports.append(played.auto())
        if reports[-1].pending is not None:
            break
        played_days += 1
        if stops and not autopilot and any(concern.key not in known for concern in concerns(played.state)):
            break
    return reports


def _tell(played: Campaign, reports: Sequence[DayReport], *, everything: bool) -> None:
    from diorama.cli.tidebreak.campaign_tables import show_concerns, show_news

    player, last = played.state.player, reports[-1]
    news = [item for report in reports for item in report.news]
    show_news(played, [item for item in news if everything or player is None or player in item.factions])
    show_concerns(played)
    if last.pending is not None:
        typer.echo(
            f"\n{last.pending.briefing}\n\nA battle waits: 'diorama tidebreak campaign battle --auto' fights it."
        )
    elif last.ending is None:
        typer.echo(f"It is the evening of day {played.day} of {played.state.last_day}.")
    if last.ending is not None:
        winner = last.ending.winner
        name = "nobody" if winner is None else f"the {played.state.faction(winner).name}"
        typer.echo(f"\nThe campaign is over: {last.ending.reason}. First place: {name}.")
