from collections.abc import Iterator
from pathlib import Path
from threading import Event

import httpx
import pytest

from diorama.runs.clock import SystemClock
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.run import train
from tests.runs.factories import empty_run, prospector, recorded
from tests.server.loopback import LoopbackServer, serving

TRAINED = "trained"
LONG = "long"


@pytest.fixture(scope="session")
def run_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with a run that was trained with the quick preset, and one of bots with a replay of several members."""
    root = tmp_path_factory.mktemp("runs")
    layers = [load_preset("prospector", "quick"), Layer(source="test", values={"world": "prospector"})]
    train(
        plan_training(settings_of(layers)),
        root,
        TRAINED,
        progress=NoProgress(),
        stop=Event(),
        clock=SystemClock(),
    )
    recorded(empty_run(root, LONG), bot="idle", venue=prospector(time_max=5000.0), max_steps=700)
    return root


@pytest.fixture(scope="session")
def server(run_root: Path) -> Iterator[LoopbackServer]:
    """A server over that root; nobody may write there."""
    with serving(run_root, follow_poll_seconds=0.05) as running:
        yield running


@pytest.fixture(scope="session")
def client(server: LoopbackServer) -> Iterator[httpx.Client]:
    """A client of that server."""
    with httpx.Client(base_url=server.base_url, timeout=30) as opened:
        yield opened
