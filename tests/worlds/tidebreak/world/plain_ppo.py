"""PPO on one page over a Gymnasium vector environment with several choices a step, as single-file libraries have it."""

from dataclasses import dataclass, field

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

_CLIP, _GAMMA, _LAMBDA, _EPOCHS, _VALUE_COEF = 0.2, 0.99, 0.95, 2, 0.5


class Agent(nn.Module):
    """Actor with one categorical for each choice, and critic."""

    def __init__(self, width: int, sizes: list[int]) -> None:
        super().__init__()
        self.sizes = sizes
        self.body = nn.Sequential(nn.Linear(width, 64), nn.Tanh())
        self.actor, self.critic = nn.Linear(64, sum(sizes)), nn.Linear(64, 1)

    def judge(self, obs: torch.Tensor, actions: torch.Tensor | None = None) -> tuple[torch.Tensor, ...]:
        """Return actions, their log-probability and the value; actions are drawn where none are given."""
        seen = self.body(obs)
        choices = [Categorical(logits=part) for part in self.actor(seen).split(self.sizes, dim=-1)]
        taken = torch.stack([choice.sample() for choice in choices], dim=-1) if actions is None else actions
        log_probs = torch.stack([choice.log_prob(taken[..., at]) for at, choice in enumerate(choices)]).sum(0)
        return taken, log_probs, self.critic(seen).squeeze(-1)


@dataclass(slots=True)
class Rollout:
    """Steps of every copy, in order."""

    obs: list[torch.Tensor] = field(default_factory=list)
    actions: list[torch.Tensor] = field(default_factory=list)
    log_probs: list[torch.Tensor] = field(default_factory=list)
    values: list[torch.Tensor] = field(default_factory=list)
    rewards: list[torch.Tensor] = field(default_factory=list)
    goes_on: list[torch.Tensor] = field(default_factory=list)

    def advantages(self, last: torch.Tensor) -> torch.Tensor:
        """Generalized advantages, steps × copies."""
        carried, following, found = torch.zeros_like(last), last, []
        for step in reversed(range(len(self.rewards))):
            difference = self.rewards[step] + _GAMMA * following * self.goes_on[step] - self.values[step]
            carried = difference + _GAMMA * _LAMBDA * self.goes_on[step] * carried
            following = self.values[step]
            found.append(carried)
        return torch.stack(found[::-1])


def train(envs: gymnasium.vector.VectorEnv, agent: Agent, *, steps: int, rollout_steps: int, seed: int) -> list[float]:
    """Learn for so many steps of all copies together; the loss of every update."""
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
    seen = torch.as_tensor(envs.reset(seed=seed)[0], dtype=torch.float32)
    losses = []
    for _ in range(steps // (rollout_steps * envs.num_envs)):
        rollout = Rollout()
        for _ in range(rollout_steps):
            with torch.no_grad():
                actions, log_probs, values = agent.judge(seen)
            after, rewards, terminated, truncated, _ = envs.step(actions.numpy())
            rollout.obs.append(seen)
            rollout.actions.append(actions)
            rollout.log_probs.append(log_probs)
            rollout.values.append(values)
            rollout.rewards.append(torch.as_tensor(rewards, dtype=torch.float32))
            rollout.goes_on.append(torch.as_tensor(~np.logical_or(terminated, truncated), dtype=torch.float32))
            seen = torch.as_tensor(after, dtype=torch.float32)
        losses.append(_update(agent, optimizer, rollout, seen))
    return losses


def _update(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, seen: torch.Tensor) -> float:
    with torch.no_grad():
        advantages = rollout.advantages(agent.judge(seen)[2])
    returns = advantages + torch.stack(rollout.values)
    normal = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    obs, actions, old = (torch.stack(part) for part in (rollout.obs, rollout.actions, rollout.log_probs))
    for _ in range(_EPOCHS):
        _, log_probs, values = agent.judge(obs, actions)
        ratios = (log_probs - old).exp()
        gain = torch.minimum(ratios * normal, ratios.clamp(1 - _CLIP, 1 + _CLIP) * normal).mean()
        loss = _VALUE_COEF * (values - returns).square().mean() - gain
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()
