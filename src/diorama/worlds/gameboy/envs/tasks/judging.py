"""What a step of a task pays and whether it ends the episode."""

from collections.abc import Mapping
from dataclasses import dataclass

from diorama.worlds.gameboy.envs.arrays import Array, Library
from diorama.worlds.gameboy.envs.tasks.novelty import NoveltyTable
from diorama.worlds.gameboy.envs.tasks.reading import Task
from diorama.worlds.gameboy.envs.tasks.rules import Increase, ListContains, Rule


@dataclass(frozen=True, slots=True)
class TaskJudgment:
    """A step of each lane. `terms` are what each rule paid, in the order of the file; the reward is their sum."""

    reward: Array
    terms: Mapping[str, Array]
    reached: Array
    failed: Array


class TaskJudge:
    """A task's rules and what they remember of each lane: the bytes of the step before, and what was new."""

    def __init__(self, task: Task, lanes: int, novelty_size: int, library: Library) -> None:
        """Begin with zeros; `open` comes before the first judgment of a lane."""
        self._task = task
        self._library = library
        self._lanes = lanes
        self.previous = library.zeros((lanes, len(task.addresses)), "int32")
        has_novelty = any(entry.rule.novelty is not None for entry in task.file.rewards)
        self.novelty = NoveltyTable(lanes, novelty_size, library) if has_novelty else None

    def open(self, lanes: Array, watched: Array) -> None:
        """Take the bytes of a start as seen for the lanes where the mask is true, so that a start pays nothing."""
        self.previous = self._library.where(lanes[:, None], watched, self.previous)
        if self.novelty is not None:
            self.novelty.forget(lanes)

    def judge(self, watched: Array) -> TaskJudgment:
        """Judge a step by the bytes after it, int32 (lanes, addresses)."""
        file = self._task.file
        reward = self._library.zeros((self._lanes,), "float32")
        terms: dict[str, Array] = {}
        for place, entry in enumerate(file.rewards):
            if entry.rule.on is not None:
                self._do(entry.rule, watched)
                continue
            paid = self._paid(entry.rule, entry.pay, watched)
            terms[entry.name or f"{next(iter(entry.rule.model_fields_set))}_{place}"] = paid
            reward = reward + paid
        reached = self._any(file.terminate, watched)
        failed = self._any(file.fail, watched) & ~reached
        self.previous = watched
        return TaskJudgment(reward, terms, reached, failed)

    def _paid(self, rule: Rule, pay: float | None, watched: Array) -> Array:
        if rule.increase is not None:
            return self._grown(rule.increase, watched)
        if rule.novelty is not None and self.novelty is not None:
            keys = [watched[:, self._task.column(key)] for key in rule.novelty.keys]
            return rule.novelty.bonus * self._library.cast(self.novelty.visit(keys), "float32")
        return (pay or 0.0) * self._library.cast(self._holds(rule, watched), "float32")

    def _grown(self, rule: Increase, watched: Array) -> Array:
        column = self._task.column(rule.addr)
        grown = self._library.cast(watched[:, column] - self.previous[:, column], "float32")
        return rule.per_unit * (grown if rule.clip_min is None else grown.clip(rule.clip_min))

    def _do(self, rule: Rule, watched: Array) -> None:
        if rule.on is not None and self.novelty is not None:
            self.novelty.forget(self._holds(rule.on.rule, watched))

    def _any(self, rules: tuple[Rule, ...], watched: Array) -> Array:
        found = self._library.zeros((self._lanes,), "bool")
        for rule in rules:
            found = found | self._holds(rule, watched)
        return found

    def _holds(self, rule: Rule, watched: Array) -> Array:
        if rule.rising is not None:
            return self._holds(rule.rising, watched) & ~self._holds(rule.rising, self.previous)
        if rule.bit_set is not None:
            return (watched[:, self._task.column(rule.bit_set.addr)] >> rule.bit_set.bit) & 1 != 0
        if rule.byte_eq is not None:
            return watched[:, self._task.column(rule.byte_eq.addr)] == rule.byte_eq.v
        if rule.list_contains is not None:
            return self._contains(rule.list_contains, watched)
        raise AssertionError(f"{rule} is no condition")

    def _contains(self, rule: ListContains, watched: Array) -> Array:
        count = watched[:, self._task.column(rule.count_addr)]
        found = self._library.zeros((self._lanes,), "bool")
        for place, address in enumerate(rule.entries()):
            found = found | ((count > place) & (watched[:, self._task.column(address)] == rule.value))
        return found
