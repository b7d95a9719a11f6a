"""`diorama morphogenesis inspect`: what a recorded file of events says."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.options import FormatOption
from diorama.contracts.errors import DocumentError


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A file of events.")],
    form: FormatOption = "text",
) -> None:
    """Tell what happened in a recorded run: episodes, seeds by blueprint, decisions, and events by kind.

    Lines that cannot be read are counted and told, never skipped in silence.
    """
    import json

    from diorama.cli.morphogenesis.tables import counts_table, number
    from diorama.cli.result_console import result_console
    from diorama.worlds.morphogenesis.rounds.recorded import read_recording

    recording = read_recording(file)
    if recording.lines == recording.malformed:
        raise DocumentError(f"{file}: none of its {recording.lines} lines is an event; --telemetry-file writes some")
    if form == "json":
        typer.echo(json.dumps(recording.to_json(), indent=1))
        return
    console = result_console()
    if recording.malformed:
        console.print(f"[yellow]note:[/] {recording.malformed} of {recording.lines} lines could not be read")
    console.print(
        counts_table(
            "episodes",
            ("group", "episodes", "accuracy", "gain", "params", "reward"),
            [
                (
                    group.group_id,
                    str(group.episodes),
                    number(group.mean_accuracy),
                    number(group.mean_gain, sign=True),
                    f"{group.mean_param_ratio:.2f}x",
                    number(group.mean_reward, 2, sign=True),
                )
                for group in recording.groups()
            ],
        )
    )
    console.print(
        counts_table(
            "seeds",
            ("blueprint", "planted", "permanent", "pruned", "success"),
            [
                (name, str(fate.planted), str(fate.permanent), str(fate.pruned), f"{fate.success:.0%}")
                for name, fate in recording.blueprints().items()
            ],
        )
    )
    if recording.phase_ms:
        lines = [(name, number(milliseconds, 2)) for name, milliseconds in recording.phases().items()]
        console.print(counts_table("phases of an epoch", ("phase", "ms"), lines))
    console.print(
        counts_table("events", ("kind", "count"), [(kind, str(count)) for kind, count in recording.counts.items()])
    )
