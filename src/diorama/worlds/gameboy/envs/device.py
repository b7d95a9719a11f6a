"""`DeviceEnv`: the environment kinds over lanes that live on a device; tensors in and out, nothing waits for the host.

The step order, the rewards and the rules are those of `Episodes`, computed by the same lines in `goals/matching.py` and
`tasks/`. Seeds are the specification's: a lane seed from `base_seed`, lane and ROM, and the number of the episode.
"""

from typing import Final, Literal, Self

import torch

from diorama.contracts.errors import UnknownOption
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID, require_codec
from diorama.worlds.gameboy.config import GameboyConfig, Kind, ObservationFormat
from diorama.worlds.gameboy.envs.console_calls import ConsoleCalls
from diorama.worlds.gameboy.envs.device_judges import DeviceJudge, DeviceVerdict, GoalJudge, NoJudge, RulesJudge, Seen
from diorama.worlds.gameboy.envs.device_library import noop_steps_each, start_slot_each, words_on
from diorama.worlds.gameboy.envs.device_starts import DeviceStarts
from diorama.worlds.gameboy.envs.keys import pressed_by
from diorama.worlds.gameboy.envs.layout import Layout, layout_of
from diorama.worlds.gameboy.envs.screen import PICTURE_SHAPES
from diorama.worlds.gameboy.envs.seeds import lane_seed
from diorama.worlds.gameboy.envs.starts import rom_of
from diorama.worlds.gameboy.envs.tensor_lanes import TensorFace, TensorLanes, check_actions, host_of
from diorama.worlds.gameboy.lanes import open_device_lanes, open_lanes

InfoMode = Literal["full", "stats", "none"]
Observation = torch.Tensor | dict[str, torch.Tensor]
Info = dict[str, torch.Tensor]
_NOOP: Final = 0
_WITH_TENSORS: Final = ("warp_cpu", "warp_cuda")


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
        require_codec(config.action_codec_id, expected_id=DEFAULT_ACTION_CODEC_ID, artifact="the configuration")
        super().__init__(config, host_of(lanes))
        self.name = name
        self.lanes = lanes
        self.device: torch.device = lanes.device
        self._layout: Layout = layout_of(config)
        self._info_mode = info
        self._validates = lanes.device.type == "cpu" if validate_actions is None else validate_actions
        self._starts = DeviceStarts(config, self.host, self._layout, lanes.device)
        self._judge = self._choose_judge()
        self._base_seed = base_seed
        self._is_reset = False
        # Made once: a list of places or levels would be sent to the device at every step, and waited for.
        self._watch_columns = self._columns([self._layout.addresses.index(address) for address in self._layout.watch])
        task = self._layout.task
        self._sense_columns = self._columns([] if task is None else [task.column(name) for name in task.file.senses])
        self._pressed_by = self._columns([*pressed_by(config), _NOOP]).int() if config.keys else None
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
        layout = layout_of(config)
        rom = rom_of(config).data
        picture = config.observation.value if config.observation in PICTURE_SHAPES else "none"
        lanes: TensorFace
        if backend in _WITH_TENSORS:
            lanes = open_device_lanes(
                backend,
                rom,
                num_envs,
                boot=config.boot,
                picture=picture,
                watch=layout.addresses,
                allow_bad_checksum=config.allow_bad_checksum,
                device=device,
            )
        else:
            host = open_lanes(
                backend,
                rom,
                num_envs,
                threads=threads,
                boot=config.boot,
                picture=picture,
                watch=layout.addresses,
                allow_bad_checksum=config.allow_bad_checksum,
            )
            lanes = TensorLanes(host, len(layout.addresses), ram_v3=layout.ram_v3)
        return cls(config, lanes, name=backend, base_seed=base_seed, info=info, validate_actions=validate_actions)

    def reset(self, seed: int | None = None) -> tuple[Observation, Info]:
        """Begin the first episode of every lane, from another base seed if one is given."""
        if seed is not None:
            self._base_seed = seed
        sha256 = self.rom_sha256
        self._seeds = words_on([lane_seed(self._base_seed, lane, sha256) for lane in range(self.num_envs)], self.device)
        everyone = torch.ones(self.num_envs, dtype=torch.bool, device=self.device)
        zeros = torch.zeros(self.num_envs, dtype=torch.int32, device=self.device)
        self._episodes = torch.zeros(self.num_envs, dtype=torch.int64, device=self.device)
        self._steps, self._stages = zeros, zeros.clone()
        self._last_rewards = torch.zeros(self.num_envs, device=self.device)
        self._ring = torch.zeros(
            (self.config.stack, self.num_envs, *self.host.picture_shape), dtype=torch.uint8, device=self.device
        )
        self._newest = 0
        self._look()
        self._move(everyone, self._first_slots())
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
        pressed = actions if self._pressed_by is None else self._pressed_by[actions.clamp(0, self.num_actions)]
        self.lanes.step_tensor(pressed, self.config.frames_per_step, self.config.release_after_frames)
        self._push()
        self._steps = self._steps + 1
        verdict = self._judge.judge(self._seen())
        trapped = self.lanes.trap_tensor != 0
        terminated = verdict.reached | verdict.failed | trapped
        truncated = self._steps >= self.config.max_steps
        if self.config.kind is Kind.PIXELS:
            truncated = torch.zeros_like(truncated)
        self._last_rewards = verdict.rewards
        info = self._info(verdict, trapped, terminated, truncated)
        self._open(terminated | truncated, verdict.advanced)
        return self._observe(), verdict.rewards, terminated, truncated, info

    def close(self) -> None:
        """Forget the consoles' episodes; the environment must be reset before it is stepped again."""
        self._is_reset = False

    def _columns(self, places: list[int]) -> torch.Tensor:
        return torch.tensor(places, dtype=torch.int64, device=self.device)

    def _choose_judge(self) -> DeviceJudge:
        if self._layout.task is not None:
            return RulesJudge(self.config, self.num_envs, self.device)
        if self.config.kind is Kind.PIXELS:
            return NoJudge(self.num_envs, self.device)
        return GoalJudge(self.config, self.num_envs, self.device)

    def _check(self, actions: torch.Tensor) -> None:
        check_actions(actions, self.num_envs, self.device)
        if self._validates and bool(((actions < 0) | (actions >= self.num_actions)).any()):
            raise UnknownOption(f"an action is outside 0..{self.num_actions - 1} of codec {self.action_codec.id!r}")

    def _push(self) -> None:
        self._newest = (self._newest + 1) % self.config.stack
        self._ring[self._newest].copy_(self.lanes.picture_tensor)
        self._look()

    def _look(self) -> None:
        self._watched = self.lanes.watch_tensor
        self._ram_v3 = self.lanes.ram_v3_tensor[:, : self._starts.ram_v3.shape[1]]

    def _open(self, ended: torch.Tensor, advanced: torch.Tensor) -> None:
        """Put ended lanes into their next start and advanced ones into their next stage, all in one restore."""
        self._episodes = self._episodes + ended
        self._steps = torch.where(ended, 0, self._steps)
        self._last_rewards = torch.where(ended, 0.0, self._last_rewards)
        self._stages = torch.where(ended, 0, self._stages + advanced)
        slots = torch.where(ended, self._first_slots(), self._stages * self._starts.noops)
        self._move(ended | advanced, slots)

    def _first_slots(self) -> torch.Tensor:
        starts = 1 if self.config.kind is Kind.CURRICULUM else self._starts.starts
        start = start_slot_each(self._seeds, self._episodes, starts)
        noops = noop_steps_each(self._seeds, self._episodes, self.config.noop_start_max)
        return (start * self._starts.noops + noops).to(torch.int32)

    def _move(self, lanes: torch.Tensor, slots: torch.Tensor) -> None:
        self.lanes.restore_golden_tensor(lanes.to(torch.uint8), slots)
        starts, row = self._starts, lanes[:, None]
        pictures = starts.pictures[slots]
        torch.where(lanes[None, :, None, None], pictures[None], self._ring, out=self._ring)
        self._watched = torch.where(row, starts.watched[slots], self._watched)
        self._ram_v3 = torch.where(row, starts.ram_v3[slots], self._ram_v3)
        self._judge.open(lanes, self._seen())

    def _seen(self) -> Seen:
        return Seen(newest=self._ring[self._newest], stack=self._pictures, watched=self._watched, stages=self._stages)

    def _pictures(self) -> torch.Tensor:
        """All pictures oldest first, (lanes, stack, ...); with a stack of one no copy is made."""
        if self.config.stack == 1:
            return self._ring[0][:, None]
        order = [(self._newest + 1 + place) % self.config.stack for place in range(self.config.stack)]
        return torch.stack([self._ring[place] for place in order], dim=1)

    def _observe(self) -> Observation:
        task = self._layout.task
        if self.config.observation is ObservationFormat.RAM_V3:
            seen = self._ram_v3
        elif self.config.observation is ObservationFormat.WATCH:
            seen = self._watched[:, self._watch_columns]
        else:
            seen = self._ring[0] if self.config.stack == 1 else self._pictures()
        if task is None:
            return seen
        sensed = self._watched[:, self._sense_columns].to(torch.float32)
        senses = torch.cat([sensed, self._last_rewards[:, None]], dim=1)
        return {"pixels": seen, "senses": senses, "events": self._watched[:, task.event_columns]}

    def _info(
        self, verdict: DeviceVerdict, trapped: torch.Tensor, terminated: torch.Tensor, truncated: torch.Tensor
    ) -> Info:
        if self._info_mode == "none":
            return {}
        ended = terminated | truncated
        final = self._pictures().clone() if self.config.stack == 1 else self._pictures()
        found: Info = {"final_obs": final if self.config.stack > 1 else final[:, 0]}
        if self._info_mode == "full":
            return {**found, "dist": verdict.distances.clone(), "reset_mask": ended, "trap": trapped}
        low, middle, high = torch.quantile(verdict.distances, self._levels)
        return {
            **found,
            "dist_mean": verdict.distances.mean(),
            "dist_p10": low,
            "dist_p50": middle,
            "dist_p90": high,
            "done_rate": terminated.float().mean(),
            "trunc_rate": truncated.float().mean(),
            "reset_rate": ended.float().mean(),
        }
