"""Windows, checkpoints and replays for Weights & Biases."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from diorama.contracts.errors import ConfigError, ContractError, MissingExtra
from diorama.telemetry.events import (
    CheckpointWritten,
    Event,
    ReplayWritten,
    RunEnded,
    RunOutcome,
    RunStarted,
    WindowClosed,
)

if TYPE_CHECKING:
    from wandb import Run

DEFAULT_PROJECT: Final = "diorama"
# Artifact names have at most 128 characters; the longest of ours is that of a replay.
LONGEST_RUN_ID: Final = 128 - len("replay--000000-replay-000000-00000000")
_MODEL: Final = "model"
_RESERVED_ALIAS: Final = re.compile(r"v[0-9]+")


class WandbMode(StrEnum):
    """Where rows go: nowhere, to files that `wandb sync` sends later, or straight to the service."""

    DISABLED = "disabled"
    OFFLINE = "offline"
    ONLINE = "online"


@dataclass(frozen=True, slots=True, kw_only=True)
class WandbSettings:
    """How a run is logged.

    Attributes:
        mode: `offline` or `online`; with `disabled` no sink is made.
        run_directory: Where the run lies; its name is the id of the run at the service, and the library keeps its own
            files in `telemetry/wandb` inside of it.
        project: The project.
        entity: User or team; None for the account's default.
    """

    mode: Literal[WandbMode.OFFLINE, WandbMode.ONLINE]
    run_directory: Path
    project: str = DEFAULT_PROJECT
    entity: str | None = None


class WandbSink:
    """Logs every window with one call, and every checkpoint and replay as an artifact."""

    name: Final = "wandb"

    def __init__(self, settings: WandbSettings) -> None:
        """Check that the library is there; it is asked for a run when the run starts.

        Raises:
            MissingExtra: The library is not installed.
        """
        try:
            import wandb  # noqa: F401
        except ImportError as error:
            raise MissingExtra.of("track", needed_for="logging to Weights & Biases") from error
        self._settings = settings
        self._run_id = ""
        self._run: Run | None = None

    @property
    def url(self) -> str | None:
        """Where the run can be seen; None offline and before it starts."""
        is_online = self._settings.mode is WandbMode.ONLINE
        return self._run.url if is_online and self._run is not None else None

    def receive(self, event: Event) -> None:
        """Log what the service has a place for."""
        match event:
            case RunStarted():
                self._start(event)
            case WindowClosed():
                # Named by its window, so that a resumed run goes on counting where it stopped.
                self._started.log(dict(event.row), step=event.window_id, commit=True)
            case CheckpointWritten():
                self._log_model(event)
            case ReplayWritten():
                self._log_replay(event)
            case RunEnded():
                self._finish(exit_code=1 if event.outcome is RunOutcome.FAILED else 0)

    def close(self) -> None:
        """Give up a run that nobody has ended."""
        self._finish(exit_code=1)

    def _start(self, event: RunStarted) -> None:
        import wandb

        # The folder's name, not the id in its metadata: a copy of the folder is a run of its own.
        self._run_id = self._settings.run_directory.name
        if len(self._run_id) > LONGEST_RUN_ID:
            raise ConfigError(
                f"run id {self._run_id!r} is too long for artifacts; use at most {LONGEST_RUN_ID} characters"
            )
        directory = self._settings.run_directory / "telemetry"
        directory.mkdir(parents=True, exist_ok=True)
        self._run = wandb.init(
            mode="online" if self._settings.mode is WandbMode.ONLINE else "offline",
            project=self._settings.project,
            entity=self._settings.entity,
            id=self._run_id,
            name=self._run_id,
            dir=directory,
            config=dict(event.config),
            tags=[event.world, event.interface_version],
            resume="allow",
            # A process may train several runs one after another, as a sweep does.
            reinit="create_new",
            # The terminal belongs to the progress display.
            settings=wandb.Settings(console="off", silent=True),
        )
        self._run.define_metric("env_steps_total")
        self._run.define_metric("*", step_metric="env_steps_total")

    def _log_model(self, event: CheckpointWritten) -> None:
        self._log_artifact(
            f"model-{self._run_id}",
            kind=_MODEL,
            paths=[event.path],
            aliases=["latest", f"window-{event.window_id}"],
            metadata={"env_steps_total": event.env_steps_total, "sha256": event.sha256},
        )

    def _log_replay(self, event: ReplayWritten) -> None:
        aliases = ["latest", f"window-{event.window_id}", *map(alias_of_tag, event.tags)]
        self._log_artifact(
            f"replay-{self._run_id}-{event.window_id:06d}-{event.replay_id}",
            kind="replay",
            paths=[event.replay_path, event.meta_path],
            aliases=list(dict.fromkeys(aliases)),
            metadata={"return_total": event.return_total, "steps": event.steps, "tags": list(event.tags)},
        )

    def _log_artifact(
        self, name: str, *, kind: str, paths: Sequence[str], aliases: list[str], metadata: dict[str, object]
    ) -> None:
        import wandb

        artifact = wandb.Artifact(name, type=kind, metadata=metadata)
        # What stays for good is sent from where it lies; a checkpoint may be retired before it has been sent.
        policy: Literal["immutable", "mutable"] = "mutable" if kind == _MODEL else "immutable"
        for path in paths:
            artifact.add_file(str(self._settings.run_directory / path), policy=policy, skip_cache=True)
        self._started.log_artifact(artifact, aliases=aliases)

    def _finish(self, *, exit_code: int) -> None:
        if self._run is not None:
            self._run.finish(exit_code=exit_code)
            self._run = None

    @property
    def _started(self) -> "Run":
        if self._run is None:
            raise ContractError("an event came before RUN_STARTED or after RUN_ENDED")
        return self._run


def alias_of_tag(tag: str) -> str:
    """Return a replay tag as an artifact alias, which may hold no colon or slash and must not look like a version."""
    alias = re.sub(r"[^A-Za-z0-9_.-]", "-", tag)
    return f"tag-{alias}" if _RESERVED_ALIAS.fullmatch(alias) else alias
