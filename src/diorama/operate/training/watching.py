"""How a session tells a person what it is doing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import UpdateReport
from diorama.runs.layout import RunLayout
from diorama.runs.windows.row import WindowRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """A run as it begins or continues; `env_steps` are those it has, `target_env_steps` those it is to reach."""

    layout: RunLayout
    spec: WorldSpec
    env_steps: int
    target_env_steps: int
    facts: tuple[tuple[str, str], ...]


class ProgressReporter(Protocol):
    """Hears about a training run; every call comes from the training thread."""

    def begin(self, outlook: Outlook) -> None:
        """The run is there and training is about to begin."""

    def stage(self, words: str | None) -> None:
        """Something beside training takes a while; None when it is over."""

    def advance(self, env_steps: int) -> None:
        """So many env steps of the run are done."""

    def update(self, report: UpdateReport) -> None:
        """The policy was updated."""

    def windows(self, rows: Sequence[WindowRow]) -> None:
        """Windows closed."""

    def tell(self, line: str) -> None:
        """Something a person should read."""


class NoProgress:
    """A watch that shows nothing."""

    def begin(self, outlook: Outlook) -> None:
        """Show nothing."""

    def stage(self, words: str | None) -> None:
        """Show nothing."""

    def advance(self, env_steps: int) -> None:
        """Show nothing."""

    def update(self, report: UpdateReport) -> None:
        """Show nothing."""

    def windows(self, rows: Sequence[WindowRow]) -> None:
        """Show nothing."""

    def tell(self, line: str) -> None:
        """Show nothing."""
