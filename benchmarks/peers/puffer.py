"""PufferLib's trainer.

It imports modules for sweeps and help texts that need further packages, and a compiled advantage loop that its source
package does not build everywhere. The former are left out, since nothing measured uses them, and where the loop is
missing, ours takes its place. PufferLib knows no action masks and so has a little less to do.
"""

import argparse
import signal
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

import torch
from torch import nn

from diorama.learn.gae import GaeParams, Outcomes, compute_advantages
from diorama.learn.policies.names import PolicyName, parse_name
from peers.work import PeerRate, Rate, Work, layers_of

PUFFERLIB: Final = "PufferLib 3.0 trainer on our batch"


def measure_pufferlib(work: Work, *, seconds: float) -> PeerRate:
    """Measure PufferLib 3.0's trainer through the PufferLib adapter."""
    if find_spec("pufferlib") is None:
        return PeerRate(PUFFERLIB, None, "pufferlib is not installed; `make setup` installs it")
    try:
        training = open_puffer_training(work)
    except ImportError as error:
        return PeerRate(PUFFERLIB, None, f"its trainer does not import: {error}")
    trainer, rate = training.trainer, Rate(seconds)
    while not rate.is_enough:
        rate.mark(trainer.global_step)
        trainer.evaluate()
        trainer.train()
    rate.mark(trainer.global_step)
    training.close()
    return PeerRate(PUFFERLIB, rate.per_second)


@dataclass(frozen=True, slots=True, kw_only=True)
class PufferTraining:
    """PufferLib's trainer on our batch, and the policy it trains."""

    trainer: Any
    envs: Any
    policy: nn.Module

    def close(self) -> None:
        """End its threads and free the copies."""
        self.trainer.utilization.stop()
        self.envs.close()


def open_puffer_training(work: Work, changes: Mapping[str, object] | None = None) -> PufferTraining:
    """Open a training with its settings for this work, some of them changed.

    Raises:
        ImportError: Its trainer cannot be imported.
    """
    trainer_type = _pufferlib_trainer()
    import pufferlib.vector

    from diorama.engine.adapters.puffer import DioramaPufferEnv

    envs = pufferlib.vector.make(
        DioramaPufferEnv, env_kwargs={"world": work.world, "copies": work.copies, "config": work.config}
    )
    arch = parse_name(work.arch)
    policy = _puffer_policy(arch, envs)
    config = {**_puffer_config(work, uses_memory=arch.memory is not None), **(changes or {})}
    return PufferTraining(trainer=trainer_type(config, envs, policy), envs=envs, policy=policy)


def _puffer_policy(arch: PolicyName, envs: Any) -> nn.Module:
    import pufferlib.models

    policy = pufferlib.models.Default(envs, hidden_size=arch.memory_size or arch.widths[-1])
    policy.encoder, _ = layers_of(arch, envs.single_observation_space.shape[0])
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
        found = compute_advantages(outcomes, GaeParams(gamma=gamma, gae_lambda=lambda_))
        advantages[:, :-1] = found.t()

    library.impl("compute_puff_advantage", compute, "CPU")
    _LIBRARIES.append(library)


_LIBRARIES: list[torch.library.Library] = []  # a registration lasts as long as its library object
