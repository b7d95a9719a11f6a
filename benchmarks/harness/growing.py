"""Controllers of growing hosts: trains one, and lets one decide for held-out hosts; each in a process of its own."""

import time
from dataclasses import asdict, dataclass
from typing import Final

import torch

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.callbacks import Callback
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.trainer import Trainer
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.settings import TrainingSettings
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.fast import engine_maker
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from diorama.worlds.registry import load_world

_WORLD: Final = "morphogenesis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one process needs to know; `values` are settings over the preset."""

    preset: str
    values: JsonObject
    seed: int
    limit_s: float

    def settings(self) -> TrainingSettings:
        """Return the settings of the run."""
        own: dict[str, object] = {"world": _WORLD, "seed": self.seed, **self.values}
        return settings_of([load_preset(_WORLD, self.preset), Layer(source="benchmark", values=own)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """A trained controller, and how its rounds went: mean final accuracy and raw return of each."""

    seed: int
    weights: dict[str, torch.Tensor]
    accuracies: list[float]
    returns: list[float]
    seconds: float


class RoundLog(Callback):
    """Notes how every episode of a round ended."""

    def __init__(self, accuracy_column: int) -> None:
        """Start empty."""
        self.accuracies: list[float] = []
        self.returns: list[float] = []
        self._column = accuracy_column
        self._total = 0.0

    def on_step(self, step: StepView) -> None:
        """Add up what was paid, and note where episodes ended."""
        self._total += float(step.rewards.sum())
        if step.truncated.any():
            self.accuracies.append(float(step.metrics[:, self._column].mean()))
            self.returns.append(self._total / step.copies)
            self._total = 0.0

    def on_update(self, report: UpdateReport) -> None:
        """Nothing of an update is needed."""


def train(plan: Plan) -> Trained:
    """Train one controller."""
    torch.set_num_threads(1)
    settings, began = plan.settings(), time.monotonic()
    batch = _batch(settings, settings.seed)
    log = RoundLog(batch.spec.metric_keys.index("final_accuracy"))
    trainer = Trainer(batch, settings.trainer, seed=settings.seed, callbacks=[log])
    while trainer.env_steps_total < settings.steps and time.monotonic() - began < plan.limit_s:
        trainer.run(trainer.env_steps_total + 1)
    weights = {name: tensor.cpu() for name, tensor in trainer.policy.state_dict().items()}
    trainer.close()
    return Trained(
        seed=plan.seed,
        weights=weights,
        accuracies=log.accuracies,
        returns=log.returns,
        seconds=time.monotonic() - began,
    )


def judge_learned(plan: Plan, weights: dict[str, torch.Tensor], key: int, place: int) -> list[EpisodeResult]:
    """Let a trained controller decide for the hosts of a held-out key, as likely as it finds its options."""
    torch.set_num_threads(1)
    settings = plan.settings()
    batch = _batch(settings, key)
    policy = build_policy(batch.spec, settings.trainer, seed=0)
    policy.load_state_dict(weights)
    return play_policy(batch, policy, place)


def play_policy(batch: Batch, policy: Policy, place: int) -> list[EpisodeResult]:
    """Play one round with a policy; results stand at this place among the rounds that are compared."""
    player = PolicyPlayer(policy, batch.spec, batch.rows, deterministic=False, seed=0)
    player.see(batch.extra)
    batch.reset()
    player.reset(range(batch.rows), [batch.episode_seed(copy) for copy in range(batch.copies)])
    while not batch.truncated.any():
        batch.step(player.act(batch.obs, batch.obs_u8, batch.masks))
        # A host that was put back has an empty memory behind it.
        again = [row for row in range(batch.rows) if batch.episode_start[row] and not batch.truncated[row]]
        player.reset(again, [batch.episode_seed(row) for row in again])
    columns = {name: place for place, name in enumerate(batch.spec.metric_keys)}
    return [
        EpisodeResult(
            round_index=place,
            env_id=copy,
            final_accuracy=row[columns["final_accuracy"]],
            control_accuracy=row[columns["control_accuracy"]],
            param_ratio=row[columns["param_ratio"]],
            stability_score=row[columns["stability_score"]],
            num_fossilized=int(row[columns["num_fossilized"]]),
            prune_count=int(row[columns["prune_count"]]),
            rollbacks=int(row[columns["rollbacks"]]),
        )
        for copy, row in enumerate(batch.metrics.tolist())
    ]


def judge_other(plan: Plan, controller: str, key: int, place: int) -> list[EpisodeResult]:
    """Let another controller decide for the same hosts."""
    torch.set_num_threads(1)
    settings = plan.settings()
    config = MorphogenesisConfig.model_validate(settings.config)
    hosts = MorphogenesisWorld.build(
        config,
        engine_maker(settings.tier),
        envs=settings.copies,
        root_key=key,
        device=settings.execution.device,
    )
    run = play_rounds(hosts, controller_named(controller, hosts.nursery), name=controller, rounds=1)
    return [at_place(result, place) for result in run.results]


def at_place(result: EpisodeResult, place: int) -> EpisodeResult:
    """Return a result as one of this place among the rounds that are compared."""
    return EpisodeResult(**{**asdict(result), "round_index": place})


def _batch(settings: TrainingSettings, seed: int) -> Batch:
    return make_batch(
        load_world(_WORLD),
        copies=settings.copies,
        config=settings.config,
        seed=seed,
        tier=settings.tier,
        device=settings.execution.device,
    )
