"""Episodes of many lanes at once: everything a step does, array by array, and nothing lane by lane."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32, I32, U8, U64, JsonObject
from diorama.contracts.work import checkpoint
from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID, require_codec
from diorama.worlds.gameboy.config import GameboyConfig, Kind, ObservationFormat
from diorama.worlds.gameboy.envs.arrays import HOST
from diorama.worlds.gameboy.envs.goals.sources import goals_of, pay_of
from diorama.worlds.gameboy.envs.keys import key_mask, pressed_by
from diorama.worlds.gameboy.envs.lane_state import LaneState
from diorama.worlds.gameboy.envs.layout import RAM_V3_WIDTH, layout_of
from diorama.worlds.gameboy.envs.referees import GoalReferee, Mask, NoReferee, Referee, TaskReferee, Verdict
from diorama.worlds.gameboy.envs.screen import Screen
from diorama.worlds.gameboy.envs.seeds import noop_steps_each, start_slot_each
from diorama.worlds.gameboy.envs.snapshot_cache import SnapshotCache
from diorama.worlds.gameboy.envs.stack import PictureStack
from diorama.worlds.gameboy.envs.starts import make_starts, rom_of
from diorama.worlds.gameboy.envs.tasks.judging import TaskJudge
from diorama.worlds.gameboy.lanes import Lanes, open_lanes

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A step of every lane, before lanes that ended are opened again."""

    verdict: Verdict
    steps: I32
    stages: I32
    slots: I32
    trapped: Mask
    terminated: Mask
    truncated: Mask

    @property
    def ended(self) -> Mask:
        """Lanes whose episode is over."""
        return self.terminated | self.truncated

    @property
    def success(self) -> Mask:
        """Lanes whose episode ended well: terminated, not failed, without a trap."""
        return self.verdict.reached & ~self.trapped

    def of(self, lanes: slice) -> "Outcome":
        """Return the step of some of the lanes."""
        return Outcome(
            verdict=self.verdict.of(lanes),
            steps=self.steps[lanes],
            stages=self.stages[lanes],
            slots=self.slots[lanes],
            trapped=self.trapped[lanes],
            terminated=self.terminated[lanes],
            truncated=self.truncated[lanes],
        )


class Episodes:
    """Lanes of one configuration and the episodes they are in.

    Attributes:
        seeds: Seed of each lane's episode.
        steps: Steps of the episode so far.
        slots: Start state it began with: start times the number of NOOP counts, plus the count.
        stages: Stage of a curriculum; 0 elsewhere.
        distances: Distance from the goal now.
        successes: Whether the episode has ended well; such a lane waits to be opened again.
        key_mask: One byte for each action, 1 where it may be taken.
        pressed_by: For each action the one that is pressed.
    """

    def __init__(
        self, config: GameboyConfig, lanes: int, *, backend: str, threads: int = 1, device: str = "cuda:0"
    ) -> None:
        """Switch the lanes on; `open` begins their first episodes."""
        require_codec(config.action_codec_id, expected_id=DEFAULT_ACTION_CODEC_ID, artifact="the configuration")
        self.config = config
        self.key_mask, self.pressed_by = key_mask(config), pressed_by(config)
        self.layout = layout_of(config)
        self._starts = make_starts(config)
        self.screen = Screen(lanes, config.observation)
        self.lanes: Lanes = open_lanes(
            backend,
            rom_of(config).data,
            lanes,
            threads=threads,
            boot=config.boot,
            picture=self.screen.drawn,
            watch=self.layout.addresses,
            allow_bad_checksum=config.allow_bad_checksum,
            device=device,
        )
        self._capture_starts()
        self.stack = PictureStack(lanes, config.stack, self.screen.observed_shape)
        self.watched = np.zeros((lanes, len(self.layout.addresses)), np.uint8)
        self._ram_v3 = np.zeros((lanes, RAM_V3_WIDTH), np.float32) if self.layout.ram_v3 else None
        self._last_rewards = np.zeros(lanes, np.float32)
        self._referee = self._choose_referee(lanes)
        self.seeds = np.zeros(lanes, np.uint64)
        self.steps = np.zeros(lanes, np.int32)
        self.slots = np.zeros(lanes, np.int32)
        self.stages = np.zeros(lanes, np.int32)
        self.distances = np.zeros(lanes, np.float32)
        self.successes = np.zeros(lanes, np.bool_)

    def open(self, rows: Rows, seeds: U64) -> None:
        """Begin new episodes of some lanes; the seeds say at which start and after how many NOOP steps."""
        starts = 1 if self.config.kind is Kind.CURRICULUM else self._starts.starts
        first = np.zeros(len(rows), np.uint64)
        chosen = start_slot_each(seeds, first, starts) * np.uint64(self._starts.noops)
        chosen = chosen + noop_steps_each(seeds, first, self.config.noop_start_max)
        self.seeds[rows] = seeds
        self.slots[rows] = chosen
        self.steps[rows] = 0
        self.stages[rows] = 0
        self.successes[rows] = False
        self._last_rewards[rows] = 0.0
        self._put(rows, self.slots[rows])

    def advance(self, actions: I32) -> Outcome:
        """Take a step with one action of each lane, in the order of the specification."""
        config = self.config
        newest = self.stack.turn()
        self.lanes.step(
            self.pressed_by[actions] if config.keys else actions,
            config.frames_per_step,
            config.release_after_frames,
            picture=self.screen.canvas(newest),
            watch=self.watched if self.watched.size else None,
            ram_v3=self._ram_v3,
        )
        self.screen.convert(newest)
        self.steps += 1
        verdict = self._referee.judge(self.stack, self.watched, self.stages)
        trapped = self.lanes.field("trap_kind") != 0
        outcome = Outcome(
            verdict=verdict,
            steps=self.steps.copy(),
            stages=self.stages.copy(),
            slots=self.slots.copy(),
            trapped=trapped,
            terminated=verdict.reached | verdict.failed | trapped,
            truncated=self._is_cut_off(),
        )
        self.distances = verdict.distances
        self.successes[:] = outcome.success
        self._last_rewards[:] = verdict.rewards
        self._enter_next_stages(verdict.advanced & ~outcome.ended)
        return outcome

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write the observation rows of all lanes."""
        self.observe_rows(np.arange(self.lanes.lanes), obs, obs_u8)

    def observe_rows(self, rows: Rows, obs: F32, obs_u8: U8) -> None:
        """Write the observation rows of some lanes into buffers of all of them."""
        layout = self.layout
        everyone = len(rows) == self.lanes.lanes
        at = layout.picture_bytes
        if at:
            depth = self.stack.depth
            if everyone:
                self.stack.gather(obs_u8[:, :at].reshape(len(rows), depth, *self.screen.observed_shape))
            else:
                obs_u8[rows, :at] = self.stack.of_lanes(rows).reshape(len(rows), -1)
        if layout.watch:
            columns = [layout.addresses.index(address) for address in layout.watch]
            obs_u8[rows, at : at + len(columns)] = self.watched[rows][:, columns]
            at += len(columns)
        if layout.task is not None and layout.events:
            obs_u8[rows, at : at + layout.events] = self.watched[rows, layout.task.event_columns]
        if self._ram_v3 is not None:
            obs[rows, :RAM_V3_WIDTH] = self._ram_v3[rows]
        if layout.task is not None:
            at = RAM_V3_WIDTH if self._ram_v3 is not None else 0
            columns = [layout.task.column(symbol) for symbol in layout.task.file.senses]
            obs[rows, at : at + len(columns)] = self.watched[rows][:, columns]
            obs[rows, at + len(columns)] = self._last_rewards[rows]

    def write_lane(self, lane: int) -> U64:
        """Return everything that going on from here needs, as words."""
        words = WordWriter()
        state = LaneState(
            seed=int(self.seeds[lane]),
            steps=int(self.steps[lane]),
            slot=int(self.slots[lane]),
            stage=int(self.stages[lane]),
            last_reward=float(self._last_rewards[lane]),
            distance=float(self.distances[lane]),
            console=self.lanes.snapshot(lane),
            shown=self.screen.shown(lane, self.stack.newest),
            pictures=self.stack.of_lane(lane),
        )
        state.write(words)
        self._referee.write_lane(lane, words)
        return words.words()

    def read_lane(self, lane: int, stored: U64) -> None:
        """Take over a lane written by `write_lane`.

        Raises:
            SnapshotError: If the words do not describe a lane of this configuration.
        """
        words = WordReader(stored)
        pictures = (self.stack.depth, *self.screen.observed_shape)
        state = LaneState.read(words, pictures, slots=len(self._starts.states), stages=self._starts.starts)
        self.lanes.restore(lane, state.console)
        self._referee.read_lane(lane, words)
        words.finish()
        self.screen.show(np.array([lane]), state.shown)
        self.stack.load_lane(lane, state.pictures)
        self.seeds[lane], self.steps[lane] = state.seed, state.steps
        self.slots[lane], self.stages[lane] = state.slot, state.stage
        self._last_rewards[lane], self.distances[lane] = state.last_reward, state.distance
        self.successes[lane] = False
        self._observe_lanes()

    def watched_names(self, lane: int) -> JsonObject:
        """Watched bytes of a lane by name."""
        return {name: int(self.watched[lane, place]) for name, place in self.layout.names.items()}

    @property
    def noop_counts(self) -> int:
        """How many different numbers of NOOP steps may come before an episode; divides `slots`."""
        return self._starts.noops

    def _choose_referee(self, lanes: int) -> Referee:
        config, task = self.config, self.layout.task
        if task is not None:
            return TaskReferee(TaskJudge(task, lanes, config.novelty_size, HOST), len(task.addresses))
        goals = goals_of(config)
        if goals:
            is_packed = config.observation is ObservationFormat.PACKED2
            return GoalReferee(lanes, goals, pay_of(config), is_packed=is_packed)
        return NoReferee(lanes)

    def _capture_starts(self) -> None:
        self._cache = SnapshotCache(self.lanes, len(self._starts.states))
        for slot, start in enumerate(self._starts.states):
            checkpoint()
            self.lanes.restore(0, start.savestate)
            self._cache.capture(0, slot)
        self._shown_at_start = np.stack([start.picture for start in self._starts.states])
        self._observed_at_start = self.screen.observed(self._shown_at_start)

    def _put(self, rows: Rows, slots: I32) -> None:
        """Put lanes into start states and begin to judge from there."""
        mask = np.zeros(self.lanes.lanes, np.bool_)
        mask[rows] = True
        every_slot = np.zeros(self.lanes.lanes, np.int32)
        every_slot[rows] = slots
        self._cache.restore(mask.astype(np.uint8), every_slot)
        self.stack.fill(rows, self._observed_at_start[slots])
        self.screen.show(rows, self._shown_at_start[slots])
        self._observe_lanes()
        self._referee.open(mask, self.stack, self.watched, self.stages)
        if isinstance(self._referee, GoalReferee):
            self.distances = self._referee.distances

    def _observe_lanes(self) -> None:
        """Read again what is not a picture; pictures of lanes that did not run stand in the stack already."""
        self.lanes.observe(watch=self.watched if self.watched.size else None, ram_v3=self._ram_v3)

    def _enter_next_stages(self, advanced: Mask) -> None:
        rows = advanced.nonzero()[0]
        if len(rows):
            self.stages[rows] += 1
            self._put(rows, self.stages[rows] * self._starts.noops)

    def _is_cut_off(self) -> Mask:
        if self.config.kind is Kind.PIXELS:
            return np.zeros(len(self.steps), np.bool_)
        return self.steps >= self.config.max_steps
