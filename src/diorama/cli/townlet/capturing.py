"""What `diorama townlet capture` does once its flags are read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.learn.imitation.dataset_files import Layout, Manifest, ObservationPart
from diorama.learn.imitation.datasets import DatasetPlan, RecordedEpisode, write_dataset
from diorama.learn.imitation.episodes import Episode, discounted_returns
from diorama.worlds.townlet.capture.choosing import chosen_suites
from diorama.worlds.townlet.capture.recording import CitizenEpisode, capture
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.contract import describe
from diorama.worlds.townlet.layout import FEATURE_NAMES, map_shape
from diorama.worlds.townlet.scenarios.loading import StoredScenario
from diorama.worlds.townlet.scenarios.opening import config_of

TEACHER: Final = "scripted"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureRequest:
    """What is to be captured.

    Attributes:
        name: Of the dataset.
        root: Folder of the datasets.
        scenes: Names or files; all capture suites for none.
        rounds: How often every scene is played, each time with the next seed.
        push: Share of the decisions in which citizens are pushed off their way.
        overrides: Laid over the configuration of every scene.
        replaces: Dataset that is deprecated by this one.
    """

    name: str
    root: Path
    scenes: tuple[str, ...]
    rounds: int
    push: float
    overrides: Mapping[str, object]
    replaces: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturePlan:
    """A request that has been checked; nothing is written yet."""

    request: CaptureRequest
    scenes: tuple[StoredScenario, ...]
    layout: Layout
    gamma: float

    @property
    def ticks(self) -> int:
        """How long all of it lasts."""
        return self.request.rounds * sum(stored.scenario.ticks for stored in self.scenes)


def plan_capture(request: CaptureRequest) -> CapturePlan:
    """Read the scenes and see that they can be learned from together.

    Raises:
        UnknownName: There is no scene of that name.
        ConfigError: A scene is wrong, or scenes have different observations or discounts.
    """
    scenes = chosen_suites(request.scenes, request.overrides)
    configs = [config_of(stored) for stored in scenes]
    layouts = [_layout(config) for config in configs]
    for stored, layout, config in zip(scenes, layouts, configs, strict=True):
        if layout != layouts[0] or config.ppo.gamma != configs[0].ppo.gamma:
            raise ConfigError(
                f"scene {stored.scenario.name} is observed or discounted otherwise than {scenes[0].scenario.name}; "
                "capture them into datasets of their own, or give --config for all"
            )
    return CapturePlan(request=request, scenes=tuple(scenes), layout=layouts[0], gamma=configs[0].ppo.gamma)


def hold_capture(plan: CapturePlan, advance: Callable[[], None]) -> Manifest:
    """Play all scenes and write the dataset; `advance` is called after every tick."""
    request = plan.request
    return write_dataset(
        request.root,
        DatasetPlan(name=request.name, teacher=TEACHER, gamma=plan.gamma, layout=plan.layout),
        _played(plan, advance),
        replaces=request.replaces,
    )


def _played(plan: CapturePlan, advance: Callable[[], None]) -> Iterator[RecordedEpisode]:
    for stored in plan.scenes:
        for turn in range(plan.request.rounds):
            seed = stored.scenario.seed + turn
            episodes = list(capture(stored, seed=seed, push=plan.request.push, advance=advance))
            if not episodes:
                raise ConfigError(
                    f"scene {stored.scenario.name}: all its citizens follow scripts of their own, and the controller "
                    "leads nobody in it; choose one in which it does"
                )
            yield from (_demonstrated(shown, plan.gamma) for shown in episodes)


def _demonstrated(shown: CitizenEpisode, gamma: float) -> RecordedEpisode:
    dones = np.zeros(len(shown.rewards), np.uint8)
    dones[-1] = shown.has_left
    return RecordedEpisode(
        episode=Episode(
            observation={"features": shown.features}
            if shown.maps is None
            else {"map": shown.maps, "features": shown.features},
            actions=shown.actions[:, None],
            masks=shown.masks,
            rewards=shown.rewards,
            dones=dones,
            values=discounted_returns(shown.rewards, gamma),
        ),
        agent=shown.agent,
        scenario=shown.scenario,
        config_id=shown.config_id,
        seed=shown.seed,
        tags=shown.tags,
        metrics=shown.metrics,
    )


def _layout(config: TownletConfig) -> Layout:
    spec, shape = describe(config), map_shape(config)
    picture = (ObservationPart(name="map", shape=tuple(shape)),) if shape.size else ()
    return Layout(
        world=spec.world,
        interface_version=spec.interface_version,
        observation=(*picture, ObservationPart(name="features", shape=(len(FEATURE_NAMES),))),
        feature_names=FEATURE_NAMES,
        action_layout=spec.option_names,
    )
