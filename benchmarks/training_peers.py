"""What other trainers reach on the same copies, with the same network, batch and number of passes.

Stable-Baselines3 gets the network as a features extractor, so that actor and critic share it as they do here. It is
measured twice: on our batch through the `VecEnv` adapter, which lends it our stepping, and the way it is commonly
used, on its own `DummyVecEnv` of single Gymnasium environments.

PufferLib's trainer imports modules for sweeps and help texts that need further packages, and a compiled advantage
loop that its source package does not build everywhere. The former are left out, since nothing measured uses them, and
where the loop is missing, ours takes its place. PufferLib knows no action masks and so has a little less to do.
"""

import argparse
import signal
import sys
import time
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import torch
from torch import nn

from diorama.learn.advantages import Decay, Outcomes, compute_advantages
from diorama.learn.policies.names import PolicyName, parse_name

SB3_ON_OURS = "stable-baselines3 PPO on our batch"
SB3_USUAL = "stable-baselines3 PPO, DummyVecEnv"
PUFFERLIB = "PufferLib 3.0 trainer on our batch"
USUAL_ENVS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What every trainer does.

    Attributes:
        world: World id.
        arch: Network by name; peers build the same one from torch's own layers.
        copies: Environments.
        rollout_steps: Decisions per copy and update.
        minibatches: Optimizer steps per pass.
        passes: Passes per rollout.
    """

    world: str
    config: dict[str, object]
    arch: str
    copies: int
    rollout_steps: int
    minibatches: int
    passes: int

    @property
    def decisions_per_update(self) -> int:
        """Decisions of all copies between updates."""
        return self.copies * self.rollout_steps


@dataclass(frozen=True, slots=True)
class PeerRate:
    """Decisions per second of one trainer, or why it could not be measured."""

    name: str
    decisions_per_second: float | None
    skipped: str | None = None


def measure_peers(work: Work, *, seconds: float) -> list[PeerRate]:
    """Measure every peer with one torch thread and with one per core, and keep the better."""
    before = torch.get_num_threads()
    rates = []
    for measure in (measure_sb3, measure_sb3_dummies, measure_pufferlib):
        tried = []
        for threads in sorted({1, before}):
            torch.set_num_threads(threads)
            tried.append(measure(work, seconds=seconds))
        rates.append(max(tried, key=lambda rate: rate.decisions_per_second or 0.0))
    torch.set_num_threads(before)
    return rates


def measure_sb3(work: Work, *, seconds: float) -> PeerRate:
    """Measure Stable-Baselines3's PPO on our batch."""
    if find_spec("stable_baselines3") is None:
        return PeerRate(SB3_ON_OURS, None, "stable-baselines3 is not installed")
    from diorama.engine.adapters.sb3 import DioramaVecEnv

    return _measure_sb3(
        SB3_ON_OURS, work, DioramaVecEnv(work.world, copies=work.copies, config=work.config, seed=1), seconds
    )


def measure_sb3_dummies(work: Work, *, seconds: float) -> PeerRate:
    """Measure Stable-Baselines3's PPO on Gymnasium environments that it steps one after another."""
    if find_spec("stable_baselines3") is None:
        return PeerRate(SB3_USUAL, None, "stable-baselines3 is not installed")
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    name = f"diorama/{work.world.capitalize()}-v1"
    envs = DummyVecEnv([lambda: gymnasium.make(name, config=work.config)] * USUAL_ENVS)
    return _measure_sb3(SB3_USUAL, work, envs, seconds)


def _measure_sb3(name: str, work: Work, envs: Any, seconds: float) -> PeerRate:
    if parse_name(work.arch).memory is not None:
        return PeerRate(name, None, "its PPO has no memory")
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

    class Trunk(BaseFeaturesExtractor):
        def __init__(self, observation_space: Any) -> None:
            layers, width = _layers(parse_name(work.arch), observation_space.shape[0])
            super().__init__(observation_space, width)
            self.layers = layers

        def forward(self, observations: torch.Tensor) -> torch.Tensor:
            features: torch.Tensor = self.layers(observations)
            return features

    class Clock(BaseCallback):
        def __init__(self) -> None:
            super().__init__()
            self.rate = Rate(seconds)

        def _on_step(self) -> bool:
            return True

        def _on_rollout_start(self) -> None:
            self.rate.mark(self.num_timesteps)

        def _on_training_end(self) -> None:
            self.rate.mark(self.num_timesteps)

    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=work.decisions_per_update // envs.num_envs,
        batch_size=work.decisions_per_update // work.minibatches,
        n_epochs=work.passes,
        policy_kwargs={"features_extractor_class": Trunk, "net_arch": []},
        device="cpu",
    )
    clock = Clock()
    updates = 2
    while not clock.rate.is_enough:
        model.learn(updates * work.decisions_per_update, callback=clock, reset_num_timesteps=False)
    envs.close()
    return PeerRate(name, clock.rate.per_second)


def measure_pufferlib(work: Work, *, seconds: float) -> PeerRate:
    """Measure PufferLib 3.0's trainer through the PufferLib adapter."""
    if find_spec("pufferlib") is None:
        return PeerRate(PUFFERLIB, None, "pufferlib is not installed; `make setup` installs it")
    try:
        trainer_type = _pufferlib_trainer()
    except ImportError as error:
        return PeerRate(PUFFERLIB, None, f"its trainer does not import: {error}")
    import pufferlib.models
    import pufferlib.vector

    from diorama.engine.adapters.puffer import DioramaPufferEnv

    envs = pufferlib.vector.make(
        DioramaPufferEnv, env_kwargs={"world": work.world, "copies": work.copies, "config": work.config}
    )
    arch = parse_name(work.arch)
    policy = _puffer_policy(arch, envs)
    trainer = trainer_type(_puffer_config(work, uses_memory=arch.memory is not None), envs, policy)
    rate = Rate(seconds)
    while not rate.is_enough:
        rate.mark(trainer.global_step)
        trainer.evaluate()
        trainer.train()
    rate.mark(trainer.global_step)
    trainer.utilization.stop()
    envs.close()
    return PeerRate(PUFFERLIB, rate.per_second)


class Rate:
    """Decisions per second between the first mark after warming up and the last."""

    def __init__(self, seconds: float) -> None:
        """Measure for at least this long."""
        self._seconds = seconds
        self._marks: list[tuple[float, int]] = []

    def mark(self, decisions: int) -> None:
        """Note how many decisions have been taken by now; the first update is the warm-up."""
        self._marks.append((time.perf_counter(), decisions))

    @property
    def is_enough(self) -> bool:
        """Whether there is enough to tell the rate."""
        return len(self._marks) > 2 and self._marks[-1][0] - self._marks[1][0] >= self._seconds

    @property
    def per_second(self) -> float:
        """Return decisions per second."""
        (began, first), (ended, last) = self._marks[1], self._marks[-1]
        return (last - first) / (ended - began)


def _layers(arch: PolicyName, inputs: int) -> tuple[nn.Sequential, int]:
    activations: dict[str, Callable[[], nn.Module]] = {
        "tanh": nn.Tanh,
        "relu": nn.ReLU,
        "gelu": nn.GELU,
        "silu": nn.SiLU,
    }
    layers: list[nn.Module] = []
    for width in arch.widths or (arch.memory_size,):
        layers += [nn.Linear(inputs, width), activations[arch.activation]()]
        inputs = width
    return nn.Sequential(*layers), inputs


def _puffer_policy(arch: PolicyName, envs: Any) -> nn.Module:
    import pufferlib.models

    policy = pufferlib.models.Default(envs, hidden_size=arch.memory_size or arch.widths[-1])
    policy.encoder, _ = _layers(arch, envs.single_observation_space.shape[0])
    if arch.memory is None:
        return policy  # type: ignore[no-any-return]
    wrapped: nn.Module = pufferlib.models.LSTMWrapper(envs, policy, arch.memory_size, arch.memory_size)
    return wrapped


def _puffer_config(work: Work, *, uses_memory: bool) -> dict[str, object]:
    return {
        "seed": 1,
        "torch_deterministic": True,
        "cpu_offload": False,
        "device": "cpu",
        "optimizer": "adam",
        "anneal_lr": False,
        "precision": "float32",
        "total_timesteps": 10**12,
        "learning_rate": 3e-4,
        "gamma": 0.997,
        "gae_lambda": 0.95,
        "update_epochs": work.passes,
        "clip_coef": 0.2,
        "vf_coef": 0.5,
        "vf_clip_coef": 0.2,
        "max_grad_norm": 0.5,
        "ent_coef": 0.01,
        "adam_beta1": 0.9,
        "adam_beta2": 0.999,
        "adam_eps": 1e-5,
        "checkpoint_interval": 10**9,
        "batch_size": work.decisions_per_update,
        "minibatch_size": work.decisions_per_update // work.minibatches,
        "max_minibatch_size": work.decisions_per_update,
        "bptt_horizon": work.rollout_steps,
        "compile": False,
        "vtrace_rho_clip": 1.0,
        "vtrace_c_clip": 1.0,
        "prio_alpha": 0.8,
        "prio_beta0": 0.2,
        "use_rnn": uses_memory,
        "env": work.world,
        "data_dir": "experiments",
    }


@cache
def _pufferlib_trainer() -> Any:
    import pufferlib

    pufferlib.sweep = _stand_in("pufferlib.sweep")
    if find_spec("rich_argparse") is None:
        _stand_in("rich_argparse").RichHelpFormatter = argparse.HelpFormatter  # type: ignore[attr-defined]
    if find_spec("pufferlib._C") is None:
        pufferlib._C = _stand_in("pufferlib._C")
        _offer_advantages()
    interrupt = signal.getsignal(signal.SIGINT)
    from pufferlib.pufferl import PuffeRL

    signal.signal(signal.SIGINT, interrupt)  # importing it makes Ctrl-C end the process at once

    class Silent(PuffeRL):  # type: ignore[misc] # PufferLib ships no types
        def print_dashboard(self, *args: object, **kwargs: object) -> None:
            """Draw nothing."""

    return Silent


def _stand_in(name: str) -> types.ModuleType:
    sys.modules[name] = types.ModuleType(name)
    return sys.modules[name]


def _offer_advantages() -> None:
    """Register the operation PufferLib's trainer calls; its arrays are rows × steps, rewards one step later."""
    library = torch.library.Library("pufferlib", "DEF")
    library.define(
        "compute_puff_advantage(Tensor(a!) values, Tensor(b!) rewards, Tensor(c!) dones, Tensor(d!) importance,"
        " Tensor(e!) advantages, float gamma, float lambda_, float rho_clip, float c_clip) -> ()"
    )

    def compute(
        values: torch.Tensor,
        rewards: torch.Tensor,
        dones: torch.Tensor,
        importance: torch.Tensor,
        advantages: torch.Tensor,
        gamma: float,
        lambda_: float,
        rho_clip: float,
        c_clip: float,
    ) -> None:
        ended = dones.t()[1:].to(torch.uint8).contiguous()
        outcomes = Outcomes(
            rewards=rewards.t()[1:].contiguous(),
            values=values.t().contiguous(),
            terminated=ended,
            truncated=torch.zeros_like(ended),
            bootstrap=torch.zeros(ended.shape),
        )
        found = compute_advantages(outcomes, Decay(gamma=gamma, gae_lambda=lambda_))
        advantages[:, :-1] = found.t()

    library.impl("compute_puff_advantage", compute, "CPU")
    _LIBRARIES.append(library)


_LIBRARIES: list[torch.library.Library] = []  # a registration lasts as long as its library object
