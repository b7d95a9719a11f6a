"""From what a user or an operator names to whoever decides."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from diorama.contracts.config import WorldConfig, parse_config
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
        """Return what a name stands for: a bot, a run (its newest checkpoint), a champion, or a checkpoint file.

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
        from diorama.runs.champions import is_champion_id
        from diorama.runs.checkpoints.tensor_files import file_sha256

        path = self._checkpoint(name, is_from_afar=is_from_afar)
        return PolicyPointer(
            policy_hash=file_sha256(path),
            checkpoint=name if is_champion_id(name) else self._told(path),
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
        takes_likeliest = self.is_deterministic or _was_judged_by_likeliest(pointer.checkpoint)
        return PolicyDecider(pointer, policy, seats=self.spec.agents, is_deterministic=takes_likeliest)

    def _told(self, path: Path) -> str:
        """Name a file from the runs on: everybody who watches is told, and where they lie is nobody's business."""
        file, root = path.resolve(), self.run_root.resolve()
        return str(file.relative_to(root)) if file.is_relative_to(root) else str(path)

    def _file(self, pointer: PolicyPointer) -> Path:
        from diorama.runs.champions import champion_world, open_champion

        world_id = champion_world(pointer.checkpoint)
        if world_id is not None:
            return open_champion(world_id).policy_path()
        named = self.run_root / pointer.checkpoint
        return named if named.is_file() else Path(pointer.checkpoint)

    def _checkpoint(self, name: str, *, is_from_afar: bool) -> Path:
        from diorama.runs.champions import find_run, is_champion_id
        from diorama.runs.checkpoints.choosing import choose_checkpoint
        from diorama.runs.layout import is_run_id

        if name.endswith(_CHECKPOINT):
            path = self.run_root / name if is_from_afar else Path(name)
            is_allowed = not is_from_afar or path.resolve().is_relative_to(self.run_root.resolve())
            if not is_allowed or not path.is_file():
                raise UnknownName(f"there is no checkpoint {name!r}")
            return path
        if not is_run_id(name) and not is_champion_id(name):
            raise UnknownName.among("bot or run", name, self.world.bots)
        try:
            return choose_checkpoint(find_run(self.run_root, name).layout)
        except UnknownName as error:
            raise UnknownName(f"{UnknownName.among('bot', name, self.world.bots)}; and {error}") from None


def _was_judged_by_likeliest(name: str) -> bool:
    """Whether a name is that of a champion whose card says that it takes the likeliest option."""
    from diorama.runs.champions import champion_world, open_champion

    world_id = champion_world(name)
    return world_id is not None and open_champion(world_id).card().deterministic


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionChoice:
    """Whether the champion of a world can decide in a configuration.

    Attributes:
        name: Of the champion, as `--policy` takes it; None where it cannot, or there is none.
        misfit: Why it cannot; None where it can, or there is none.
    """

    name: str | None = None
    misfit: str | None = None


def choose_champion(world: World[WorldConfig], config: WorldConfig) -> ChampionChoice:
    """Return the champion of a world if it sees and decides what the configuration has, and has learned the same game.

    Where a world plays several games, such as the cartridges of `gameboy`, pictures and keys are the same in each. The
    script of a configuration tells games apart.

    Raises:
        DocumentError: A file of the champion is broken.
    """
    from diorama.contracts.errors import CheckpointMismatch
    from diorama.runs.champions import champion_id, has_champion, open_champion, read_champion_header
    from diorama.runs.checkpoints.headers import check_fits_world

    if not has_champion(world.id):
        return ChampionChoice()
    if any(find_spec(package) is None for package in ("safetensors", "torch")):
        return ChampionChoice(misfit="torch is not installed")
    try:
        check_fits_world(read_champion_header(world.id), world.describe(config))
    except CheckpointMismatch as error:
        return ChampionChoice(misfit=str(error))
    learned = parse_config(world.id, world.config_type, open_champion(world.id).card().config)
    script, other = default_policy(world, learned), default_policy(world, config)
    if script != other:
        return ChampionChoice(misfit=f"it learned the game of {script!r}; this is the game of {other!r}")
    return ChampionChoice(name=champion_id(world.id))


def default_policy(world: World[WorldConfig], config: WorldConfig) -> str:
    """Return the script that decides where nobody is named: the world's own choice, else its strongest bot."""
    companion = None if world.companion is None else world.companion(config)
    return companion or world.expert or list(world.bots)[-1]
