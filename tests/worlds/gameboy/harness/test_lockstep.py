"""Two backends side by side."""

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.harness.actions import Noop, SeededRandom
from diorama.worlds.gameboy.harness.crossing import hash_after, odd_ones_out
from diorama.worlds.gameboy.harness.known_differences import KNOWN_DIFFERENCES, oracle_profile
from diorama.worlds.gameboy.harness.lockstep import Plan, Verdict, run_plan, verify
from diorama.worlds.gameboy.harness.selfcheck import check_itself
from diorama.worlds.gameboy.harness.subjects import BAD_FROM_STEP, RomUnderTest
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, TASK_ROMS, assemble
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile
from diorama.worlds.gameboy.schedule import PressSchedule
from tests.worlds.gameboy.on_oracle import needs_oracle

ONE_FRAME = PressSchedule(frames_per_step=1, release_after_frames=1)
NEEDS_KEYS = {"JOY_ECHO"}
COMPARED = [rom for rom in MICRO_ROMS.values() if oracle_profile(rom.name, rom.profiles) is not None]
JUDGES = [rom for rom in MICRO_ROMS.values() if Profile.SELFCHECK in rom.profiles and rom.name not in NEEDS_KEYS]


def on_oracle(rom: MicroRom, frames: int) -> Verdict:
    profile = oracle_profile(rom.name, rom.profiles)
    assert profile is not None
    return verify(RomUnderTest.of(rom), "oracle", "rust", frames, profile, SeededRandom(3), schedule=ONE_FRAME)


def test_every_micro_rom_is_compared_or_judges_itself() -> None:
    assert {rom.name for rom in (*COMPARED, *JUDGES)} == set(MICRO_ROMS)


@needs_oracle
@pytest.mark.parametrize("rom", COMPARED, ids=lambda rom: rom.name)
def test_the_native_tier_runs_as_the_oracle_does(rom: MicroRom) -> None:
    verdict = on_oracle(rom, 12)

    assert (verdict.mismatch, verdict.steps, verdict.compared_views) == (None, 12, 12)


@needs_oracle
@pytest.mark.slow
@pytest.mark.parametrize("rom", COMPARED, ids=lambda rom: rom.name)
def test_two_thousand_frames_with_random_keys_run_as_on_the_oracle(rom: MicroRom) -> None:
    verdict = on_oracle(rom, 2000)

    assert verdict.mismatch is None, verdict.mismatch.summary
    assert verdict.frame_share == 1.0
    assert verdict.transits <= 20


@needs_oracle
@pytest.mark.slow
@pytest.mark.parametrize("name", TASK_ROMS)
def test_the_games_show_the_same_pictures_as_on_the_oracle(name: str) -> None:
    rom = RomUnderTest(name, assemble(name))

    verdict = verify(rom, "oracle", "rust", 1200, Profile.FRAMES, SeededRandom(5), schedule=ONE_FRAME)

    assert verdict.passed
    assert verdict.frame_share == 1.0


@needs_oracle
def test_each_sampled_lane_has_its_own_oracle() -> None:
    rom = RomUnderTest.of(MICRO_ROMS["JOY_ECHO"])
    schedule = PressSchedule(frames_per_step=2, release_after_frames=2)

    verdict = verify(rom, "oracle", "rust", 4, Profile.EXACT, SeededRandom(1), lanes=9, schedule=schedule)

    assert verdict.passed
    assert verdict.compared_views == 4 * 4
    sampled = verdict.plan.sampled()
    assert sampled[0] == 0
    assert sampled[-1] == 8
    assert len(sampled) == 4


@pytest.mark.parametrize("rom", JUDGES, ids=lambda rom: rom.name)
def test_a_rom_that_judges_itself_passes(rom: MicroRom) -> None:
    assert str(check_itself(RomUnderTest.of(rom), "rust", script=rom.script)) == "passed"


def test_a_rom_that_says_nothing_has_no_verdict() -> None:
    verdict = check_itself(RomUnderTest.of(MICRO_ROMS["JOY_ECHO"]), "rust", frames=30)

    assert (verdict.passed, str(verdict)) == (False, "gave no verdict")


def test_a_backend_that_is_wrong_is_seen_at_its_first_wrong_step_and_lane() -> None:
    verdict = verify(RomUnderTest.of(MICRO_ROMS["ALU_LOOP"]), "rust", "stub_bad", 10, lanes=3)

    assert verdict.mismatch is not None
    assert (verdict.mismatch.step, verdict.mismatch.lane, verdict.steps) == (BAD_FROM_STEP, 2, BAD_FROM_STEP + 1)
    assert [str(difference) for difference in verdict.mismatch.differences] == [
        "wram is 255, should be 0 at $DF00 (1 bytes differ)"
    ]
    assert not verdict.passed


def test_comparing_now_and_then_always_looks_at_the_last_step() -> None:
    seldom = verify(RomUnderTest.of(MICRO_ROMS["ALU_LOOP"]), "rust", "stub_bad", 6, compare_every=4)

    assert seldom.mismatch is not None
    assert (seldom.mismatch.step, seldom.compared_views) == (3, 1)
    both = verify(RomUnderTest.of(MICRO_ROMS["ALU_LOOP"]), "rust", "rust", 6, compare_every=4)
    assert (both.passed, both.compared_views) == (True, 2)


def test_the_share_of_equal_pictures_decides_profile_frames() -> None:
    rom = RomUnderTest.of(MICRO_ROMS["BG_SCROLL_ANIM"])
    plan = Plan(rom=rom, ref="rust", dut="rust", steps=8, profile=Profile.FRAMES, actions=Noop(), schedule=ONE_FRAME)

    verdict = run_plan(plan)

    assert (verdict.passed, verdict.frame_share, verdict.compared_frames) == (True, 1.0, 8)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["py", "warp_cpu"])
@pytest.mark.parametrize("rom", MICRO_ROMS.values(), ids=lambda rom: rom.name)
def test_every_device_comes_to_the_same_state(rom: MicroRom, backend: str) -> None:
    if backend == "warp_cpu":
        pytest.importorskip("warp", reason="Warp is not installed (extra `gpu`): not run on its CPU device")
    lanes, steps = (1, 1) if backend == "py" else (33, 4)
    schedule = PressSchedule(frames_per_step=4, release_after_frames=2)

    native, device = (
        hash_after(name, RomUnderTest.of(rom), lanes=lanes, steps=steps, schedule=schedule)
        for name in ("rust", backend)
    )

    assert native == device


def test_all_backends_of_one_kind_agree_lane_by_lane() -> None:
    assert odd_ones_out(("rust", "rust"), RomUnderTest.of(MICRO_ROMS["JOY_DIVERGE_PERSIST"]), lanes=33, steps=3) == {}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        pytest.param({"steps": 0}, "steps is 0", id="steps"),
        pytest.param({"lanes": 0}, "lanes is 0", id="lanes"),
        pytest.param({"compare_every": 0}, "compare_every is 0", id="compare-every"),
        pytest.param({"profile": Profile.SELFCHECK}, "compares with nobody", id="selfcheck"),
        pytest.param({"dut": "abacus"}, "backend 'abacus' is unknown", id="backend"),
    ],
)
def test_what_verifies_nothing_is_refused(changed: dict[str, object], message: str) -> None:
    settings: dict[str, object] = {"ref": "rust", "dut": "rust", "steps": 1, "profile": Profile.EXACT, **changed}

    with pytest.raises(ConfigError, match=message):
        verify(RomUnderTest.of(MICRO_ROMS["ALU_LOOP"]), **settings)  # type: ignore[arg-type]  # wrong on purpose


def test_the_known_differences_are_numbered_and_name_roms_that_exist() -> None:
    assert [row.number for row in KNOWN_DIFFERENCES] == list(range(1, len(KNOWN_DIFFERENCES) + 1))
    assert {name for row in KNOWN_DIFFERENCES for name in row.roms} <= set(MICRO_ROMS)


def test_keys_wait_where_the_rom_has_selected_them() -> None:
    """At these addresses the select is written and the AND that reads it is still to come."""
    rom = MICRO_ROMS["JOY_DIVERGE_PERSIST"]

    code = rom.assemble()[rom.selected.start - 2 : rom.selected.stop]

    assert code == bytes((0x36, 0x20, 0x3E, 0x0F, 0xA6))


def test_a_boot_mode_is_kept() -> None:
    rom = RomUnderTest("X", assemble("ALU_LOOP"), BootMode.POST)

    verdict = verify(rom, "rust", "rust", 1)

    assert verdict.passed
    assert np.all(verdict.plan.actions.actions(0, 4) < 8)
