"""The evidence of a mismatch: whole, complete, and reproduced by its own command."""

import json
import struct
from pathlib import Path

import pytest

from diorama.contracts.errors import StorageError
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.harness.actions import SeededRandom, read_trace
from diorama.worlds.gameboy.harness.bundle import write_bundle
from diorama.worlds.gameboy.harness.lockstep import Evidence, Plan, run_plan
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS
from diorama.worlds.gameboy.roms.rom import Profile
from diorama.worlds.gameboy.savestate import unpack_savestate


def mismatch(*, is_free: bool = True) -> tuple[Plan, Evidence]:
    micro = MICRO_ROMS["VBLANK_COUNT"]
    plan = Plan(
        rom=RomUnderTest(micro.name, micro.assemble(), micro.boot, is_free=is_free),
        ref="rust",
        dut="stub_bad",
        steps=9,
        profile=Profile.EXACT,
        actions=SeededRandom(2),
        lanes=2,
    )
    evidence = run_plan(plan).mismatch
    assert evidence is not None
    return plan, evidence


def test_a_bundle_holds_everything_about_a_mismatch(tmp_path: Path) -> None:
    plan, evidence = mismatch()

    folder = write_bundle(tmp_path / "mismatch", plan, evidence, {"commit": "abc1234", "system": {"cores": 2}})

    assert folder.name.endswith("_VBLANK_COUNT_rust_vs_stub_bad")
    assert [path.name for path in (tmp_path / "mismatch").iterdir()] == [folder.name]
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["schema"] == 1
    assert metadata["rom"] == {
        "name": "VBLANK_COUNT",
        "sha256": plan.rom.sha256,
        "bytes": len(plan.rom.image),
        "boot": "stub",
    }
    assert (metadata["step"], metadata["lane"], metadata["profile"]) == (3, 1, "exact")
    assert metadata["backends"] == {"ref": "rust", "dut": "stub_bad"}
    assert metadata["schedule"] == {"frames_per_step": 24, "release_after_frames": 8}
    assert metadata["action_source"] == {"name": "seeded_random", "version": "2.0", "seed": 2}
    assert metadata["codec"]["id"] == DEFAULT_ACTION_CODEC_ID
    assert metadata["commit"] == "abc1234"
    assert json.loads((folder / "diff.json").read_text()) == [
        {"field": "wram", "ref": 0, "dut": 255, "bytes": 1, "first_address": 0xDF00}
    ]
    assert len(json.loads((folder / "frame_hashes.json").read_text())) == 4
    assert len(read_trace(folder / "actions.jsonl").rows) == 4
    assert (folder / "rom.gb").read_bytes() == plan.rom.image
    ref, dut = ((folder / f"mem_wram_{side}.bin").read_bytes() for side in ("ref", "dut"))
    assert [place for place in range(len(ref)) if ref[place] != dut[place]] == [0x1F00]
    state = unpack_savestate(
        (folder / "dut.gbst").read_bytes(), rom_sha256=plan.rom.sha256, action_codec_id=DEFAULT_ACTION_CODEC_ID
    )
    told = json.loads((folder / "dut_state.json").read_text())["scalars"]
    assert dict(state.scalars) == told
    png = (folder / "dut.png").read_bytes()
    assert struct.unpack(">II", png[16:24]) == (160, 144)


def test_the_tail_ends_with_the_last_instruction_of_the_step(tmp_path: Path) -> None:
    plan, evidence = mismatch()

    folder = write_bundle(tmp_path, plan, evidence, {})

    lines = (folder / "trace_tail.txt").read_text().splitlines()
    assert len(lines) == 256
    cycles = [int(line.split()[0]) for line in lines]
    assert cycles == sorted(cycles)
    assert 0 < evidence.dut_view.scalars["cycle_count"] - cycles[-1] < 70_224
    assert "halt" in lines[-1]  # the ROM sleeps when the frame ends


def test_a_rom_that_may_not_travel_stays_out_and_is_asked_for(tmp_path: Path) -> None:
    plan, evidence = mismatch(is_free=False)

    folder = write_bundle(tmp_path, plan, evidence, {})

    assert not (folder / "rom.gb").exists()
    script = (folder / "repro.sh").read_text()
    assert plan.rom.sha256 in script
    assert '"$rom"' in script


def test_two_bundles_of_the_same_second_get_different_names(tmp_path: Path) -> None:
    plan, evidence = mismatch()

    folders = {write_bundle(tmp_path, plan, evidence, {}) for _ in range(3)}

    assert len(folders) == 3


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    plan, evidence = mismatch()
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError, match="the bundle cannot be written"):
        write_bundle(tmp_path / "file", plan, evidence, {})
