"""`diorama morphogenesis ab`: controllers or reward modes side by side, and the control cohorts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.morphogenesis.options import RunSettings, run_options
from diorama.cli.options import FormatOption, RunRootOption

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
    from diorama.worlds.morphogenesis.rounds.cohorts import CohortReport


@run_options(envs=2, rounds=5)
def ab(
    settings: RunSettings,
    controllers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CONTROLLER|RUN]...",
            help="Two or more of rules, grow_three, grow_norm, plant_norm, random and wait, and of runs, whose "
            "policies decide; the first is group A.",
            show_default="wait rules",
        ),
    ] = None,
    cohorts: Annotated[
        bool,
        typer.Option(
            "--control-cohorts",
            help="Hold one controller against hosts that never grow and hosts grown from the start.",
        ),
    ] = False,
    dual_ab: Annotated[
        str | None,
        typer.Option(
            "--dual-ab",
            metavar="PAIR",
            help="Train a policy under each of two reward modes instead, such as shaped-vs-simplified.",
        ),
    ] = None,
    run_root: RunRootOption = Path("runs"),
    form: FormatOption = "text",
) -> None:
    """Compare controllers, policies or reward modes on the same first weights and data, round by round and env by env.

    Differences have a 95% interval from a paired bootstrap. With the control cohorts one controller is judged: growth
    helps where it beats hosts that never grow and is no more than a point behind hosts that had its final topology from
    the first epoch; ten pairs are needed to say so. With two reward modes a policy learns under each of them, one round
    of each in turn.
    """
    from diorama.contracts.errors import ConfigError

    if dual_ab is not None:
        if cohorts or controllers:
            raise ConfigError("--dual-ab compares policies that learn; leave out controllers and --control-cohorts")
        _compare_modes(settings, dual_ab, as_json=form == "json")
        return
    if cohorts:
        if controllers is not None and len(controllers) > 1:
            raise ConfigError(f"the control cohorts judge one controller, not {', '.join(controllers)}")
        _judge(settings, "grow_norm" if not controllers else controllers[0], run_root, as_json=form == "json")
        return
    compared = controllers or ["wait", "rules"]
    if len(compared) < 2:
        raise ConfigError(f"a comparison needs two controllers or more, not {', '.join(compared)} alone")
    _compare(settings, compared, run_root, as_json=form == "json")


def _compare(settings: RunSettings, controllers: list[str], run_root: Path, *, as_json: bool) -> None:
    from diorama.cli.morphogenesis.duelists import decider_named
    from diorama.cli.morphogenesis.playing import config_of, play
    from diorama.cli.progress import progress_bar
    from diorama.worlds.morphogenesis.comparison.groups import group_id

    config = config_of(settings)
    deciders = [decider_named(name, config, run_root) for name in controllers]
    total = len(controllers) * settings.rounds * config.episode_epochs
    with progress_bar("comparison", total) as advance:
        runs = [
            play(settings, name, group_id=group_id(place), decider=decider, advance=advance)
            for place, (name, decider) in enumerate(zip(controllers, deciders, strict=True))
        ]
    _report(settings, [(run.controller, run.results) for run in runs], called="controller", as_json=as_json)


def _compare_modes(settings: RunSettings, pair: str, *, as_json: bool) -> None:
    from diorama.cli.morphogenesis.playing import config_of
    from diorama.cli.morphogenesis.reward_groups import learn_side_by_side
    from diorama.cli.progress import progress_bar
    from diorama.worlds.morphogenesis.comparison.groups import pair_named

    pair_named(pair)
    total = 2 * settings.rounds * config_of(settings).episode_epochs
    with progress_bar("reward modes", total) as advance:
        found = learn_side_by_side(settings, pair, advance=advance)
    _report(settings, found, called="reward_mode", as_json=as_json)


def _report(
    settings: RunSettings, found: "list[tuple[str, list[EpisodeResult]]]", *, called: str, as_json: bool
) -> None:
    import json
    from dataclasses import asdict

    from diorama.cli.morphogenesis.tables import group_table
    from diorama.cli.result_console import result_console
    from diorama.worlds.morphogenesis.comparison.groups import group_id
    from diorama.worlds.morphogenesis.comparison.summary import summarize
    from diorama.worlds.morphogenesis.streams import Streams

    streams, first = Streams(settings.root_key), found[0][1]
    groups = [
        (name, summarize(group_id(place), results, streams.open("bootstrap", place), baseline=first if place else None))
        for place, (name, results) in enumerate(found)
    ]
    if as_json:
        typer.echo(json.dumps([{called: name, **asdict(group)} for name, group in groups], indent=1))
        return
    result_console().print(group_table(groups, called=called.replace("_", " ")))


def _judge(settings: RunSettings, controller: str, run_root: Path, *, as_json: bool) -> None:
    import json

    from diorama.cli.morphogenesis.duelists import decider_named
    from diorama.cli.morphogenesis.playing import config_of, event_file
    from diorama.cli.progress import progress_bar
    from diorama.worlds.morphogenesis.fast import engine_maker
    from diorama.worlds.morphogenesis.rounds.cohorts import COHORT_COUNT, CohortPlan, run_cohorts

    config = config_of(settings)
    decider = decider_named(controller, config, run_root)
    total = COHORT_COUNT * settings.rounds * config.episode_epochs
    with event_file(settings) as sinks, progress_bar("cohorts", total) as advance:
        plan = CohortPlan(
            config=config,
            make_engine=engine_maker(settings.tier),
            envs=settings.envs,
            root_key=settings.root_key,
            rounds=settings.rounds,
            source=decider,
            sinks=sinks,
            advance=advance,
        )
        report = run_cohorts(plan)
    if as_json:
        typer.echo(json.dumps(_report_document(report), indent=1))
    else:
        _print_report(report, controller)


def _report_document(report: "CohortReport") -> "dict[str, object]":
    from dataclasses import asdict

    verdict = report.verdict
    return {
        "verdict": verdict.state.value,
        "reason": verdict.reason,
        "over_initial": None if verdict.over_initial is None else asdict(verdict.over_initial),
        "over_final": None if verdict.over_final is None else asdict(verdict.over_final),
        "manifests_match": report.manifests_match,
        "cohorts": {cohort.value: [asdict(episode) for episode in found] for cohort, found in report.cohorts.items()},
    }


def _print_report(report: "CohortReport", controller: str) -> None:
    from statistics import fmean

    from diorama.cli.morphogenesis.tables import counts_table, interval, number
    from diorama.cli.result_console import result_console

    verdict = report.verdict
    lines = [
        (
            cohort.value,
            str(len(found)),
            number(fmean(episode.final_accuracy for episode in found)),
            f"{fmean(episode.param_ratio for episode in found):.2f}x",
            str(sum(episode.num_fossilized for episode in found)),
        )
        for cohort, found in report.cohorts.items()
    ]
    console = result_console()
    console.print(counts_table("control cohorts", ("cohort", "episodes", "accuracy", "params", "permanent"), lines))
    console.print(f"{controller} against static_initial: {interval(verdict.over_initial)}")
    console.print(f"{controller} against static_final: {interval(verdict.over_final)}")
    console.print(f"[bold]{verdict.state.value}[/]: {verdict.reason}")
