"""Settings, policies and batches of the controller, as its presets describe them, and a listener."""

from collections.abc import Mapping

import torch

from diorama.contracts.config import WorldConfig
from diorama.contracts.rounds import RoundTracker
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.world import World
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.policies.policy import Policy, build_policy
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.settings import TrainingSettings
from diorama.worlds.morphogenesis import WORLD
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.controller.features import observation_width
from tests.learn.recording_callback import RecordingCallback
from tests.worlds.morphogenesis.small_worlds import SMALL

SLOTS = 3


class Closing(RecordingCallback):
    """Closes a round when its update is known."""

    def __init__(self, keeper: RoundTracker) -> None:
        super().__init__()
        self.keeper = keeper
        self.details: list[UpdateDetails] = []

    def on_details(self, details: UpdateDetails) -> None:
        self.details.append(details)
        self.keeper.close(details)


def controller_settings(preset: str = "scratch", **values: object) -> TrainingSettings:
    """Return the settings of a preset with others laid over it."""
    own: dict[str, object] = {"world": "morphogenesis", **values}
    return settings_of([load_preset("morphogenesis", preset), Layer(source="test", values=own)])


def controller_policy(preset: str = "scratch", *, seed: int = 3) -> Policy:
    """Return the first weights of a preset's policy."""
    settings = controller_settings(preset)
    spec = WORLD.describe(MorphogenesisConfig.model_validate(settings.config))
    return build_policy(spec, settings.trainer, seed=seed)


def small_batch(
    copies: int = 2,
    *,
    seed: int = 5,
    config: Mapping[str, object] | None = None,
    world: World[MorphogenesisConfig] = WORLD,
) -> Batch:
    """Return copies whose epochs take milliseconds."""
    chosen: World[WorldConfig] = world  # type: ignore[assignment]
    return make_batch(chosen, copies=copies, config={**SMALL, **(config or {})}, seed=seed, tier="fast")


def rows_of(rows: int, *, seed: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
    """Return made-up observations: floats, and blueprints with empty slots among them."""
    generator = torch.Generator().manual_seed(seed)
    obs = torch.randn(rows, observation_width(SLOTS), generator=generator)
    return obs, torch.randint(0, 14, (rows, SLOTS), generator=generator, dtype=torch.uint8)
