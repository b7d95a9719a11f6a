"""`diorama morphogenesis duel`: a person grows one host, a controller the other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.morphogenesis.options import RunSettings, run_options
from diorama.cli.options import FormatOption, RunRootOption

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.controller.choices import Action
    from diorama.worlds.morphogenesis.engine.env import Env
    from diorama.worlds.morphogenesis.rounds.dueling import Duel, Standing

_HELP = """  an operation, its slot and its choices, as in
    GERMINATE r0c0 blueprint=conv_light style=linear_add tempo=fast
    ADVANCE r0c0        PRUNE r0c0 speed=fast        FOSSILIZE r0c0
    SET_ALPHA_TARGET r0c0 target=0.5 speed=medium curve=cosine
  nothing or WAIT waits; quit ends the duel"""


@run_options(envs=None, rounds=None)
def duel(
    settings: RunSettings,
    against: Annotated[
        str,
        typer.Option(
            metavar="CONTROLLER|RUN",
            help="rules, random, wait, grow_three, grow_norm or plant_norm, or a run, whose policy decides.",
        ),
    ] = "rules",
    by: Annotated[
        str | None,
        typer.Option(metavar="CONTROLLER|RUN", help="Who decides in your place, likewise.", show_default="you"),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Keep the duel under this new run, a replay for each side.", show_default="none"
        ),
    ] = None,
    run_root: RunRootOption = Path("runs"),
    time_limit: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds for a decision, then WAIT.", show_default="none")
    ] = None,
    form: FormatOption = "text",
) -> None:
    """Grow a host by hand against a controller or a policy: the same first weights, the same data, one control twin.

    Every epoch asks for a decision. The score is the gain over the twin in points, less 0.5·ln(1 + growth), where
    growth is the parameters of the seeds over those of the host. The page Watch shows two replays side by side.
    """
    from diorama.cli.morphogenesis.duel_records import PERSON, keep_duel
    from diorama.cli.morphogenesis.duelists import decider_named
    from diorama.cli.morphogenesis.playing import config_of, event_file
    from diorama.contracts.errors import ConfigError
    from diorama.worlds.morphogenesis.engine.event_stream import EventStream
    from diorama.worlds.morphogenesis.fast import engine_maker
    from diorama.worlds.morphogenesis.rounds.dueling import Duel

    config = config_of(settings)
    rival = decider_named(against, config, run_root)
    stand_in = None if by is None else decider_named(by, config, run_root)
    if record is not None and (run_root / record).exists():
        raise ConfigError(f"there is a run {record!r} in {run_root}; record the duel under a new name")
    with event_file(settings) as sinks:
        fought = Duel(
            config,
            engine_maker(settings.tier),
            rival,
            root_key=settings.root_key,
            stand_in=stand_in,
            events=EventStream(run="duel", sinks=sinks),
        )
        names = (PERSON if by is None else by, against)
        if form == "text":
            asked = f"; type\n{_HELP}" if by is None else ""
            typer.echo(f"{config.task}, {config.episode_epochs} epochs, {names[0]} against {against}{asked}")
        _play(fought, names, time_limit, is_quiet=form == "json", asks=by is None)
    kept = [] if record is None or not fought.taken else keep_duel(fought, names, run_root, record, tier=settings.tier)
    _tell_end(fought, names, as_json=form == "json", replays=kept)


def _play(fought: "Duel", names: tuple[str, str], time_limit: float | None, *, is_quiet: bool, asks: bool) -> None:
    from diorama.worlds.morphogenesis.controller.action_text import action_text

    slot_ids = fought.world.nursery.slots.slot_ids
    while fought.is_open:
        if not is_quiet:
            typer.echo(_scene(fought, names))
        action = _ask(fought, time_limit) if asks else fought.choose()
        if action is None:
            fought.world.end_early()
            return
        rivals = fought.decide(action)
        told = ((names[1], rivals),) if asks else ((names[0], action), (names[1], rivals))
        for name, decision in told if not is_quiet else ():
            typer.echo(f"  {name} decides {action_text(decision, slot_ids)}")


def _ask(fought: "Duel", time_limit: float | None) -> "Action | None":
    from diorama.contracts.errors import ConfigError
    from diorama.worlds.morphogenesis.controller.choices import WAIT

    while True:
        line = _line(time_limit)
        if line is None or line.strip() == "quit":
            return None
        words = line.split()
        try:
            return fought.read(words) if words else WAIT
        except ConfigError as error:
            typer.echo(f"  {error}", err=True)


def _line(time_limit: float | None) -> str | None:
    """Return a line; empty when the time is up, None when there are no more."""
    import select
    import sys

    typer.echo("> ", nl=False, err=True)
    if time_limit is not None and not select.select([sys.stdin], [], [], time_limit)[0]:
        typer.echo("time is up: WAIT", err=True)
        return ""
    return sys.stdin.readline() or None


def _scene(fought: "Duel", names: tuple[str, str]) -> str:
    mine, rivals = fought.standings
    width = max(len(name) for name in names)
    lines = [
        f"  {name:<{width}}  {_figures(standing)}  {_slots(env)}"
        for name, standing, env in zip(names, (mine, rivals), fought.world.envs, strict=True)
    ]
    return "\n".join((f"epoch {fought.epoch} of {fought.world.nursery.max_epochs}", *lines))


def _figures(standing: "Standing") -> str:
    gain = "—" if standing.gain_pp is None else f"{standing.gain_pp:+.1f}"
    score = "—" if standing.score is None else f"{standing.score:+.2f}"
    return f"{standing.accuracy_pct:5.1f}%  gain {gain:>6}  growth {standing.growth:5.2f}  score {score:>7}"


def _slots(env: "Env") -> str:
    from diorama.cli.morphogenesis.tables import NOTHING, SHORT_STAGES

    states = (slot.state for slot in env.growth.slots)
    return "  ".join(
        NOTHING
        if state is None
        else f"{SHORT_STAGES[state.stage]}:{state.blueprint.blueprint_id} {state.alpha.alpha:.0%}"
        for state in states
    )


def _tell_end(fought: "Duel", names: tuple[str, str], *, as_json: bool, replays: list[str]) -> None:
    import json
    from dataclasses import asdict

    mine, rivals = fought.standings
    if as_json:
        sides = {"you": mine, "rival": rivals}
        told = {name: {**asdict(side), "score": side.score} for name, side in sides.items()}
        played = {"by": names[0], "against": names[1], "epochs": fought.epoch, "replays": replays}
        typer.echo(json.dumps({**played, **told}, indent=1))
        return
    typer.echo(_scene(fought, names))
    if replays:
        typer.echo(f"kept as {' and '.join(replays)}")
    if mine.score is None or rivals.score is None:
        typer.echo("the control twin has failed: there is no score")
        return
    winner = names[0] if mine.score > rivals.score else names[1]
    verdict = "a draw" if mine.score == rivals.score else "you win" if winner == "you" else f"{winner} wins"
    typer.echo(f"{verdict}: {mine.score:+.2f} against {rivals.score:+.2f}")
