"""PPO in one file, in the manner of CleanRL: everything is here to be read and changed.

python examples/cleanrl_style.py --steps 200000

It trains on a Gymnasium vector environment with action masks. `diorama train` does the same faster, with exact resume,
windows, checkpoints and replays.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.distributions import Categorical

from diorama.engine.adapters.gymnasium_vector import DioramaVectorEnv


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What can be set."""

    steps: int = 200_000
    num_envs: int = 32
    rollout_steps: int = 64
    minibatches: int = 4
    epochs: int = 4
    learning_rate: float = 3e-4
    gamma: float = 0.997
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    max_grad_norm: float = 0.5
    seed: int = 0


class Agent(nn.Module):
    """Actor and critic of their own."""

    def __init__(self, inputs: int, options: int) -> None:
        """Make both networks."""
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, options))
        self.critic = nn.Sequential(nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 1))

    def choices(self, obs: torch.Tensor, masks: torch.Tensor) -> Categorical:
        """Return the distribution over valid options."""
        return Categorical(logits=self.actor(obs).masked_fill(~masks, -1e8))

    def values(self, obs: torch.Tensor) -> torch.Tensor:
        """Return what the critic expects."""
        return torch.as_tensor(self.critic(obs)).squeeze(-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What happened, steps by envs; `next_values` are already 0 after an end and bootstrapped after a cut."""

    obs: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    rewards: torch.Tensor
    ended: torch.Tensor
    values: torch.Tensor
    next_values: torch.Tensor


class Trainer:
    """Rollout, advantages, clipped updates."""

    def __init__(self, arguments: Arguments) -> None:
        """Open the environments."""
        torch.manual_seed(arguments.seed)
        torch.set_num_threads(1)  # networks this small are slower when several threads share them
        self.arguments = arguments
        self.envs = DioramaVectorEnv(
            "prospector",
            num_envs=arguments.num_envs,
            config={"reward_profile": "v2", "time_max": 2000.0},
            seed=arguments.seed,
        )
        spec = self.envs.contract
        self.agent = Agent(spec.obs_width, len(spec.option_names))
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=arguments.learning_rate, eps=1e-5)
        self.returns: list[float] = []
        self._running = np.zeros(arguments.num_envs)
        obs, info = self.envs.reset()
        self._obs, self._masks = _tensors(obs, info["action_mask"])

    @torch.no_grad()
    def collect(self) -> Rollout:
        """Play one rollout."""
        rows: list[tuple[torch.Tensor, ...]] = []
        for _ in range(self.arguments.rollout_steps):
            choices = self.agent.choices(self._obs, self._masks)
            actions = torch.as_tensor(choices.sample())
            seen, masks = self._obs, self._masks
            obs, rewards, terminated, truncated, info = self.envs.step(actions.numpy())
            self._obs, self._masks = _tensors(obs, info["action_mask"])
            ended = np.asarray(terminated, np.bool_) | np.asarray(truncated, np.bool_)
            self._note(np.asarray(rewards, np.float64), ended)
            after = self._obs.clone()
            for env in np.asarray(truncated).nonzero()[0].tolist():
                # The episode was cut off, not over: what it saw last still has a value.
                after[env] = torch.from_numpy(np.array(info["final_obs"][env], np.float32))
            next_values = self.agent.values(after) * torch.from_numpy(~np.asarray(terminated, np.bool_))
            paid = torch.from_numpy(np.asarray(rewards, np.float32))
            has_ended = torch.from_numpy(ended)
            log_probs = choices.log_prob(actions)
            rows.append((seen, masks, actions, log_probs, paid, has_ended, self.agent.values(seen), next_values))
        names = ("obs", "masks", "actions", "log_probs", "rewards", "ended", "values", "next_values")
        return Rollout(
            **{name: torch.stack(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
        )

    def learn(self, rollout: Rollout) -> float:
        """Update the policy and return the last loss."""
        asked = self.arguments
        advantages = _advantages(rollout, asked.gamma, asked.gae_lambda)
        flat = [item.flatten(0, 1) for item in (rollout.obs, rollout.masks, rollout.actions, rollout.log_probs)]
        targets, spread = (advantages + rollout.values).flatten(), advantages.flatten()
        spread = (spread - spread.mean()) / (spread.std() + 1e-8)
        loss = torch.zeros(())
        for _ in range(asked.epochs):
            for rows in torch.randperm(len(targets)).chunk(asked.minibatches):
                obs, masks, actions, old = (item[rows] for item in flat)
                choices = self.agent.choices(obs, masks)
                ratio = (choices.log_prob(actions) - old).exp()
                clipped = ratio.clamp(1.0 - asked.clip, 1.0 + asked.clip)
                policy_loss = -torch.min(ratio * spread[rows], clipped * spread[rows]).mean()
                value_loss = 0.5 * (self.agent.values(obs) - targets[rows]).square().mean()
                undecided = choices.entropy().mean()
                loss = policy_loss + asked.value * value_loss - asked.entropy * undecided
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), asked.max_grad_norm)
                self.optimizer.step()
        return float(loss.detach())

    def _note(self, rewards: NDArray[np.float64], ended: NDArray[np.bool_]) -> None:
        self._running += rewards
        self.returns += self._running[ended].tolist()
        self._running[ended] = 0.0


def _advantages(rollout: Rollout, gamma: float, gae_lambda: float) -> torch.Tensor:
    errors = rollout.rewards + gamma * rollout.next_values - rollout.values
    advantages = torch.zeros_like(errors)
    later = torch.zeros_like(errors[0])
    for step in reversed(range(len(errors))):
        later = errors[step] + gamma * gae_lambda * later * ~rollout.ended[step]
        advantages[step] = later
    return advantages


def _tensors(obs: object, masks: object) -> tuple[torch.Tensor, torch.Tensor]:
    # The environment reuses its arrays; the rollout keeps what it has seen.
    return torch.from_numpy(np.array(obs, np.float32)), torch.from_numpy(np.array(masks, np.bool_))


def main(arguments: Sequence[str] | None = None) -> Trainer:
    """Train and say how it goes."""
    parser = argparse.ArgumentParser(description="Train prospector with PPO in one file.")
    defaults = Arguments()
    parser.add_argument("--steps", type=int, default=defaults.steps)
    parser.add_argument("--num-envs", type=int, default=defaults.num_envs)
    parser.add_argument("--seed", type=int, default=defaults.seed)
    asked = Arguments(**vars(parser.parse_args(arguments)))
    trainer = Trainer(asked)
    began, per_update = time.perf_counter(), asked.rollout_steps * asked.num_envs
    for update in range(1, asked.steps // per_update + 1):
        loss = trainer.learn(trainer.collect())
        recent = trainer.returns[-100:]
        shown = f"{sum(recent) / len(recent):.3f}" if recent else "-"
        speed = update * per_update / (time.perf_counter() - began)
        print(f"{update * per_update:>9,} steps  return {shown}  loss {loss:.4f}  {speed:,.0f} steps/s")
    return trainer


if __name__ == "__main__":
    main()
