"""Plays a scene under the scripted controller and keeps what every citizen saw, did and earned."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import F32, I32, U8
from diorama.rng import draw, u01
from diorama.worlds.townlet.contract import CITIZEN_METRICS
from diorama.worlds.townlet.layout import MapShape
from diorama.worlds.townlet.reference.decisions.deciding import action_mask
from diorama.worlds.townlet.reference.metrics import citizen_metrics
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.observe import Observer
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.scenarios.loading import StoredScenario
from diorama.worlds.townlet.scenarios.running import ScenarioRun

_PUSHES: Final = 1900  # these draws are nobody else's: capturing leaves the streams of the town alone


@dataclass(frozen=True, slots=True, kw_only=True)
class CitizenEpisode:
    """One citizen's time in a scene, T decisions long.

    Attributes:
        maps: T × channels × height × width; None where the observation has no map.
        features: T × 128.
        actions: T, valid under `masks`.
        masks: T × actions.
        rewards: T.
        has_left: Whether it left the town in the last of these ticks.
        metrics: Its own metrics at the end, and its return.
    """

    agent: str
    scenario: str
    config_id: str
    seed: int
    tags: tuple[str, ...]
    maps: F32 | None
    features: F32
    actions: I32
    masks: U8
    rewards: F32
    has_left: bool
    metrics: dict[str, float]


@dataclass(slots=True)
class _Track:
    agent: str
    rows: list[F32] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    masks: list[list[int]] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    has_left: bool = False


def capture(
    stored: StoredScenario, *, seed: int | None = None, push: float = 0.0, advance: Callable[[], None] = lambda: None
) -> Iterator[CitizenEpisode]:
    """Play a scene to its end and yield the citizens the controller played, in the order of their arrival.

    Citizens with a script of their own are left out, and so are ticks in which somebody was possessed: neither shows
    what the controller does.

    Args:
        stored: The scene.
        seed: Its own unless given.
        push: Share of the decisions in which a citizen does something else than the controller wants, drawn among what
            is valid. What is kept is what the controller wants: it shows how to come back.
        advance: Called after every tick.

    Raises:
        ConfigError: It does not fit together, is played with primitives, or a command of its timeline is refused.
    """
    run = ScenarioRun(stored, seed=seed)
    if run.town.config.policy_runtime.action_level != "option":
        raise ConfigError(f"scenario {stored.scenario.name}: the controller chooses options; it is set to primitives")
    observer = Observer(run.town.tables, run.town.config)
    scripted = {entry.id for entry in stored.scenario.citizens if entry.script is not None}
    tracks: dict[int, _Track] = {}
    while not run.is_over:
        selections = run.begin()
        acting = {citizen.number: citizen.seat for citizen in _watched(run.town, scripted)}
        for citizen in _watched(run.town, scripted):
            track = tracks.setdefault(citizen.number, _Track(agent_id(run.town, citizen.number)))
            _keep_decision(track, run.town, citizen, observer, selections[citizen.seat])
            selections[citizen.seat] = _pushed(run.town, citizen, track, push)
        run.finish(selections)
        _keep_outcomes(tracks, run.town, acting)
        advance()
    # Who was pushed may be gone before an operator's command comes.
    if run.operator.surprises and not push:
        raise ConfigError(f"scenario {stored.scenario.name}: {'; '.join(run.operator.surprises)}")
    for track in tracks.values():
        yield _episode(track, stored, run.town, observer.map_shape)


def _watched(town: Town, scripted: set[str]) -> list[Citizen]:
    return [
        citizen
        for citizen in town.living()
        if not citizen.is_possessed and agent_id(town, citizen.number) not in scripted
    ]


def _keep_decision(track: _Track, town: Town, citizen: Citizen, observer: Observer, selected: int) -> None:
    mask = action_mask(town, citizen)
    track.rows.append(observer.row_of(town, citizen))
    track.masks.append(mask)
    # Whoever is bound to an option keeps it, whatever the controller would select.
    track.actions.append(selected if mask[selected] else mask.index(1))
    values = citizen_metrics(town, citizen)
    track.metrics = {metric.key: value for metric, value in zip(CITIZEN_METRICS, values, strict=True)}


def _pushed(town: Town, citizen: Citizen, track: _Track, push: float) -> int:
    valid = [action for action, is_valid in enumerate(track.masks[-1]) if is_valid]
    chance, place = (u01(draw(town.seed, _PUSHES, town.tick, citizen.number, 0, k)) for k in range(2))
    if len(valid) == 1 or chance >= push:
        return track.actions[-1]
    return valid[int(place * len(valid))]


def _keep_outcomes(tracks: dict[int, _Track], town: Town, acting: dict[int, int]) -> None:
    for number, seat in acting.items():
        tracks[number].rewards.append(town.report.rewards[seat].total)
        tracks[number].has_left = seat in town.report.exits


def _episode(track: _Track, stored: StoredScenario, town: Town, shape: MapShape) -> CitizenEpisode:
    rows = np.stack(track.rows)
    return CitizenEpisode(
        agent=track.agent,
        scenario=stored.scenario.name,
        config_id=town.tables.effective_id,
        seed=town.seed,
        tags=stored.scenario.tags,
        maps=rows[:, : shape.size].reshape(-1, *shape) if shape.size else None,
        features=rows[:, shape.size :],
        actions=np.array(track.actions, np.int32),
        masks=np.array(track.masks, np.uint8),
        rewards=np.array(track.rewards, np.float32),
        has_left=track.has_left,
        metrics={**track.metrics, "return": sum(track.rewards)},
    )
