"""`diorama townlet scenario`: plays a scenario and says whether what it expects came about."""

from typing import Annotated

import typer

from diorama.cli.options import LineFormatOption

NOT_MET = 1


def _complete_scenario(incomplete: str) -> list[str]:
    from diorama.worlds.townlet.scenarios.loading import scenario_names

    return [name for name in (*scenario_names(), "all") if name.startswith(incomplete)]


def scenario(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A scenario by name, the path of a .yaml file, or 'all'.",
            show_default=False,
            autocompletion=_complete_scenario,
        ),
    ] = None,
    is_listed: Annotated[bool, typer.Option("--list", help="List the scenarios that ship with the town.")] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Luck of the town.", show_default="the scenario's own")
    ] = None,
    events: Annotated[bool, typer.Option("--events", help="Tell everything that happens.")] = False,
    write_golden: Annotated[
        bool, typer.Option("--write-golden", help="Keep the outcome as the one later runs are compared with.")
    ] = False,
    form: LineFormatOption = "text",
) -> None:
    """Play a scenario to its end and check what it expects.

    A scenario that ships with the town is also compared with its golden run: state hashes every 50 ticks, how often
    each event happened, and what every citizen earned. Exits 0 when everything holds, 1 when something does not, 2 on
    bad input.
    """
    from diorama.cli.townlet.playing import list_scenarios, play_scenarios
    from diorama.contracts.errors import ConfigError

    if is_listed:
        list_scenarios()
        return
    if name is None:
        raise ConfigError("name a scenario, or list them with --list")
    if not play_scenarios(name, seed=seed, events=events, write_golden=write_golden, as_json=form == "json"):
        raise typer.Exit(NOT_MET)
