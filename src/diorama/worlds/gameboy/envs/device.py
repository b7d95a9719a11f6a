"""`DeviceEnv`: the environment kinds over lanes that live on a device; tensors in and out, nothing waits for the host.

The step order, the rewards and the rules are those of `Episodes`, computed by the same lines in `goals/matching.py` and
`tasks/`. Seeds are the specification's: a lane seed from `base_seed`, lane and ROM, and the number of the episode.
"""

from typing import Literal, Self

import torch

from diorama.contracts.errors import UnknownOption
from diorama.worlds.gameboy.config import GameboyConfig, ObservationFormat
from diorama.worlds.gameboy.envs.console_calls import ConsoleCalls
from diorama.worlds.gameboy.envs.device_episodes import DeviceEpisodes, DeviceOutcome
from diorama.worlds.gameboy.envs.device_library import words_on
from diorama.worlds.gameboy.envs.seeds import lane_seed
from diorama.worlds.gameboy.envs.tensor_lanes import TensorFace, check_actions, host_of, open_tensor_lanes

InfoMode = Literal["full", "stats", "none"]
Observation = torch.Tensor | dict[str, torch.Tensor]
Info = dict[str, torch.Tensor]


class DeviceEnv(ConsoleCalls):
    """Consoles as a vector environment of tensors.

    What `reset` and `step` return is valid until the next `step`. A lane that ends is put into its next start state
    within the step; rewards and flags belong to the step that ended it, and `info["final_obs"]` keeps its last view.

    Attributes:
        name: The backend.
        lanes: The consoles.
        host: The same for calls about one of them.
        num_envs: How many there are.
        device: Where they and all tensors live.
    """

    def __init__(
        self,
        config: GameboyConfig,
        lanes: TensorFace,
        *,
        name: str,
        base_seed: int = 0,
        info: InfoMode = "stats",
        validate_actions: bool | None = None,
    ) -> None:
        """Take over lanes that watch and draw what `open_env` asks for; use that."""
        super().__init__(config, host_of(lanes))
        self.name = name
        self.lanes = lanes
        self.device: torch.device = lanes.device
        self._episodes = DeviceEpisodes(config, lanes)
        self._info_mode = info
        self._validates = lanes.device.type == "cpu" if validate_actions is None else validate_actions
        self._base_seed = base_seed
        self._is_reset = False
        # Made once: a list of levels would be sent to the device at every step, and waited for.
        self._levels = torch.tensor([0.1, 0.5, 0.9], device=self.device)

    @classmethod
    def open_env(
        cls,
        config: GameboyConfig,
        num_envs: int,
        *,
        backend: str = "warp_cuda",
        device: str = "cuda:0",
        threads: int = 1,
        base_seed: int = 0,
        info: InfoMode = "stats",
        validate_actions: bool | None = None,
    ) -> Self:
        """Switch consoles on.

        Args:
            config: As for a batch of the platform.
            num_envs: How many consoles.
            backend: `warp_cuda`, `warp_cpu`, or a host backend (`rust`, `py`) whose tensors are on the CPU.
            device: Which GPU `warp_cuda` runs on.
            threads: Threads of backend `rust`.
            base_seed: Where lane seeds come from; below 2^63.
            info: What `step` tells besides: every lane, statistics over lanes, or nothing.
            validate_actions: Whether actions are checked to be keys, which waits for the device; by default on the
                CPU only. A number that is no key acts as NOOP where it is not checked.

        Raises:
            TierUnavailable: If the backend cannot run here.
        """
        lanes = open_tensor_lanes(config, num_envs, backend=backend, device=device, threads=threads)
        return cls(config, lanes, name=backend, base_seed=base_seed, info=info, validate_actions=validate_actions)

    def reset(self, seed: int | None = None) -> tuple[Observation, Info]:
        """Begin the first episode of every lane, from another base seed if one is given."""
        if seed is not None:
            self._base_seed = seed
        sha256 = self.rom_sha256
        self._seeds = words_on([lane_seed(self._base_seed, lane, sha256) for lane in range(self.num_envs)], self.device)
        self._numbers = torch.zeros(self.num_envs, dtype=torch.int64, device=self.device)
        self._episodes.begin(self._episodes.start_slots(self._seeds, self._numbers))
        self._is_reset = True
        return self._observe(), {}

    def step(self, actions: torch.Tensor) -> tuple[Observation, torch.Tensor, torch.Tensor, torch.Tensor, Info]:
        """Take a step with one action of each lane: observation, reward, terminated, truncated, info.

        Raises:
            RuntimeError: If the environment has not been reset.
            TypeError: If the actions are no int32 tensor.
            ValueError: If shape, memory or device are wrong, or, where that is checked, an action is no key.
        """
        if not self._is_reset:
            raise RuntimeError("the environment has not been reset; call reset() first")
        self._check(actions)
        outcome = self._episodes.advance(actions)
        info = self._info(outcome)
        self._numbers = self._numbers + outcome.ended
        self._episodes.go_on(outcome, self._episodes.start_slots(self._seeds, self._numbers))
        return self._observe(), outcome.verdict.rewards, outcome.terminated, outcome.truncated, info

    def close(self) -> None:
        """Forget the consoles' episodes; the environment must be reset before it is stepped again."""
        self._is_reset = False

    def _check(self, actions: torch.Tensor) -> None:
        check_actions(actions, self.num_envs, self.device)
        if self._validates and bool(((actions < 0) | (actions >= self.num_actions)).any()):
            raise UnknownOption(f"an action is outside 0..{self.num_actions - 1} of codec {self.action_codec.id!r}")

    def _observe(self) -> Observation:
        episodes, task = self._episodes, self._episodes.layout.task
        if self.config.observation is ObservationFormat.RAM_V3:
            seen = episodes.ram_v3
        elif self.config.observation is ObservationFormat.WATCH:
            seen = episodes.watch_bytes
        else:
            pictures = episodes.pictures()
            seen = pictures[:, 0] if self.config.stack == 1 else pictures
        if task is None:
            return seen
        return {"pixels": seen, "senses": episodes.senses, "events": episodes.watched[:, task.event_columns]}

    def _info(self, outcome: DeviceOutcome) -> Info:
        if self._info_mode == "none":
            return {}
        pictures, distances = self._episodes.pictures(), outcome.verdict.distances
        found: Info = {"final_obs": pictures[:, 0].clone() if self.config.stack == 1 else pictures}
        if self._info_mode == "full":
            return {**found, "dist": distances.clone(), "reset_mask": outcome.ended, "trap": outcome.trapped}
        low, middle, high = torch.quantile(distances, self._levels)
        return {
            **found,
            "dist_mean": distances.mean(),
            "dist_p10": low,
            "dist_p50": middle,
            "dist_p90": high,
            "done_rate": outcome.terminated.float().mean(),
            "trunc_rate": outcome.truncated.float().mean(),
            "reset_rate": outcome.ended.float().mean(),
        }
