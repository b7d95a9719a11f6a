"""Who conducts a run: desks that hear what happens in it and say how it goes on."""

from dataclasses import dataclass

from diorama.operate.training.anneal_desk import AnnealCallback
from diorama.operate.training.copies import Copies
from diorama.operate.training.course_desk import CurriculumCallback
from diorama.operate.training.listener import RunCallback
from diorama.operate.training.round_desk import RoundCallback


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCallbacks:
    """The desks of a run that plays no matches.

    Attributes:
        copies: What it learns from.
        course: Exchanges them; None in a world without a course.
        anneal: Takes it through its schedule; None without one.
        rounds: Closes its rounds; None in a world without any, or where updates are not diagnosed.
    """

    copies: Copies
    course: CurriculumCallback | None
    anneal: AnnealCallback | None
    rounds: RoundCallback | None

    @property
    def listening(self) -> tuple[RunCallback, ...]:
        """Those who hear the run."""
        return tuple(desk for desk in (self.course, self.anneal) if desk is not None)
