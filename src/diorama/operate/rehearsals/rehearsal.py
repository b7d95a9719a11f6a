"""`Rehearsal`: steps that pass or fail, and the report that is made of them."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something that was tried; `tick` is that of the world, None where there is no world yet."""

    name: str
    tick: int | None
    has_passed: bool
    detail: str


class StepFailed(Exception):
    """A step did not pass; the rehearsal is over."""


class Rehearsal:
    """A rehearsal under way: the first step that fails ends it.

    Attributes:
        steps: What was tried so far.
    """

    def __init__(self, name: str, watch: Callable[[Step], None] = lambda step: None) -> None:
        """Begin; `watch` is told every step as soon as it was tried."""
        self.name = name
        self.steps: list[Step] = []
        self._watch = watch

    def check(self, name: str, has_passed: bool, *, tick: int | None = None, detail: str = "") -> None:
        """Take note of a step.

        Raises:
            StepFailed: It did not pass.
        """
        step = Step(name=name, tick=tick, has_passed=has_passed, detail=detail)
        self.steps.append(step)
        self._watch(step)
        if not has_passed:
            raise StepFailed(f"{name}: {detail}" if detail else name)

    @property
    def has_passed(self) -> bool:
        """Whether something was tried, and all of it passed."""
        return bool(self.steps) and all(step.has_passed for step in self.steps)

    def report(self) -> JsonObject:
        """As a program reads it."""
        return {
            "rehearsal": self.name,
            "passed": self.has_passed,
            "steps": [asdict(step) for step in self.steps],
        }
