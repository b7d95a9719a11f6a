"""`GoalReward` with torch, so that nothing leaves the device."""

import torch

from consoles.goal_reward import ALPHA, CONSECUTIVE, DISTANCE, GOAL_BONUS, MAX_STEPS, STEP_COST, TAU


class DeviceReward:
    """Goal environment on pictures that live on a device."""

    def __init__(self, pictures: torch.Tensor) -> None:
        """Take the negative of the first picture as the goal, which no ROM shows."""
        lanes, device = len(pictures), pictures.device
        goal = (~pictures[0]).reshape(-1).long()
        self._columns = torch.from_numpy(DISTANCE).to(device)[goal]
        self._most = 3.0 * 4 * len(goal)
        self._before = torch.ones(lanes, device=device)
        self._consecutive = torch.zeros(lanes, dtype=torch.int32, device=device)
        self._steps = torch.zeros(lanes, dtype=torch.int32, device=device)
        self._slots = torch.zeros(lanes, dtype=torch.int32, device=device)
        self.rewards = torch.zeros(lanes, device=device)

    def step(self, pictures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Judge a step; gives the mask of lanes that begin anew, and their golden slots."""
        flat = pictures.reshape(len(pictures), -1).long()
        sums = self._columns.unsqueeze(0).expand(len(flat), -1, -1).gather(2, flat.unsqueeze(2)).sum(dim=(1, 2))
        distance = sums.float() / self._most
        self._steps += 1
        self._consecutive = torch.where(distance < TAU, self._consecutive + 1, 0)
        is_reached = self._consecutive >= CONSECUTIVE
        self.rewards = STEP_COST + ALPHA * (self._before - distance) + GOAL_BONUS * is_reached
        ended = is_reached | (self._steps >= MAX_STEPS)
        self._before = torch.where(ended, torch.ones_like(distance), distance)
        self._consecutive = torch.where(ended, 0, self._consecutive)
        self._steps = torch.where(ended, 0, self._steps)
        return ended.to(torch.uint8), self._slots
