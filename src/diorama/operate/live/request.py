"""What is to run live, and where everything of it is kept."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import UnknownName
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.world import World
from diorama.runs.documents import Document, read_document, replace_document
from diorama.runs.layout import check_id

_LATEST: Final = "latest.json"
_JOURNALS: Final = "journals"


class _Latest(Document, frozen=True, kw_only=True):
    """Which run of a live world was the last one."""

    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRequest:
    """What is to run.

    Attributes:
        world: The registration.
        config: Its configuration.
        config_path: Where that came from, for reloads.
        policy: A bot, a run or a checkpoint; the world's own choice by default.
        shadow: A candidate that is judged beside it; none by default.
        speed: `pause`, `1x`, `10x`, `100x` or `max`; as configured by default.
        settings: Of the services, for a world whose configuration holds none.
        root: Folder of everything that is kept.
        run_id: Name of the run; with `resume` the one to continue, by default the newest.
        seed: By default the configured one, 0 where there is none.
        run_root: Directory of the training runs whose policies may be named.
        autosave_ticks: How often it is saved where the settings do not say; None for never.
        is_deterministic: Whether a learned policy takes the likeliest option instead of drawing one.
        resume: Continue a run from its last autosave and the log since.
    """

    world: World[WorldConfig]
    config: WorldConfig
    config_path: Path | None
    policy: str | None
    shadow: str | None
    speed: str | None
    settings: LiveSettings | None
    root: Path
    run_id: str | None
    seed: int | None
    run_root: Path
    autosave_ticks: int | None
    is_deterministic: bool
    resume: bool


def latest_run(root: Path) -> str:
    """Return the last run of a live world.

    Raises:
        UnknownName: There is none.
    """
    try:
        return check_id("run", read_document(root / _LATEST, _Latest).run_id)
    except UnknownName:
        raise UnknownName(f"{root} holds no live world; begin one without --resume") from None


def journal_folder(root: Path, run_id: str) -> Path:
    """Return where the log of a run lies."""
    return root / _JOURNALS / check_id("run", run_id)


def note_run(root: Path, run_id: str) -> None:
    """Make a run the last one."""
    replace_document(root / _LATEST, _Latest(run_id=run_id))


def chosen_run(request: LiveRequest) -> str:
    """Return the run that a request names, or the one to continue, or a new one.

    Raises:
        ConfigError: The id is not allowed.
        UnknownName: There is none to continue.
    """
    if request.run_id is not None:
        return check_id("run", request.run_id)
    if not request.resume:
        return datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return latest_run(request.root)
