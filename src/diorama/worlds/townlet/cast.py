"""The citizens as agents that come and go: their ids, what each is told, and a vector that describes the whole town."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from diorama.contracts.casts import Cast, CastOpening, Departure
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import ObservationField, WorldSpec
from diorama.contracts.values import F32, U64, JsonValue
from diorama.numerics import TWO_PI, clamp, sincos
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.layout import FEATURE_INDEX, FEATURES
from diorama.worlds.townlet.reference.simulation import MAX_CITIZENS
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.words import read_town
from diorama.worlds.townlet.scenarios.opening import scenario_opening
from diorama.worlds.townlet.tables.compiling import load_tables
from diorama.worlds.townlet.tables.town_tables import TownTables

TOWN_SCALARS: Final = 16
_HIGHEST_PRICE_RATIO: Final = 3.0
_NEEDS: Final = ("need_hunger", "need_hygiene", "need_energy")


class ResetOptions(BaseModel):
    """What can be asked of an episode; other options are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    scenario: str | None = None
    episode_ticks: int | None = Field(default=None, ge=1)


def seated(record: StepRecord) -> list[str | None]:
    """Ids by seat."""
    return [None if seat is None else str(seat["agent_id"]) for seat in _seats(record)]


def departures(record: StepRecord) -> list[Departure]:
    """Who left in the step, in the order they left."""
    exits = cast("Sequence[Mapping[str, JsonValue]]", record.info["exits"])
    return [
        Departure(seat=cast("int", entry["seat"]), agent=str(entry["agent_id"]), reason=str(entry["exit_reason"]))
        for entry in exits
    ]


def tell(record: StepRecord, seat: int) -> dict[str, JsonValue]:
    """What the citizen of a seat is told; of one who has left, what the step still knows."""
    citizen = _seats(record)[seat]
    reasons = [gone.reason for gone in departures(record) if gone.seat == seat]
    return {
        "tick": record.info["tick"],
        "seat": seat,
        "commit_enforced": cast("Sequence[JsonValue]", record.info["commit_enforced"])[seat],
        "invalid_action": cast("Sequence[JsonValue]", record.info["invalid_action"])[seat],
        "reward_breakdown": {**record.reward_terms[seat], "total": record.rewards[seat]},
        **({"new_citizen": False} if citizen is None else _told_of(citizen)),
        **({"exit_reason": reasons[0]} if reasons else {}),
    }


def parts(spec: WorldSpec) -> tuple[ObservationField, ...]:
    """The map, where there is one, and the features as one block."""
    start = spec.obs_width - FEATURES
    features = ObservationField(
        name="features", start=start, shape=(FEATURES,), low=-1.0, high=1.0, meaning="The 128 features."
    )
    return (*(item for item in spec.observation if item.name == "map"), features)


def state_width(spec: WorldSpec) -> int:
    """All seats' features, then the town's scalars."""
    return spec.agents * FEATURES + TOWN_SCALARS


def state(config: TownletConfig, rows: F32, words: U64) -> F32:
    """The features of all seats, zeros for free ones, and 16 numbers of the town.

    Those are: sine and cosine of the time of day, citizens per seat, live over baseline price of meal, ingredients,
    shower and rent (as in the features: at most 3, divided by 3), power, water, running events as a share of those that
    may run at once, exits today per seat, means of the three needs and of the wallet feature over the living, and a 0.
    """
    town = read_town(words, _tables(config.canonical()), config)
    features = rows[:, rows.shape[1] - FEATURES :]
    living = features[[citizen.seat for citizen in town.living()]]
    means = [float(living[:, FEATURE_INDEX[name]].mean()) if len(living) else 0.0 for name in (*_NEEDS, "wallet")]
    scalars = [
        *sincos(TWO_PI * town.tod / town.ticks_per_day),
        len(living) / len(rows),
        *_price_ratios(town),
        float(town.has_power),
        float(town.has_water),
        min(1.0, len(town.perturbations.active) / config.perturbations.max_concurrent_events),
        min(1.0, town.lifecycle.exits_today / len(rows)),
        *means,
        0.0,
    ]
    return np.concatenate((features.reshape(-1), np.array(scalars, np.float32)))


def open_episode(config: TownletConfig, options: Mapping[str, object]) -> CastOpening[TownletConfig]:
    """Read the options of a reset: the name of a scenario, and the length of the episode.

    Raises:
        ConfigError: An option is of the wrong kind, or there is no such scenario.
    """
    asked = validated(ResetOptions, options, "reset options")
    opening = CastOpening(config=config) if asked.scenario is None else scenario_opening(asked.scenario)
    if asked.episode_ticks is None:
        return opening
    lasting = opening.config.model_copy(update={"episode_ticks": asked.episode_ticks})
    return CastOpening(config=lasting, words=opening.words)


def _seats(record: StepRecord) -> Sequence[Mapping[str, JsonValue] | None]:
    return cast("Sequence[Mapping[str, JsonValue] | None]", record.info["seats"])


def _told_of(citizen: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {key: citizen[key] for key in ("embedding_slot", "option", "new_citizen", "display_name")}


def _price_ratios(town: Town) -> list[float]:
    return [
        clamp(live / baseline if baseline > 0.0 else 1.0, 0.0, _HIGHEST_PRICE_RATIO) / _HIGHEST_PRICE_RATIO
        for baseline, live in zip(town.economy.baselines, town.economy.live, strict=True)
    ]


@lru_cache(maxsize=4)
def _tables(canonical: str) -> TownTables:
    return load_tables(TownletConfig.model_validate_json(canonical))


CAST: Final = Cast(
    names=tuple(f"citizen_{number:03d}" for number in range(MAX_CITIZENS)),
    seated=seated,
    departures=departures,
    tell=tell,
    parts=parts,
    state_width=state_width,
    state=state,
    open=open_episode,
)
