"""Live worlds for tests: quiet unless told otherwise, in a folder of their own."""

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from diorama.contracts.config import parse_config
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.telemetry import Telemetry, Transport
from diorama.operate.console.callers import Caller
from diorama.operate.live.runtime import LiveRuntime
from diorama.worlds.registry import load_world

OPERATOR = Caller.local("olga")
QUIET = LiveSettings(telemetry=Telemetry(transport=Transport(type="none")))


def open_live_world(
    root: Path,
    world: str = "prospector",
    *,
    config: dict[str, object] | None = None,
    settings: LiveSettings | None = QUIET,
    **more: Any,
) -> LiveRuntime:
    """Open a world that goes as fast as it can."""
    registered = load_world(world)
    parsed = parse_config(world, registered.config_type, config)
    return LiveRuntime.open(registered, parsed, root=root, settings=settings, **{"speed": "max", **more})


def submit(runtime: LiveRuntime, name: str, *args: object, cmd_id: str | None = None) -> Future[dict[str, Any]]:
    """Give a command as an admin."""
    envelope = {"name": name, "args": list(args), **({} if cmd_id is None else {"cmd_id": cmd_id})}
    return runtime.desk.submit(envelope, OPERATOR)


def command(runtime: LiveRuntime, name: str, *args: object, cmd_id: str | None = None) -> dict[str, Any]:
    """Give a command to a world that is not running, and let it be executed in a tick."""
    answer = submit(runtime, name, *args, cmd_id=cmd_id)
    runtime.run_ticks(1)
    return answer.result(0)
