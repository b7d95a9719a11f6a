"""Other trainers that learn for a given time, and their policies as contenders."""

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch

from diorama.contracts.values import F32, I32, U8
from diorama.engine.players import BatchPlayer, Contender, ContenderKind
from diorama.engine.system_facts import usable_cores
from diorama.learn.policies.names import parse_name
from diorama.training.plan import TrainingPlan
from harness.learning.protocols import MASKABLE_PPO, PUFFERLIB_PPO
from peers.puffer import PufferTraining, open_puffer_training
from peers.work import Work

Act = Callable[[F32, U8, U8], I32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerPoint:
    """Weights of a peer's policy, and the wall time of training after which it had them."""

    seconds: float
    env_steps: int
    weights: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRun:
    """What a peer has learned: points of its curve, and contenders made from their weights."""

    points: list[PeerPoint]
    contender: Callable[[PeerPoint, bool], Contender]


def why_not(peer: str, plan: TrainingPlan) -> str | None:
    """Return why a peer cannot train a plan; None where it can."""
    package = {MASKABLE_PPO: "sb3_contrib", PUFFERLIB_PPO: "pufferlib"}[peer]
    if find_spec(package) is None:
        return f"{package} is not installed"
    if plan.spec.agents != 1:
        return "its adapter takes one seat per copy"
    if plan.spec.obs_u8_width or parse_name(plan.settings.policy.arch).memory is not None:
        return "its network here is one of plain layers over float observations"
    return None


def train_peer(peer: str, plan: TrainingPlan, seed: int, *, seconds: float, points: int) -> PeerRun:
    """Let a peer learn for so many seconds with the network, batch and discount of a plan."""
    # All cores, as our own training has; single episodes are judged on one.
    torch.set_num_threads(usable_cores())
    torch.manual_seed(seed)
    np.random.seed(seed)
    try:
        return (_train_maskable if peer == MASKABLE_PPO else _train_puffer)(plan, seed, seconds, points)
    finally:
        torch.set_num_threads(1)


def _train_maskable(plan: TrainingPlan, seed: int, seconds: float, points: int) -> PeerRun:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    from diorama.engine.adapters.sb3 import DioramaVecEnv

    settings = plan.settings
    widths, activation = _layers(plan)
    envs = DioramaVecEnv(settings.world, copies=settings.copies, config=plan.venue.config, seed=seed)
    batch = settings.copies * settings.ppo.rollout_steps
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=settings.ppo.rollout_steps,
        batch_size=batch // settings.ppo.num_minibatches,
        n_epochs=settings.ppo.update_epochs,
        gamma=settings.ppo.gamma,
        gae_lambda=settings.ppo.gae_lambda,
        policy_kwargs={"net_arch": widths, "activation_fn": activation},
        seed=seed,
        device="cpu",
    )
    clock = _Clock(seconds, points)

    class UntilTimeIsUp(BaseCallback):
        def _on_step(self) -> bool:
            return not clock.is_over

        def _on_rollout_start(self) -> None:
            clock.tick(self.num_timesteps, self.model.policy.state_dict)

    model.learn(10**12, callback=UntilTimeIsUp())
    clock.tick(model.num_timesteps, model.policy.state_dict, is_last=True)

    def contender(point: PeerPoint, deterministic: bool) -> Contender:
        model.policy.load_state_dict(point.weights)

        def act(obs: F32, obs_u8: U8, masks: U8) -> I32:
            chosen, _ = model.predict(obs, deterministic=deterministic, action_masks=masks.astype(bool))
            return np.asarray(chosen, np.int32).reshape(len(obs), -1)

        return _contender(MASKABLE_PPO, act)

    envs.close()
    return PeerRun(points=clock.points, contender=contender)


def _train_puffer(plan: TrainingPlan, seed: int, seconds: float, points: int) -> PeerRun:
    settings = plan.settings
    work = Work(
        world=settings.world,
        config=plan.venue.config.model_dump(),
        arch=settings.policy.arch,
        copies=settings.copies,
        rollout_steps=settings.ppo.rollout_steps,
        minibatches=settings.ppo.num_minibatches,
        passes=settings.ppo.update_epochs,
    )
    training: PufferTraining = open_puffer_training(
        work, {"seed": seed, "gamma": settings.ppo.gamma, "gae_lambda": settings.ppo.gae_lambda}
    )
    policy = training.policy
    clock = _Clock(seconds, points)
    while not clock.is_over:
        clock.tick(training.trainer.global_step, policy.state_dict)
        training.trainer.evaluate()
        training.trainer.train()
    clock.tick(training.trainer.global_step, policy.state_dict, is_last=True)
    training.close()

    def contender(point: PeerPoint, deterministic: bool) -> Contender:
        policy.load_state_dict(point.weights)

        @torch.no_grad()
        def act(obs: F32, obs_u8: U8, masks: U8) -> I32:
            logits, _ = policy(torch.from_numpy(np.ascontiguousarray(obs)))
            heads = logits if isinstance(logits, tuple | list) else (logits,)
            chosen = [
                head.argmax(dim=1) if deterministic else torch.distributions.Categorical(logits=head).sample()
                for head in heads
            ]
            return np.asarray(torch.stack(chosen, dim=1).numpy(), np.int32)

        return _contender(PUFFERLIB_PPO, act)

    return PeerRun(points=clock.points, contender=contender)


class _Clock:
    """Keeps weights at evenly spread moments; copying them is not counted."""

    def __init__(self, seconds: float, points: int) -> None:
        self.points: list[PeerPoint] = []
        self._seconds = seconds
        self._count = points
        self._began = time.perf_counter()

    @property
    def is_over(self) -> bool:
        return self._spent >= self._seconds

    def tick(self, env_steps: int, weights: Callable[[], dict[str, Any]], *, is_last: bool = False) -> None:
        spent = self._spent
        due = self._seconds * (len(self.points) + 1) / self._count
        if is_last or (spent >= due and len(self.points) < self._count - 1):
            self.points.append(PeerPoint(seconds=spent, env_steps=env_steps, weights=copy.deepcopy(weights())))
            self._began += self._spent - spent

    @property
    def _spent(self) -> float:
        return time.perf_counter() - self._began


@dataclass(slots=True)
class _Player:
    """Plays every row by one function of what the rows see."""

    choose: Act

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Do nothing: peers have no memory here."""

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row."""
        return self.choose(obs, obs_u8, masks)

    def retire(self, rows: Sequence[int]) -> None:
        """Do nothing: an idle row costs as much as a playing one."""


def _contender(name: str, act: Act) -> Contender:
    def start(spec: object, rows: int) -> BatchPlayer:
        torch.manual_seed(0)
        return _Player(act)

    return Contender(name=name, kind=ContenderKind.RUN, start=start)


def _layers(plan: TrainingPlan) -> tuple[list[int], type[torch.nn.Module]]:
    arch = parse_name(plan.settings.policy.arch)
    activations = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU, "gelu": torch.nn.GELU, "silu": torch.nn.SiLU}
    return list(arch.widths), activations[arch.activation]
