"""Windows and policy updates as TensorBoard scalars."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diorama.contracts.errors import ContractError, MissingExtra
from diorama.contracts.values import JsonObject
from diorama.telemetry.events import Event, PolicyUpdated, RunStarted, WindowClosed

if TYPE_CHECKING:
    from tensorboardX import SummaryWriter


class TensorboardSink:
    """Writes one event file per start of the run; the x-axis is `env_steps_total`."""

    name: Final = "tensorboard"

    def __init__(self, directory: Path) -> None:
        """Choose the directory; a file is opened in it when the run starts.

        Raises:
            MissingExtra: The library is not installed.
        """
        try:
            import tensorboardX  # noqa: F401
        except ImportError as error:
            raise MissingExtra.of("track", needed_for="logging for TensorBoard") from error
        self._directory = directory
        self._writer: SummaryWriter | None = None

    def receive(self, event: Event) -> None:
        """Write the numbers of a window or an update."""
        match event:
            case RunStarted():
                self._open(event)
            case WindowClosed():
                self._write("window", event.row, event.env_steps_total)
            case PolicyUpdated():
                self._write("ppo", asdict(event.report) | dict(event.extras), event.report.env_steps_total)

    def close(self) -> None:
        """Write what is left and close the file."""
        if self._writer is not None:
            self._writer.close()

    def _open(self, event: RunStarted) -> None:
        from tensorboardX import SummaryWriter

        # A resumed run repeats what came after its checkpoint; TensorBoard then hides the first telling.
        purge_step = event.env_steps_total + 1 if event.is_resumed else None
        self._writer = SummaryWriter(str(self._directory), purge_step=purge_step)

    def _write(self, group: str, values: JsonObject, env_steps_total: int) -> None:
        from tensorboardX.proto.summary_pb2 import Summary

        scalars = [
            Summary.Value(tag=f"{group}/{key}", simple_value=value)
            for key, value in values.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        ]
        # One event with all of them: an event each would cost milliseconds per update.
        self._started.file_writer.add_summary(Summary(value=scalars), env_steps_total)

    @property
    def _started(self) -> "SummaryWriter":
        if self._writer is None:
            raise ContractError("an event came before RUN_STARTED")
        return self._writer
