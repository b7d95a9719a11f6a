"""The teachers a run can learn from: scripted baselines, the world's own controller, policies of checkpoints."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject, JsonValue
from diorama.contracts.world import World
from diorama.engine.batched_bots import open_batched_bot
from diorama.learn.teachers import ExpertTeacher, PolicyTeacher, ScriptedTeacher, TeacherMaker, TeacherPolicy
from diorama.training.compatibility import check_teacher_exists
from diorama.training.policy_files import find_policy, load_policy

TEACHER_KEY: Final = "kickstarting_teacher"  # names the stored reference among the values of a checkpoint


def bot_teacher(world: World[WorldConfig], name: str) -> TeacherMaker:
    """Return a scripted baseline of the world as a teacher; the world's expert answers for all rows at once.

    Raises:
        UnknownName: The world has no such bot.
    """
    if name not in world.bots:
        raise UnknownName.among(f"bot of {world.id!r}", name, world.bots, code="unknown_bot")
    if name == world.expert:
        return TeacherMaker(make=lambda spec, rows: ExpertTeacher(rows))
    return TeacherMaker(make=lambda spec, rows: ScriptedTeacher(open_batched_bot(world, name, spec, rows), spec.agents))


class _Reference(BaseModel):
    """Which checkpoint the teacher is, as a checkpoint of the learner stores it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    sha256: str


@dataclass(slots=True)
class KickstartingTeacher:
    """The teacher of a run.

    Attributes:
        maker: Makes it for the rows of a shard.
    """

    maker: TeacherMaker
    _source: TeacherPolicy | None = None
    _reference: _Reference | None = None

    @property
    def reference(self) -> JsonObject:
        """What a resumed run needs to find the same policy again; empty for a bot."""
        return {} if self._reference is None else {TEACHER_KEY: self._reference.model_dump()}

    def load(self, stored: JsonValue, spec: WorldSpec) -> None:
        """Ask the very policy that was asked before the run was stored.

        Raises:
            UnknownName: Its checkpoint does not exist any more.
            CheckpointMismatch: Its checkpoint has changed.
            DocumentError: The reference is broken.
        """
        if self._source is None:
            return
        try:
            reference = _Reference.model_validate(stored)
        except ValidationError:
            raise DocumentError(
                "the stored reference to the teacher cannot be read; it must come from a run with the same teacher",
                code="teacher_reference_invalid",
            ) from None
        policy, _ = load_policy(Path(reference.path), spec, sha256=reference.sha256)
        self._source.policy, self._reference = policy, reference


def open_teacher(world: World[WorldConfig], spec: WorldSpec, name: str) -> KickstartingTeacher:
    """Return the teacher of a run: a bot of its world, or the policy of a champion, run directory or checkpoint.

    Raises:
        UnknownName: There is neither such a bot nor such a champion, run or checkpoint.
        CheckpointMismatch: The checkpoint belongs to another world or interface.
        DocumentError: The checkpoint is broken.
    """
    if name in world.bots:
        return KickstartingTeacher(bot_teacher(world, name))
    check_teacher_exists(world, name)
    checkpoint = find_policy(name)
    policy, stored = load_policy(checkpoint, spec)
    source = TeacherPolicy(policy)
    maker = TeacherMaker(make=lambda spec, rows: PolicyTeacher(source, spec, rows), has_probabilities=True)
    reference = _Reference(path=str(checkpoint.resolve()), sha256=stored.sha256)
    return KickstartingTeacher(maker, source, reference)
