"""From what a user or an operator names to whoever decides."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.live.world import LiveIdentity
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.live.deciding.scripted import BotDecider, ExpertDecider
from diorama.operate.promotion.pointers import PolicyPointer

_CHECKPOINT: Final = ".safetensors"


class ObservationVariantMismatch(ConfigError):
    """A policy was trained on another observation than the world gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShelf:
    """Where the policies of a live world come from.

    Attributes:
        run_root: Directory of the runs whose policies may be named.
        is_deterministic: Whether a learned policy takes the likeliest option instead of drawing one.
    """

    world: World[WorldConfig]
    config: WorldConfig
    run_root: Path
    is_deterministic: bool = False

    @property
    def spec(self) -> WorldSpec:
        """The contract that a policy must fit."""
        return self.world.describe(self.config)

    def find(self, name: str, identity: LiveIdentity, *, is_from_afar: bool = False) -> PolicyPointer:
        """Return what a name stands for: a bot, a run (its newest checkpoint), or a checkpoint file.

        Args:
            name: What was named.
            identity: Of the world it is to decide in.
            is_from_afar: Whether an operator names it; files outside of the runs do not exist for one.

        Raises:
            UnknownName: There is nothing of that name.
            DocumentError: The file of that name is broken.
        """
        if name in self.world.bots:
            return PolicyPointer(
                policy_hash=name, checkpoint=name, config_id=identity.config_id, variant=identity.variant
            )
        from diorama.runs.checkpoints.tensor_files import file_sha256

        path = self._checkpoint(name, is_from_afar=is_from_afar)
        return PolicyPointer(
            policy_hash=file_sha256(path),
            checkpoint=self._told(path),
            config_id=identity.config_id,
            variant=self._variant_read_by(path, identity),
        )

    def open(self, pointer: PolicyPointer) -> Decider:
        """Return the policy of a pointer, ready to decide.

        Raises:
            UnknownName: It is gone.
            ObservationVariantMismatch: It sees or acts in another way than this world's.
            DocumentError: Its file is broken, or is not the one that was meant.
        """
        bots = self.world.bots
        if pointer.checkpoint == self.world.expert and self._uses_expert:
            return ExpertDecider(pointer)
        if pointer.checkpoint in bots:
            return BotDecider(pointer, bots[pointer.checkpoint], self.spec)
        return self._learned(pointer)

    @property
    def _uses_expert(self) -> bool:
        """Whether the world's controller speaks the language of the configured actions."""
        return self.world.companion is None or self.world.companion(self.config) == self.world.expert

    def _variant_read_by(self, path: Path, identity: LiveIdentity) -> str:
        """Return the world's own variant for a policy that reads it, and else what the policy reads instead.

        One of another world altogether has no variant of this one; it is refused where it is opened.
        """
        from diorama.runs.checkpoints.files import read_checkpoint_header
        from diorama.runs.checkpoints.headers import PolicyCheckpoint, observation_shape

        header, spec = read_checkpoint_header(path), self.spec
        if not isinstance(header, PolicyCheckpoint) or header.world != spec.world:
            return identity.variant
        if (header.interface_version, header.obs_shape) == (spec.interface_version, observation_shape(spec)):
            return identity.variant
        return f"{header.interface_version} of {'×'.join(map(str, header.obs_shape))}"

    def _learned(self, pointer: PolicyPointer) -> Decider:
        import torch

        from diorama.contracts.errors import CheckpointMismatch
        from diorama.operate.live.deciding.learned import PolicyDecider
        from diorama.training.policy_files import load_policy

        # A handful of rows at a time: threads would spend longer waiting for one another than working.
        torch.set_num_threads(1)
        try:
            policy, _ = load_policy(self._file(pointer), self.spec, sha256=pointer.policy_hash)
        except CheckpointMismatch as error:
            raise ObservationVariantMismatch(f"{pointer.checkpoint} cannot decide here: {error}") from None
        return PolicyDecider(pointer, policy, seats=self.spec.agents, is_deterministic=self.is_deterministic)

    def _told(self, path: Path) -> str:
        """Name a file from the runs on: everybody who watches is told, and where they lie is nobody's business."""
        file, root = path.resolve(), self.run_root.resolve()
        return str(file.relative_to(root)) if file.is_relative_to(root) else str(path)

    def _file(self, pointer: PolicyPointer) -> Path:
        named = self.run_root / pointer.checkpoint
        return named if named.is_file() else Path(pointer.checkpoint)

    def _checkpoint(self, name: str, *, is_from_afar: bool) -> Path:
        from diorama.runs.checkpoints.files import newest_checkpoint
        from diorama.runs.layout import is_run_id
        from diorama.runs.run import open_run

        if name.endswith(_CHECKPOINT):
            path = self.run_root / name if is_from_afar else Path(name)
            is_allowed = not is_from_afar or path.resolve().is_relative_to(self.run_root.resolve())
            if not is_allowed or not path.is_file():
                raise UnknownName(f"there is no checkpoint {name!r}")
            return path
        if not is_run_id(name):
            raise UnknownName.among("bot or run", name, self.world.bots)
        try:
            return newest_checkpoint(open_run(self.run_root, name).layout)
        except UnknownName as error:
            raise UnknownName(f"{UnknownName.among('bot', name, self.world.bots)}; and {error}") from None


def default_policy(world: World[WorldConfig], config: WorldConfig) -> str:
    """Return the script that decides where nobody is named: the world's own choice, else its strongest bot."""
    companion = None if world.companion is None else world.companion(config)
    return companion or world.expert or list(world.bots)[-1]
