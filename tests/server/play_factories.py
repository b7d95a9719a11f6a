"""What tests of play start from."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from diorama.contracts.config import parse_config
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.learn.policies.policy import Policy
from diorama.server.play.limits import PlayLimits
from diorama.server.play.service import PlayService
from diorama.server.play.session import Session
from diorama.server.play.setting import Setting
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import empty_run
from tests.runs.kept_policies import keep_untrained

HOLD, CASH_OUT, SELL_IRON = 6, 68, 43


class ManualClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.at_seconds = 1000.0

    def now(self) -> datetime:
        return datetime(2031, 5, 6, tzinfo=UTC) + timedelta(seconds=self.at_seconds)

    def seconds(self) -> float:
        return self.at_seconds


def belt_session(*, seed: int = 7, limits: PlayLimits | None = None, **config: object) -> Session:
    setting = Setting(venue=open_venue("prospector", config, threads=1), seat=0, others=None)
    return Session(setting, seed, limits or PlayLimits())


def toy_setting(world: World[Any], *, seat: int = 0, others: str | None = None, **config: object) -> Setting:
    venue = Venue(world=world, config=parse_config(world.id, world.config_type, config), threads=1)
    return Setting(venue=venue, seat=seat, others=None if others is None else bot_contender(world, others))


def play_service(root: Path, clock: ManualClock, **limits: int | float) -> PlayService:
    return PlayService(RunShelf(root), PlayLimits(**limits), clock)  # type: ignore[arg-type]


def keep_policy(root: Path, run_id: str, spec: WorldSpec, arch: str, *, window_id: int = 0) -> Policy:
    """Write a policy with random weights as the checkpoint of a run, which is made if there is none."""
    layout = RunShelf(root).find(run_id) if (root / run_id).is_dir() else empty_run(root, run_id)
    return keep_untrained(layout, spec, arch, window_id=window_id, seed=5 + window_id, actor_gain=1.0)


def opened(client: httpx.Client, **body: object) -> dict[str, Any]:
    """Open a session over HTTP and return its state."""
    answer = client.post("/api/play/session", json=body)
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state


def stepped(client: httpx.Client, session_id: str, action: object) -> httpx.Response:
    return client.post(f"/api/play/session/{session_id}/step", json={"action": action})
