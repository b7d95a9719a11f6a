"""Episodes of lanes that live on a device: what `episodes.py` is to the host, tensor by tensor, without waiting."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID, get_action_codec, require_codec
from diorama.worlds.gameboy.config import GameboyConfig, Kind
from diorama.worlds.gameboy.envs.device_judges import DeviceJudge, DeviceVerdict, GoalJudge, NoJudge, RulesJudge, Seen
from diorama.worlds.gameboy.envs.device_library import noop_steps_each, start_slot_each
from diorama.worlds.gameboy.envs.device_starts import DeviceStarts
from diorama.worlds.gameboy.envs.keys import pressed_by
from diorama.worlds.gameboy.envs.lane_state import LaneState
from diorama.worlds.gameboy.envs.layout import RAM_V3_WIDTH, Layout, layout_of
from diorama.worlds.gameboy.envs.tensor_lanes import TensorFace, host_of

_NOOP: Final = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOutcome:
    """A step of every lane, before lanes that ended are opened again."""

    verdict: DeviceVerdict
    steps: torch.Tensor
    trapped: torch.Tensor
    terminated: torch.Tensor
    truncated: torch.Tensor

    @property
    def ended(self) -> torch.Tensor:
        """Lanes whose episode is over."""
        return self.terminated | self.truncated

    @property
    def success(self) -> torch.Tensor:
        """Lanes whose episode ended well."""
        return self.verdict.reached & ~self.trapped

    @property
    def advanced(self) -> torch.Tensor:
        """Lanes that go on to their next stage."""
        return self.verdict.advanced & ~self.ended


class DeviceEpisodes:
    """Lanes of one configuration and the episodes they are in.

    Attributes:
        lanes: The consoles.
        device: Where they and all tensors live.
        layout: Of an observation row.
        steps: Steps of each lane's episode so far.
        slots: Start state it began with.
        stages: Stage of a curriculum; 0 elsewhere.
        last_rewards: What the last step paid; 0 at an opening.
        watched: Watched bytes.
        judge: Judges steps, and remembers what that needs.
    """

    def __init__(self, config: GameboyConfig, lanes: TensorFace) -> None:
        """Take over lanes that watch and draw what the configuration asks for; `begin` opens their first episodes."""
        require_codec(config.action_codec_id, expected_id=DEFAULT_ACTION_CODEC_ID, artifact="the configuration")
        self.config = config
        self.lanes = lanes
        self.device: torch.device = lanes.device
        self.layout: Layout = layout_of(config)
        self.starts = DeviceStarts(config, host_of(lanes), self.layout, lanes.device)
        self.count = host_of(lanes).lanes
        self.judge = self._choose_judge()
        # Made once: a list of places would be sent to the device at every step, and waited for.
        self._watch_columns = self._columns([self.layout.addresses.index(address) for address in self.layout.watch])
        task = self.layout.task
        self._sense_columns = self._columns([] if task is None else [task.column(name) for name in task.file.senses])
        self._pressed_by = self._columns([*pressed_by(config), _NOOP]).int() if config.keys else None
        self._last_action = get_action_codec(config.action_codec_id).num_actions
        self.steps = torch.zeros(self.count, dtype=torch.int32, device=self.device)
        self.slots, self.stages = self.steps.clone(), self.steps.clone()
        self.last_rewards = torch.zeros(self.count, device=self.device)
        self._ring = torch.zeros(
            (config.stack, self.count, *host_of(lanes).picture_shape), dtype=torch.uint8, device=self.device
        )
        self._newest = 0
        self.look()

    def start_slots(self, seeds: torch.Tensor, episodes: torch.Tensor) -> torch.Tensor:
        """Return the start state of each lane's episode: its seed, as an int64 word, and the episode's number."""
        starts = 1 if self.config.kind is Kind.CURRICULUM else self.starts.starts
        start = start_slot_each(seeds, episodes, starts)
        noops = noop_steps_each(seeds, episodes, self.config.noop_start_max)
        return (start * self.starts.noops + noops).to(torch.int32)

    def begin(self, slots: torch.Tensor) -> None:
        """Begin an episode of every lane in these start states."""
        everyone = torch.ones(self.count, dtype=torch.bool, device=self.device)
        self._enter(everyone, everyone.logical_not(), slots)

    def advance(self, actions: torch.Tensor) -> DeviceOutcome:
        """Take a step with one action of each lane, int32; lanes that end are left to `go_on`."""
        config = self.config
        pressed = actions if self._pressed_by is None else self._pressed_by[actions.clamp(0, self._last_action)]
        self.lanes.step_tensor(pressed, config.frames_per_step, config.release_after_frames)
        self._newest = (self._newest + 1) % config.stack
        self._ring[self._newest].copy_(self.lanes.picture_tensor)
        self.look()
        self.steps = self.steps + 1
        verdict = self.judge.judge(self._seen())
        trapped = self.lanes.trap_tensor != 0
        truncated = self.steps >= config.max_steps
        self.last_rewards = verdict.rewards
        return DeviceOutcome(
            verdict=verdict,
            steps=self.steps,
            trapped=trapped,
            terminated=verdict.reached | verdict.failed | trapped,
            truncated=torch.zeros_like(truncated) if config.kind is Kind.PIXELS else truncated,
        )

    def go_on(self, outcome: DeviceOutcome, slots: torch.Tensor) -> None:
        """Put ended lanes into these start states and advanced ones into their next stage, all in one restore."""
        self._enter(outcome.ended, outcome.advanced, slots)

    def look(self) -> None:
        """Read again what the lanes show besides pictures."""
        self.watched = self.lanes.watch_tensor
        self._ram_v3 = self.lanes.ram_v3_tensor[:, : self.starts.ram_v3.shape[1]]

    def pictures(self) -> torch.Tensor:
        """All pictures oldest first, (lanes, stack, ...); with a stack of one no copy is made."""
        if self.config.stack == 1:
            return self._ring[0][:, None]
        return torch.stack([self._ring[place] for place in self._order()], dim=1)

    def take_over(self, states: Sequence[LaneState]) -> None:
        """Go on with the episodes of lanes that were restored; what the judge remembers was restored before."""
        device = self.device
        self.steps, self.slots, self.stages = (
            torch.tensor([getattr(state, name) for state in states], dtype=torch.int32, device=device)
            for name in ("steps", "slot", "stage")
        )
        self.last_rewards = torch.tensor([state.last_reward for state in states], device=device)
        pictures = torch.from_numpy(np.stack([state.pictures for state in states]))
        for place, picture in zip(self._order(), pictures.unbind(1), strict=True):
            self._ring[place].copy_(picture)
        # Nobody is moved: this lets the lanes be looked at again.
        self.lanes.restore_golden_tensor(torch.zeros_like(self.steps, dtype=torch.uint8), torch.zeros_like(self.slots))
        self.look()

    @property
    def watch_bytes(self) -> torch.Tensor:
        """Bytes of format `watch`."""
        return self.watched[:, self._watch_columns]

    @property
    def ram_v3(self) -> torch.Tensor:
        """Numbers of format `ram_v3`; no columns where they are not observed."""
        return self._ram_v3

    @property
    def senses(self) -> torch.Tensor:
        """Numbers of the task, the last reward behind them."""
        sensed = self.watched[:, self._sense_columns].to(torch.float32)
        return torch.cat([sensed, self.last_rewards[:, None]], dim=1)

    def observe(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> None:
        """Write the observation rows of all lanes, as the contract lays them out."""
        layout, at = self.layout, self.layout.picture_bytes
        if at:
            stacked = obs_u8[:, :at].unflatten(1, (self.config.stack, *self._ring.shape[2:]))
            for place, shown in zip(self._order(), stacked.unbind(1), strict=True):
                shown.copy_(self._ring[place])
        if layout.watch:
            obs_u8[:, at : at + len(layout.watch)] = self.watch_bytes
            at += len(layout.watch)
        if layout.task is not None and layout.events:
            obs_u8[:, at : at + layout.events] = self.watched[:, layout.task.event_columns]
        if layout.ram_v3:
            obs[:, :RAM_V3_WIDTH] = self._ram_v3
        if layout.task is not None:
            obs[:, RAM_V3_WIDTH if layout.ram_v3 else 0 :] = self.senses

    def _enter(self, ended: torch.Tensor, advanced: torch.Tensor, slots: torch.Tensor) -> None:
        """Begin episodes and stages."""
        self.steps = torch.where(ended, 0, self.steps)
        self.last_rewards = torch.where(ended, 0.0, self.last_rewards)
        self.stages = torch.where(ended, 0, self.stages + advanced)
        self.slots = torch.where(ended, slots, self.slots)
        moved, into = ended | advanced, torch.where(ended, slots, self.stages * self.starts.noops)
        self.lanes.restore_golden_tensor(moved.to(torch.uint8), into)
        starts, row = self.starts, moved[:, None]
        torch.where(moved[None, :, None, None], starts.pictures[into][None], self._ring, out=self._ring)
        self.look()
        self.watched = torch.where(row, starts.watched[into], self.watched)
        self._ram_v3 = torch.where(row, starts.ram_v3[into], self._ram_v3)
        self.judge.open(moved, self._seen())

    def _order(self) -> list[int]:
        stack = self.config.stack
        return [(self._newest + 1 + place) % stack for place in range(stack)]

    def _seen(self) -> Seen:
        return Seen(newest=self._ring[self._newest], stack=self.pictures, watched=self.watched, stages=self.stages)

    def _columns(self, places: list[int]) -> torch.Tensor:
        return torch.tensor(places, dtype=torch.int64, device=self.device)

    def _choose_judge(self) -> DeviceJudge:
        if self.layout.task is not None:
            return RulesJudge(self.config, self.count, self.device)
        if self.config.kind is Kind.PIXELS:
            return NoJudge(self.count, self.device)
        return GoalJudge(self.config, self.count, self.device)
