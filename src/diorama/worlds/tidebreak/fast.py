"""The fast tier: the same arena in `crates/tidebreak`, as batches and as single battles, and its fields alone."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Final

from diorama.contracts.records import StepRecord
from diorama.contracts.values import canonical_json
from diorama.contracts.work import checkpoint
from diorama.native import NativeBotRows, NativeCore, load_native
from diorama.worlds.tidebreak.bots.hulls import known_hulls
from diorama.worlds.tidebreak.config import ObservationProfile, Played, TidebreakConfig
from diorama.worlds.tidebreak.contract import WORLD_ID
from diorama.worlds.tidebreak.limits import BRICKS_DEFAULT
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.reference.fields.constants import FIELD_PERIOD_TICKS
from diorama.worlds.tidebreak.reference.seats import EpisodePlan
from diorama.worlds.tidebreak.render import complete_frame
from diorama.worlds.tidebreak.resolve import ResolvedPackage, resolve
from diorama.worlds.tidebreak.resolve.catalogue import shipped_catalogue
from diorama.worlds.tidebreak.scenarios.named import load_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from diorama import _native
    from diorama.contracts.bots import BatchedBot
    from diorama.contracts.tiers import BatchCore, CoreRequest
    from diorama.contracts.values import JsonObject

_SCRIPT: Final = "script:"


def accelerate(config: TidebreakConfig, request: CoreRequest) -> BatchCore:
    """Build a block of native copies.

    Raises:
        ConfigError: The configuration names a side or a ship that is not in its battle.
        TierUnavailable: When the native core does not load, or a device other than the CPU is asked for.
    """
    request.require_cpu(WORLD_ID)
    render = _renderer(config)
    batch: _native.NativeBatch = load_native().tidebreak_batch(
        config.canonical(), _plan(config), _content(config), request.copies, request.seed, request.threads
    )
    return NativeCore(batch, render)


def open_arena(
    package: ResolvedPackage,
    controllers: Mapping[str, str] | None = None,
    *,
    seed: int | None = None,
    is_collecting: bool = False,
) -> _native.TidebreakArena:
    """Set up a native battle at tick 0; arguments and errors are those of `reference.arena.Arena`.

    Raises:
        TierUnavailable: When the native core does not load.
    """
    arena: _native.TidebreakArena = load_native().TidebreakArena(
        package.document, package.sha256, dict(controllers or {}), seed=seed, is_collecting=is_collecting
    )
    return arena


def simulate(package: ResolvedPackage, controllers: Mapping[str, str] | None = None) -> BattleResult:
    """Fight a battle to its end with scripts; ships under `agent` get no orders.

    Raises:
        TierUnavailable: When the native core does not load.
    """
    arena = open_arena(package, controllers)
    # Tick by tick and not in one call, which nothing could end before the battle does.
    while not arena.is_over:
        checkpoint()
        arena.step({})
    return BattleResult.model_validate_json(arena.result())


def open_field_space(
    bounds: tuple[float, float, float, float],
    *,
    field_period: int = FIELD_PERIOD_TICKS,
    max_bricks: int = BRICKS_DEFAULT,
    temperature: Sequence[float] | None = None,
    is_dynamic: bool = True,
    diffusivity: Sequence[float] | None = None,
    decay: Sequence[float] | None = None,
) -> _native.FieldSpace:
    """Open a native field space; arguments and errors are those of `reference.fields.FieldSpace`.

    Raises:
        TierUnavailable: When the native core does not load.
    """
    space: _native.FieldSpace = load_native().FieldSpace(
        bounds,
        field_period=field_period,
        max_bricks=max_bricks,
        temperature=temperature,
        is_dynamic=is_dynamic,
        diffusivity=diffusivity,
        decay=decay,
    )
    return space


def _renderer(config: TidebreakConfig) -> Callable[[_native.NativeBatch, int], JsonObject]:
    """Return what draws a copy: the core what moves, Python what does not and the events in words."""
    plan = EpisodePlan(config)

    def render(batch: _native.NativeBatch, copy: int) -> JsonObject:
        moment: JsonObject = json.loads(batch.picture(copy))
        record = StepRecord(**batch.step_record(copy))
        if record.info["tick"] != moment["tick"]:  # the last step ended the battle before this one
            record = StepRecord(**batch.opening_record(copy))
        return complete_frame(moment, plan.episode(batch.episode_seed(copy)), record.event_data)

    return render


def _content(config: TidebreakConfig) -> bytes:
    if config.scenario is not None:
        return resolve(load_scenario(config.scenario)).document
    package = config.resolved_package()
    return shipped_catalogue() if package is None else package.document


def _plan(config: TidebreakConfig) -> str:
    return canonical_json(
        {
            "stage": config.stage,
            **({} if config.time_limit_s is None else {"time_limit_ticks": config.time_limit_s}),  # a tick is a second
            "earlier_stages": config.earlier_stages,
            "seats": config.seats,
            "plays_all": config.played is Played.ALL,
            "side": config.side,
            "ships": list(config.ships),
            "scripted": [[ship_id, _SCRIPT + script] for ship_id, script in config.controllers.items()],
            "teammates": _SCRIPT + config.teammates,
            "opponents": None if config.opponents is None else _SCRIPT + config.opponents,
            "is_compact": config.observation is ObservationProfile.COMPACT,
            "weights": list(config.weights),
            "team_share": config.team_weight,
            "discount": config.shaping_discount,
            "credit_dead": config.credit_dead,
            "decision_ticks": config.decision_ticks,
        }
    )


def _captains(name: str, rows: int) -> BatchedBot:
    hulls = [(hull.cost, hull.armour, hull.torpedo_m, hull.is_submarine) for hull in known_hulls()]
    return NativeBotRows(load_native().tidebreak_bots(name, rows, hulls))


BATCHED_BOTS: Final[Mapping[str, Callable[[int], BatchedBot]]] = {
    name: partial(_captains, name) for name in ("hunter", "stalker")
}
