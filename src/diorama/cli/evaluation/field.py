"""Who is evaluated: scripted baselines of a world, or the policy of a run beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.cli.options import parse_settings
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.engine.players import Contender, bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.runs.champions import is_champion_id
from diorama.worlds.registry import world_ids

ALL_BOTS: Final = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A venue and everyone who plays there.

    Attributes:
        training_runs: The runs that contenders come from, as reports name them.
    """

    venue: Venue
    contenders: list[Contender]
    training_runs: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRequest:
    """What the command line says about who plays and where; see `diorama eval --help`."""

    target: str
    bots: Sequence[str]
    config: list[str] | None
    tier: str
    run_root: Path
    is_deterministic: bool | None
    checkpoint: str | None
    in_default_config: bool


def gather_field(request: FieldRequest) -> Field:
    """Return who plays.

    Raises:
        UnknownName: There is no such world, run, bot or checkpoint.
        ConfigError: What was asked for does not go together.
    """
    if request.target in world_ids():
        return _baselines(request)
    return _run_beside_baselines(request)


def _baselines(request: FieldRequest) -> Field:
    if request.is_deterministic is not None:
        raise ConfigError("--deterministic and --stochastic go with a run; bots are what they are")
    if request.checkpoint is not None:
        raise ConfigError("--checkpoint goes with a run; bots have none", code="checkpoint_without_run")
    if not request.bots:
        raise ConfigError(f"Missing option '--bot': name who plays, or {ALL_BOTS!r} for every baseline")
    venue = open_venue(request.target, parse_settings(request.config), tier=request.tier)
    return Field(venue=venue, contenders=_named_bots(venue.world, request.bots))


def _run_beside_baselines(request: FieldRequest) -> Field:
    from diorama.runs.champions import find_run
    from diorama.runs.checkpoints.choosing import choose_checkpoint
    from diorama.training.evaluation import run_contender
    from diorama.training.run_directory import stored_settings

    try:
        run = find_run(request.run_root, request.target)
    except UnknownName as error:
        if is_champion_id(request.target):
            raise
        raise UnknownName(f"{UnknownName.among('world', request.target, world_ids())}; and {error}") from None
    settings, metadata = stored_settings(run), run.metadata()
    config = {} if request.in_default_config else {**settings.config, **parse_settings(request.config)}
    venue = open_venue(settings.world, config, tier=request.tier)
    is_deterministic = request.is_deterministic
    if is_deterministic is None:
        is_deterministic = settings.evaluation.deterministic
    policy = run_contender(run.layout, venue, deterministic=is_deterministic, checkpoint=request.checkpoint)
    return Field(
        venue=venue,
        contenders=[policy, *_named_bots(venue.world, request.bots or (ALL_BOTS,))],
        training_runs=(
            {
                "run_id": run.run_id,
                "config_hash": metadata.config_hash,
                "seed": metadata.seed,
                "env_steps_total": metadata.env_steps_total,
                "deterministic": is_deterministic,
                "checkpoint": run.layout.relative(choose_checkpoint(run.layout, request.checkpoint)),
            },
        ),
    )


def _named_bots(world: World[WorldConfig], names: Sequence[str]) -> list[Contender]:
    wanted = [known for name in names for known in (world.bots if name == ALL_BOTS else (name,))]
    return [bot_contender(world, name) for name in dict.fromkeys(wanted)]
