"""The command group; what it does is loaded when it is asked for."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.destinations import checked_destination
from diorama.cli.groups import command_group, examples
from diorama.cli.options import FormatName, TierOption
from diorama.cli.tidebreak.campaign import campaign_app

BAD_INPUT = 2
DIFFERENT = 1

tidebreak_app = command_group()
tidebreak_app.add_typer(campaign_app, name="campaign")


def _complete_battle(incomplete: str) -> list[str]:
    from diorama.worlds.tidebreak.scenarios.named import scenario_names

    return [name for name in scenario_names() if name.startswith(incomplete)]


@tidebreak_app.callback(
    epilog=examples(
        "diorama tidebreak fight battle.json --out runs/first-battle",
        "diorama tidebreak fight corvette_duel --controllers blue-1=kiter --seed 7",
        "diorama tidebreak diff runs/first-battle runs/second-battle",
    )
)
def tidebreak() -> None:
    """Fight battles from files, compare them, and play whole campaigns."""


@tidebreak_app.command(
    epilog=examples(
        "diorama tidebreak fight battle.json",
        "diorama tidebreak fight battle.json --controllers acc-corvette-1=aggressor@0.8 --out runs/demo",
        "diorama replay verify demo && diorama serve",
    )
)
def fight(
    package: Annotated[
        str,
        typer.Argument(
            metavar="PACKAGE",
            help="A battle package as JSON, or the name of a stored scenario.",
            autocompletion=_complete_battle,
        ),
    ],
    controllers: Annotated[
        list[str] | None,
        typer.Option(
            "--controllers",
            metavar="SHIP=SCRIPT",
            help="Who commands a ship, such as blue-1=kiter or blue-1=aggressor@0.6. Repeatable.",
            show_default="auto for every ship",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Luck of the battle instead of the package's own seed.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            file_okay=False,
            help="Write result.json and a replay into this new directory; it is a run that can be served and verified.",
            show_default=False,
            callback=checked_destination,
        ),
    ] = None,
    tier: TierOption = "auto",
    events: Annotated[int, typer.Option(min=0, help="Lines of the timeline.")] = 30,
    form: Annotated[FormatName, typer.Option("--format", help="How to print it; json is the battle result.")] = "text",
) -> None:
    """Fight a battle to its end with scripts, and report what became of everybody.

    Exits 2 with one line per mistake when the package is wrong; nothing is written then.
    """
    from diorama.cli.tidebreak.fighting import FightRequest, hold_fight
    from diorama.cli.tidebreak.report import print_report
    from diorama.worlds.tidebreak.packages.problems import PackageError

    request = FightRequest(package=package, controllers=tuple(controllers or ()), seed=seed, out=out, tier=tier)
    try:
        fought = hold_fight(request)
    except PackageError as error:
        for problem in error.errors:
            typer.echo(f"diorama: {package}: {problem}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    if form == "json":
        typer.echo(fought.result.model_dump_json(indent=2))
    else:
        print_report(fought, timeline=events)


@tidebreak_app.command(
    epilog=examples(
        "diorama tidebreak diff runs/first-battle runs/second-battle",
        "diorama tidebreak diff runs/a/result.json runs/b/result.json",
    )
)
def diff(
    first: Annotated[Path, typer.Argument(metavar="A", help="A run, a replay (.jsonl.gz) or a battle result (.json).")],
    second: Annotated[Path, typer.Argument(metavar="B", help="What it is compared with, of the same kind.")],
    limit: Annotated[int, typer.Option(min=1, help="How many differences are shown.")] = 10,
    tier: TierOption = "auto",
) -> None:
    """Say where two battles part: the first tick, and what differs there.

    Exits 0 when they are the same, 1 when they differ, 2 on bad input.
    """
    from diorama.cli.tidebreak.differing import compare

    comparison = compare(first, second, tier=tier)
    typer.echo(comparison.headline)
    for difference in comparison.differences[:limit]:
        typer.echo(f"  {difference}")
    if len(comparison.differences) > limit:
        typer.echo(f"  and {len(comparison.differences) - limit} more")
    if comparison.is_different:
        raise typer.Exit(DIFFERENT)
