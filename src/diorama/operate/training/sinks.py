"""The telemetry sinks that settings ask for."""

from diorama.operate.training.settings import TelemetrySettings
from diorama.runs.layout import RunLayout
from diorama.telemetry.jsonl_sink import EVENTS_FILE, JsonlSink
from diorama.telemetry.ppo.ndjson_sink import PpoNdjsonSink
from diorama.telemetry.sinks import Sink
from diorama.telemetry.tensorboard_sink import TensorboardSink
from diorama.telemetry.wandb_sink import WandbMode, WandbSettings, WandbSink

_PPO_FILE = "ppo.ndjson"
_TENSORBOARD = "tensorboard"


def make_sinks(settings: TelemetrySettings, layout: RunLayout, *, learns: bool) -> list[Sink]:
    """Return the sinks; none of them writes before the run starts.

    Raises:
        MissingExtra: A library is not installed.
    """
    sinks: list[Sink] = []
    if settings.jsonl:
        sinks.append(JsonlSink(layout.telemetry / EVENTS_FILE))
    if settings.ppo_ndjson and learns:
        sinks.append(PpoNdjsonSink(layout.telemetry / _PPO_FILE))
    if settings.tensorboard:
        sinks.append(TensorboardSink(layout.telemetry / _TENSORBOARD))
    if settings.wandb_mode is not WandbMode.DISABLED:
        sinks.append(
            WandbSink(
                WandbSettings(mode=settings.wandb_mode, run_directory=layout.directory, project=settings.wandb_project)
            )
        )
    return sinks
