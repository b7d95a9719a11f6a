"""`diorama morphogenesis heuristic`, `random` and `schedule`: rounds without a learned policy."""

from typing import Annotated

import typer

from diorama.cli.morphogenesis.options import RunSettings, ViewName, ViewOption, run_options
from diorama.cli.options import FormatOption


@run_options(envs=4, rounds=1)
def heuristic(settings: RunSettings, view: ViewOption = "none", form: FormatOption = "text") -> None:
    """Let the rules decide: plant when a host has settled, keep what helps, remove what hurts.

    Gains are points of accuracy over the control twin, a host with the same first weights and data that never grows;
    the late gain is the mean of the last ten epochs. Exits 3 where the data of the task is missing.
    """
    _play_and_print(settings, "rules", view=view, as_json=form == "json")


@run_options(envs=4, rounds=1)
def random(settings: RunSettings, view: ViewOption = "none", form: FormatOption = "text") -> None:
    """Let chance decide, among what is valid."""
    _play_and_print(settings, "random", view=view, as_json=form == "json")


@run_options(envs=4, rounds=1)
def schedule(
    settings: RunSettings,
    name: Annotated[
        str,
        typer.Argument(
            metavar="SCHEDULE",
            help="grow_three, grow_norm, plant_norm, or a file: one line per action, its epoch first.",
        ),
    ] = "grow_three",
    view: ViewOption = "none",
    form: FormatOption = "text",
) -> None:
    """Grow by the clock: the same operations at the same epochs in every env.

    A line of a file reads like `4 GERMINATE r0c0 blueprint=conv_light`; what stands behind # counts nothing.
    """
    from pathlib import Path

    from diorama.contracts.errors import UnknownName
    from diorama.worlds.morphogenesis.controller.schedules import SCHEDULES

    if name not in SCHEDULES and not Path(name).is_file():
        raise UnknownName.among("schedule", name, SCHEDULES)
    _play_and_print(settings, name, view=view, as_json=form == "json")


def _play_and_print(settings: RunSettings, controller: str, *, view: ViewName, as_json: bool) -> None:
    import json

    from diorama.cli.morphogenesis.playing import config_of, play
    from diorama.cli.morphogenesis.tables import counts_table, episode_table, run_json
    from diorama.cli.progress import progress_bar
    from diorama.cli.result_console import result_console

    config = config_of(settings)
    if view == "terminal":
        from diorama.cli.morphogenesis.watching import play_in_terminal

        run = play_in_terminal(settings, controller)
    else:
        with progress_bar(controller, settings.rounds * config.episode_epochs) as advance:
            run = play(settings, controller, group_id="default", advance=advance)
    if as_json:
        typer.echo(json.dumps(run_json(run, config.model_dump(mode="json")), indent=1))
        return
    console = result_console()
    console.print(
        f"{config.task}: {settings.envs} envs, {config.episode_epochs} epochs, slots {', '.join(config.slot_ids)}, "
        f"reward {config.reward_mode}, root key {settings.root_key}"
    )
    console.print(episode_table(run, config.slot_ids))
    lines = [
        (op, str(count), str(run.tally.successes[op]), str(run.tally.failures[op]))
        for op, count in run.tally.action_counts.items()
        if count
    ]
    console.print(counts_table("decisions", ("operation", "chosen", "done", "refused"), lines))
