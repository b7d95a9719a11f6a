"""Two backends side by side from power-on: `verify` stops at the first field that differs."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import I32
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS
from diorama.worlds.gameboy.harness.actions import ActionSource, SeededRandom
from diorama.worlds.gameboy.harness.known_differences import ignored_lines
from diorama.worlds.gameboy.harness.profiles import (
    COMPARED,
    CRAM,
    FRAME,
    JOYPAD_REQUEST,
    Difference,
    differences,
)
from diorama.worlds.gameboy.harness.subjects import RomUnderTest, Subject, open_subject
from diorama.worlds.gameboy.harness.views import CRAM_BANK, REGIONS, View, frame_hash
from diorama.worlds.gameboy.roms.rom import Profile
from diorama.worlds.gameboy.schedule import PressSchedule

OPENING_FRAMES: Final = 4  # the oracle's first pictures show what it had before its LCD went on
FRAMES_SHARE: Final = 0.98
SAMPLED_LANES: Final = 4
KEPT_HASHES: Final = 4
_EVERYTHING: Final = (*SCALAR_FIELDS, *REGIONS, CRAM, "serial", FRAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a verification runs. `seed` chooses the sampled lanes; `share` is what profile `frames` asks for."""

    rom: RomUnderTest
    ref: str
    dut: str
    steps: int
    profile: Profile
    actions: ActionSource
    compare_every: int = 1
    lanes: int = 1
    schedule: PressSchedule = field(default_factory=PressSchedule)
    sampled_lanes: int = SAMPLED_LANES
    seed: int = 0
    share: float = FRAMES_SHARE

    def __post_init__(self) -> None:
        """Refuse numbers that verify nothing.

        Raises:
            ConfigError: If a number is too small, or the profile compares nothing.
        """
        for name in ("steps", "compare_every", "lanes", "sampled_lanes"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be 1 or more")
        if self.profile is Profile.SELFCHECK:
            raise ConfigError("profile 'selfcheck' compares with nobody; use check_itself for it")

    def sampled(self) -> tuple[int, ...]:
        """Lanes that are compared: the first, the last, and others by seed."""
        if self.lanes <= self.sampled_lanes:
            return tuple(range(self.lanes))
        inner = np.random.default_rng(self.seed).permutation(np.arange(1, self.lanes - 1))
        chosen = {0, self.lanes - 1, *inner[: max(self.sampled_lanes - 2, 0)].tolist()}
        return tuple(sorted(chosen))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything about a mismatch: both sides, how they came there, and what differs.

    `dut_before` is the lane's snapshot from before the last step, where the backend has one.
    """

    step: int
    lane: int
    differences: tuple[Difference, ...]
    ref_view: View
    dut_view: View
    ref_savestate: bytes | None
    dut_savestate: bytes | None
    dut_before: bytes | None
    ref_version: str
    dut_version: str
    actions: tuple[I32, ...]
    frame_hashes: tuple[tuple[str, str], ...]

    @property
    def summary(self) -> str:
        """One line."""
        rest = f" and {len(self.differences) - 1} more" if len(self.differences) > 1 else ""
        return f"step {self.step}, lane {self.lane}: {self.differences[0]}{rest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a verification came out. Under profile `frames` a mismatch is judged by the share, not by the first one.

    `transits` counts the steps of profile `settled` that ended within a handler, where both sides stood apart.
    """

    plan: Plan
    steps: int
    compared_views: int
    compared_frames: int
    equal_frames: int
    transits: int
    mismatch: Evidence | None

    @property
    def passed(self) -> bool:
        """Whether the backends agree as the profile asks."""
        if self.plan.profile is Profile.FRAMES:
            return self.frame_share >= self.plan.share
        return self.mismatch is None

    @property
    def frame_share(self) -> float:
        """Share of compared pictures that are equal."""
        return self.equal_frames / self.compared_frames if self.compared_frames else 1.0


def verify(
    rom: RomUnderTest,
    ref: str,
    dut: str,
    steps: int,
    profile: Profile = Profile.EXACT,
    actions: ActionSource | None = None,
    compare_every: int = 1,
    *,
    lanes: int = 1,
    schedule: PressSchedule | None = None,
    on_step: Callable[[], None] = lambda: None,
) -> Verdict:
    """Run two backends from power-on with the same keys and compare them until they differ.

    Args:
        rom: What runs.
        ref: Backend that is right, usually `oracle`.
        dut: Backend that is verified, such as `rust`.
        steps: How many steps.
        profile: What must agree.
        actions: Where keys come from; `seeded_random` with seed 0 where None.
        compare_every: Compare after every so many steps, and after the last.
        lanes: Consoles of the backend under verification, each with its own keys; a sample of them is compared.
        schedule: Frames of a step and when keys go up.
        on_step: Called after each step.

    Raises:
        ConfigError: If a number or a name is wrong.
        TierUnavailable: If a backend cannot run here.
        MissingExtra: If the oracle is asked for and not installed.
    """
    plan = Plan(
        rom=rom,
        ref=ref,
        dut=dut,
        steps=steps,
        profile=profile,
        actions=actions or SeededRandom(),
        compare_every=compare_every,
        lanes=lanes,
        schedule=schedule or PressSchedule(),
    )
    return run_plan(plan, on_step=on_step)


def run_plan(plan: Plan, *, on_step: Callable[[], None] = lambda: None) -> Verdict:
    """Carry a plan out; the errors are those of `verify`."""
    sampled = plan.sampled()
    with ExitStack() as stack:
        ref, dut = (
            stack.enter_context(closing(open_subject(name, plan.rom, plan.lanes, plan.schedule, sampled=sampled)))
            for name in (plan.ref, plan.dut)
        )
        walk = _Walk(plan, ref, dut, sampled)
        for step in range(plan.steps):
            walk.advance(step)
            on_step()
            if walk.mismatch is not None and plan.profile is not Profile.FRAMES:
                break
        return walk.verdict(step + 1)


class _Walk:
    """Both subjects on their way."""

    def __init__(self, plan: Plan, ref: Subject, dut: Subject, sampled: Sequence[int]) -> None:
        self.mismatch: Evidence | None = None
        self._plan, self._ref, self._dut, self._sampled = plan, ref, dut, sampled
        self._actions: list[I32] = []
        self._hashes: dict[int, list[tuple[str, str]]] = {lane: [] for lane in sampled}
        self._before: dict[int, bytes | None] = {}
        self._in_transit: dict[int, Evidence] = {}
        self._transits = 0
        self._views = self._frames = self._equal_frames = 0
        self._is_oracle = not (ref.tells_everything and dut.tells_everything)
        self._fields = self._compared_fields()
        self._ignored_lines = ignored_lines(plan.rom.name)

    def _compared_fields(self) -> tuple[str, ...]:
        plan = self._plan
        if not self._is_oracle:
            return _EVERYTHING if plan.profile is Profile.EXACT else COMPARED[plan.profile]
        has_banks = plan.rom.cartridge.ram_bytes >= CRAM_BANK
        return tuple(name for name in COMPARED[plan.profile] if has_banks or name != CRAM)

    def advance(self, step: int) -> None:
        plan = self._plan
        actions = self._unchanging_while_selected(plan.actions.actions(step, plan.lanes))
        self._actions.append(actions)
        is_compared = (step + 1) % plan.compare_every == 0 or step + 1 == plan.steps
        if is_compared:
            self._before = {lane: self._dut.snapshot(lane) for lane in self._sampled}
        self._ref.step(actions)
        self._dut.step(actions)
        if is_compared:
            for lane in self._sampled:
                self._compare(step, lane)

    def _unchanging_while_selected(self, actions: I32) -> I32:
        """Keep the keys of lanes that have selected them and not yet read them, where the oracle would see the old."""
        selected = self._plan.rom.selected
        if not (self._is_oracle and selected):
            return actions
        schedule = self._plan.schedule
        is_held_to_the_end = schedule.release_after_frames == schedule.frames_per_step
        kept = self._actions[-1] if self._actions and is_held_to_the_end else np.zeros_like(actions)
        for lane in self._sampled:
            if self._dut.pc(lane) in selected:
                actions[lane] = kept[lane]
        return actions

    def _compare(self, step: int, lane: int) -> None:
        if self.mismatch is not None and self._plan.profile is not Profile.FRAMES:
            return
        ref, dut = self._ref.view(lane), self._dut.view(lane)
        frames = (step + 1) * self._plan.schedule.frames_per_step
        fields = self._fields
        if self._is_oracle:
            ref, dut = (_without_known_differences(view, self._ignored_lines) for view in (ref, dut))
            if frames <= OPENING_FRAMES:
                fields = tuple(name for name in fields if name != FRAME)
        self._views += 1
        self._hashes[lane] = [*self._hashes[lane], (frame_hash(ref.frame), frame_hash(dut.frame))][-KEPT_HASHES:]
        if FRAME in fields:
            self._frames += 1
            self._equal_frames += np.array_equal(ref.frame, dut.frame)
        found = differences(ref, dut, fields)
        earlier = self._in_transit.pop(lane, None)
        if not found or self.mismatch is not None:
            return
        evidence = earlier or self._evidence(step, lane, found, ref, dut)
        if earlier is None and self._may_be_in_transit(ref, dut):
            self._in_transit[lane] = evidence
            self._transits += 1
        else:
            self.mismatch = evidence

    def _may_be_in_transit(self, ref: View, dut: View) -> bool:
        """Whether the two stand at different instructions of a ROM that settles.

        The oracle takes interrupts out of HALT some T-cycles apart from us, so that a step may end within a handler.
        What differs then must be gone when the next step ends.
        """
        is_elsewhere = any(ref.scalars[name] != dut.scalars[name] for name in ("pc", "halted"))
        return self._is_oracle and self._plan.profile is Profile.SETTLED and is_elsewhere

    def _evidence(self, step: int, lane: int, found: tuple[Difference, ...], ref: View, dut: View) -> Evidence:
        return Evidence(
            step=step,
            lane=lane,
            differences=found,
            ref_view=ref,
            dut_view=dut,
            ref_savestate=self._ref.savestate(lane),
            dut_savestate=self._dut.savestate(lane),
            dut_before=self._before[lane],
            ref_version=self._ref.version,
            dut_version=self._dut.version,
            actions=tuple(self._actions),
            frame_hashes=tuple(self._hashes[lane]),
        )

    def verdict(self, steps: int) -> Verdict:
        return Verdict(
            plan=self._plan,
            steps=steps,
            compared_views=self._views,
            compared_frames=self._frames,
            equal_frames=self._equal_frames,
            transits=self._transits,
            mismatch=self.mismatch,
        )


def _without_known_differences(view: View, lines: Sequence[int]) -> View:
    frame = view.frame.copy()
    frame[list(lines)] = 0
    return replace(view, frame=frame, scalars={**view.scalars, "iflag": view.scalars["iflag"] & ~JOYPAD_REQUEST})
