"""`diorama morphogenesis duel`: a person grows one host, a controller the other."""

from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.morphogenesis.options import JsonOption, RunSettings, run_options

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
        str, typer.Option(metavar="CONTROLLER", help="rules, random, wait, grow_three, grow_norm or plant_norm.")
    ] = "rules",
    time_limit: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds for a decision, then WAIT.", show_default="none")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Grow a host by hand against a controller: the same first weights, the same data, one control twin.

    Every epoch asks for a decision. The score is the gain over the twin in points, less 0.5·ln(1 + growth), where
    growth is the parameters of the seeds over those of the host.
    """
    from diorama.cli.morphogenesis.playing import config_of, event_file, exit_codes
    from diorama.worlds.morphogenesis.engine.event_stream import EventStream
    from diorama.worlds.morphogenesis.fast import engine_maker
    from diorama.worlds.morphogenesis.rounds.controllers import check_controller
    from diorama.worlds.morphogenesis.rounds.dueling import Duel

    check_controller(against)
    config = config_of(settings)
    with exit_codes(), event_file(settings) as sinks:
        fought = Duel(
            config,
            engine_maker(settings.tier),
            against,
            root_key=settings.root_key,
            events=EventStream(run="duel", sinks=sinks),
        )
        if not json:
            typer.echo(f"{config.task}, {config.episode_epochs} epochs, against {against}; type\n{_HELP}")
        _play(fought, against, time_limit, is_quiet=json)
    _tell_end(fought, against, as_json=json)


def _play(fought: "Duel", against: str, time_limit: float | None, *, is_quiet: bool) -> None:
    from diorama.worlds.morphogenesis.controller.action_text import action_text

    slot_ids = fought.world.nursery.slots.slot_ids
    while fought.is_open:
        if not is_quiet:
            typer.echo(_scene(fought, against))
        action = _ask(fought, time_limit)
        if action is None:
            fought.world.end_early()
            return
        rivals = fought.decide(action)
        if not is_quiet:
            typer.echo(f"  {against} decides {action_text(rivals, slot_ids)}")


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


def _scene(fought: "Duel", against: str) -> str:
    mine, rivals = fought.standings
    names = ("you", against)
    width = max(len(name) for name in names)
    lines = [
        f"  {name:<{width}}  {_figures(standing)}  {_slots(env)}"
        for name, standing, env in zip(names, (mine, rivals), fought.world.envs, strict=True)
    ]
    return "\n".join((f"epoch {fought.epoch} of {fought.world.nursery.max_epochs}", *lines))


def _figures(standing: "Standing") -> str:
    gain = "—" if standing.gain_pp is None else f"{standing.gain_pp:+.1f}"
    score = "—" if standing.score is None else f"{standing.score:+.2f}"
    return f"{standing.accuracy_pct:5.1f} %  gain {gain:>6}  growth {standing.growth:5.2f}  score {score:>7}"


def _slots(env: "Env") -> str:
    from diorama.cli.morphogenesis.tables import NOTHING, SHORT_STAGES

    states = (slot.state for slot in env.growth.slots)
    return "  ".join(
        NOTHING
        if state is None
        else f"{SHORT_STAGES[state.stage]}:{state.blueprint.blueprint_id} {state.alpha.alpha:.0%}"
        for state in states
    )


def _tell_end(fought: "Duel", against: str, *, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    mine, rivals = fought.standings
    if as_json:
        sides = {"you": mine, "rival": rivals}
        told = {name: {**asdict(side), "score": side.score} for name, side in sides.items()}
        typer.echo(json.dumps({"against": against, "epochs": fought.epoch, **told}, indent=1))
        return
    typer.echo(_scene(fought, against))
    if mine.score is None or rivals.score is None:
        typer.echo("the control twin has failed: there is no score")
        return
    verdict = "a draw" if mine.score == rivals.score else "you win" if mine.score > rivals.score else f"{against} wins"
    typer.echo(f"{verdict}: {mine.score:+.2f} against {rivals.score:+.2f}")
