"""Two policies that learn side by side, each under its own reward mode, on the same first weights and data."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing

from diorama.cli.morphogenesis.options import RunSettings
from diorama.cli.morphogenesis.playing import event_lines
from diorama.contracts.rounds import RoundsPlan
from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject
from diorama.engine.make import make_batch
from diorama.learn.callbacks import Callback
from diorama.learn.settings import value_at
from diorama.learn.trainer import Trainer
from diorama.training.envs import ReplaceableEnvs
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.settings import TrainingSettings
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
from diorama.worlds.morphogenesis.comparison.groups import group_id, pair_named
from diorama.worlds.morphogenesis.contract import WORLD_ID
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import EpisodeOutcomePayload
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.registry import load_world

PRESET = "demo"


class LearningGroup(Callback):
    """One policy, and how its episodes ended; implements `TrainingListener` and hears updates in detail.

    Attributes:
        mode: What its decisions are paid by.
        results: Episodes so far.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        mode: RewardMode,
        *,
        letter: str,
        write: Callable[[JsonObject], None],
        advance: Callable[[], None],
    ) -> None:
        """Build hosts and policy.

        Args:
            settings: Of its training.
            mode: Its reward mode.
            letter: What its events call it.
            write: Takes every event.
            advance: Called after every epoch.
        """
        self.mode = mode
        self.results: list[EpisodeResult] = []
        self._letter, self._write, self._advance = letter, write, advance
        self._rollbacks: Counter[int] = Counter()
        batch = make_batch(
            load_world(WORLD_ID),
            copies=settings.copies,
            config=settings.config,
            seed=settings.seed,
            tier=settings.tier,
            device=settings.execution.device,
        )
        copies = ReplaceableEnvs(batch)
        self._steps_of_round = settings.copies * settings.ppo.rollout_steps
        self._keeper = copies.track_rounds(
            RoundsPlan(
                rounds=settings.steps // self._steps_of_round,
                learning_rate=value_at(settings.optimizer.learning_rate, 0),
                clip_coef=settings.ppo.clip_coef,
                entropy_coefficient=value_at(settings.ppo.ent_coef, 0),
                device=settings.execution.device,
                collapse_rule=settings.telemetry.value_collapse_rule,
            ),
            self._hear,
        )
        self._trainer = Trainer(copies, settings.trainer, seed=settings.seed, callbacks=[self])

    def learn_round(self) -> None:
        """Play the next round and learn from it."""
        self._trainer.run(self._trainer.env_steps_total + self._steps_of_round)

    def close(self) -> None:
        """End the trainer's threads."""
        self._trainer.close()

    def on_step(self, step: StepView) -> None:
        """Count an epoch."""
        self._advance()

    def on_update(self, report: UpdateReport) -> None:
        """Nothing of it is needed."""

    def on_details(self, details: UpdateDetails) -> None:
        """Close the round that was learned from."""
        self._keeper.close(details)

    def _hear(self, event: JsonObject) -> None:
        self._write({**event, "group_id": self._letter})
        data = event["data"]
        if not isinstance(data, dict):
            return
        if event["event_type"] == TelemetryEventType.GOVERNOR_ROLLBACK.name:
            self._rollbacks[int(str(data["env_id"]))] += 1
        if event["event_type"] == TelemetryEventType.EPISODE_OUTCOME.name:
            outcome = EpisodeOutcomePayload.from_dict(data)
            rollbacks = self._rollbacks.pop(outcome.env_id, 0)
            self.results.append(EpisodeResult.of(outcome, round_index=outcome.episode_idx, rollbacks=rollbacks))


def learn_side_by_side(
    settings: RunSettings, pair: str, *, advance: Callable[[], None]
) -> list[tuple[str, list[EpisodeResult]]]:
    """Train a policy under each mode of a pair, one round of each in turn, and return how their episodes ended.

    Raises:
        ConfigError: There is no such pair.
    """
    modes = pair_named(pair)
    plans = [_settings(settings, mode) for mode in modes]
    with event_lines(settings) as write, ExitStack() as stack:
        groups = [
            stack.enter_context(
                closing(LearningGroup(plan, mode, letter=group_id(place), write=write, advance=advance))
            )
            for place, (mode, plan) in enumerate(zip(modes, plans, strict=True))
        ]
        for _ in range(settings.rounds):
            for group in groups:
                group.learn_round()
    return [(group.mode.value, group.results) for group in groups]


def _settings(settings: RunSettings, mode: RewardMode) -> TrainingSettings:
    values: dict[str, object] = {
        "world": WORLD_ID,
        "seed": settings.root_key,
        "copies": settings.envs,
        "tier": settings.tier,
        "config": {**settings.values(), "reward_mode": mode.value},
    }
    preset = load_preset(WORLD_ID, PRESET)
    asked = settings_of([preset, Layer(source="--dual-ab", values=values)])
    steps = settings.rounds * settings.envs * asked.ppo.rollout_steps
    return settings_of([preset, Layer(source="--dual-ab", values={**values, "steps": steps})])
