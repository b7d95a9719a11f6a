"""Telling something part by part, and later only the parts that have changed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.values import difference

SubjectT = TypeVar("SubjectT")
_UNTOLD: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Generic[SubjectT]):
    """A part of what is told about a subject.

    Attributes:
        mark: Something small that differs whenever what `tell` returns does; it is compared, never told.
        tell: The value; None for nothing to tell.
        is_fixed: Whether it changes only when the town is given other tables, so that no mark is looked at.
    """

    name: str
    mark: Callable[[Scene, SubjectT], object]
    tell: Callable[[Scene, SubjectT], JsonValue]
    is_fixed: bool = False


def fixed_section(name: str, tell: Callable[[Scene, SubjectT], JsonValue]) -> Section[SubjectT]:
    """A part that changes only when the town is given other tables."""
    return Section(name=name, mark=lambda _, __: None, tell=tell, is_fixed=True)


class Teller(Generic[SubjectT]):
    """Remembers what was told about one subject; `told` is all of it."""

    def __init__(self, sections: Sequence[Section[SubjectT]]) -> None:
        """Begin with nothing told."""
        self._fixed = [section for section in sections if section.is_fixed]
        self._others = [section for section in sections if not section.is_fixed]
        self._edition = -1
        self._marks: list[object] = [_UNTOLD] * len(self._others)
        self.told: dict[str, JsonValue] = {}

    def begin_anew(self) -> None:
        """Look at every part again: what was told is of another subject."""
        self._edition = -1
        self._marks = [_UNTOLD] * len(self._others)

    def news(self, scene: Scene, subject: SubjectT) -> dict[str, JsonValue]:
        """A merge patch from what was told to what is now."""
        patch: dict[str, JsonValue] = {}
        if scene.edition != self._edition:
            self._edition = scene.edition
            for section in self._fixed:
                _tell(self.told, section.name, section.tell(scene, subject), patch)
        marks = self._marks
        for place, section in enumerate(self._others):
            mark = section.mark(scene, subject)
            if mark != marks[place]:
                marks[place] = mark
                _tell(self.told, section.name, section.tell(scene, subject), patch)
        return patch


def _tell(known: dict[str, JsonValue], name: str, value: JsonValue, patch: dict[str, JsonValue]) -> None:
    before = known.get(name)
    if value is None:
        if before is not None:
            patch[name] = None
            del known[name]
        return
    if isinstance(before, dict) and isinstance(value, dict):
        if change := difference(before, value):
            patch[name] = change
    elif before != value:
        patch[name] = value
    known[name] = value


class Crowd(Generic[SubjectT]):
    """Tells about subjects that come and go, each under its id."""

    def __init__(self, sections: Sequence[Section[SubjectT]]) -> None:
        """Begin with nobody."""
        self._sections = sections
        self._tellers: dict[str, Teller[SubjectT]] = {}
        self._subjects: dict[str, SubjectT] = {}

    @property
    def told(self) -> dict[str, JsonValue]:
        """All that was told, by id."""
        return {name: {**teller.told} for name, teller in self._tellers.items()}

    def news(self, scene: Scene, subjects: Iterable[tuple[str, SubjectT]]) -> dict[str, JsonValue]:
        """A merge patch from what was told to what is now."""
        patch: dict[str, JsonValue] = {}
        present = set()
        for name, subject in subjects:
            present.add(name)
            teller = self._tellers.get(name)
            if teller is None:
                teller = self._tellers[name] = Teller(self._sections)
            elif self._subjects[name] is not subject:
                teller.begin_anew()  # somebody else has come under an id that was free again
            self._subjects[name] = subject
            if change := teller.news(scene, subject):
                patch[name] = change
        for name in [name for name in self._tellers if name not in present]:
            del self._tellers[name], self._subjects[name]
            patch[name] = None
        return patch


class Roll(Generic[SubjectT]):
    """Tells one value about each of some subjects that come and go, under its id; `told` is all of them."""

    def __init__(self, section: Section[SubjectT]) -> None:
        """Begin with nobody."""
        self._section = section
        self._marks: dict[str, object] = {}
        self.told: dict[str, JsonValue] = {}

    def news(self, scene: Scene, subjects: Iterable[tuple[str, SubjectT]]) -> dict[str, JsonValue]:
        """A merge patch from what was told to what is now."""
        patch: dict[str, JsonValue] = {}
        marks: dict[str, object] = {}
        for name, subject in subjects:
            mark = marks[name] = self._section.mark(scene, subject)
            if name not in self._marks or mark != self._marks[name]:
                _tell(self.told, name, self._section.tell(scene, subject), patch)
        for name in self._marks:
            if name not in marks:
                _tell(self.told, name, None, patch)
        self._marks = marks
        return patch
