"""The folder that holds everything about one mismatch, and a command that reproduces it.

metadata.json        what ran: ROM, backends, versions, profile, step, lane, schedule, actions, codec, system, commit
ref_state.json, dut_state.json      scalars, and hashes of memory and picture
diff.json            every field that differs
ref.gbst, dut.gbst   savestates, where the backend has them
mem_REGION_ref.bin, mem_REGION_dut.bin
ref.png, dut.png     pictures, and frame_hashes.json with the last four of both
actions.jsonl        the actions up to the step
rom.gb               only if the ROM may travel
trace_tail.txt       the last 256 instructions of the backend under verification
repro.sh             one command; exits 1 while the two still differ
"""

import json
import shlex
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.contracts.errors import StorageError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.storage.report_files import write_repro
from diorama.worlds.gameboy.canonical import ABI_VERSION
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.harness.actions import write_trace
from diorama.worlds.gameboy.harness.lockstep import Evidence, Plan
from diorama.worlds.gameboy.harness.pictures import png_of
from diorama.worlds.gameboy.harness.subjects import schedule_facts
from diorama.worlds.gameboy.harness.tail import trace_tail
from diorama.worlds.gameboy.harness.views import View, frame_hash, memory_hash

SCHEMA: Final = 1
_EXECUTABLE: Final = 0o755


def write_bundle(root: Path, plan: Plan, evidence: Evidence, facts: Mapping[str, JsonValue]) -> Path:
    """Write the bundle of a mismatch below `root`; it appears whole or not at all.

    Args:
        root: Folder of all bundles.
        plan: What was verified.
        evidence: What was found.
        facts: What the caller knows about this machine and build, such as `system` and `commit`.

    Returns:
        The folder of the bundle.

    Raises:
        StorageError: If the disk refuses.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=root, prefix=".unfinished-"))
        try:
            _fill(unfinished, plan, evidence, facts)
            unfinished.chmod(_EXECUTABLE)
            return unfinished.rename(_free_name(root, plan))
        except BaseException:
            shutil.rmtree(unfinished)
            raise
    except OSError as error:
        raise StorageError(f"{root}: the bundle cannot be written ({error.strerror or error})") from error


def _free_name(root: Path, plan: Plan) -> Path:
    stem = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}_{plan.rom.name}_{plan.ref}_vs_{plan.dut}"
    name, number = stem, 1
    while (root / name).exists():
        number += 1
        name = f"{stem}_{number}"
    return root / name


def _fill(folder: Path, plan: Plan, evidence: Evidence, facts: Mapping[str, JsonValue]) -> None:
    _write_json(folder / "metadata.json", {**_metadata(plan, evidence), **facts})
    _write_json(folder / "diff.json", [difference.to_json() for difference in evidence.differences])
    hashes: list[JsonValue] = [{"ref": ref, "dut": dut} for ref, dut in evidence.frame_hashes]
    _write_json(folder / "frame_hashes.json", hashes)
    sides = (("ref", evidence.ref_view, evidence.ref_savestate), ("dut", evidence.dut_view, evidence.dut_savestate))
    for side, view, savestate in sides:
        _write_json(folder / f"{side}_state.json", _state(view))
        (folder / f"{side}.png").write_bytes(png_of(view.frame))
        for region, data in view.memory.items():
            (folder / f"mem_{region}_{side}.bin").write_bytes(data)
        if savestate is not None:
            (folder / f"{side}.gbst").write_bytes(savestate)
    write_trace(folder / "actions.jsonl", evidence.actions)
    if plan.rom.is_free:
        (folder / "rom.gb").write_bytes(plan.rom.image)
    if evidence.dut_before is not None:
        action = int(evidence.actions[-1][evidence.lane])
        lines = trace_tail(plan.dut, plan.rom, evidence.dut_before, action, plan.schedule)
        (folder / "trace_tail.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    arguments, first = _repro(plan, evidence)
    comment = "Runs both backends through the recorded actions again: exits 1 while the two still differ."
    write_repro(folder / "repro.sh", arguments, comment=comment, first=first)


def _write_json(path: Path, value: JsonValue) -> None:
    path.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _metadata(plan: Plan, evidence: Evidence) -> JsonObject:
    codec = get_action_codec().stamp()
    return {
        "schema": SCHEMA,
        "rom": {"name": plan.rom.name, "sha256": plan.rom.sha256, "bytes": len(plan.rom.image), "boot": plan.rom.boot},
        "backends": {"ref": plan.ref, "dut": plan.dut},
        "versions": {"ref": evidence.ref_version, "dut": evidence.dut_version, "abi": ABI_VERSION},
        "profile": str(plan.profile),
        "step": evidence.step,
        "lane": evidence.lane,
        "lanes": plan.lanes,
        "compare_every": plan.compare_every,
        "schedule": schedule_facts(plan.schedule),
        "action_source": plan.actions.describe(),
        "codec": {"id": codec["id"], "num_actions": codec["num_actions"]},
        "build_options": {},
        "summary": evidence.summary,
    }


def _state(view: View) -> JsonObject:
    return {
        "scalars": dict(view.scalars),
        "memory": {name: memory_hash(data) for name, data in view.memory.items()},
        "frame": frame_hash(view.frame),
        "serial": view.serial.decode("latin-1"),
    }


def _repro(plan: Plan, evidence: Evidence) -> tuple[str, tuple[str, ...]]:
    """Return the arguments of the command, and what a script asks for before it: the ROM, if it may not travel."""
    free = plan.rom.is_free
    needed = (
        f': "${{1:?give the path of the ROM with sha256 {plan.rom.sha256}}}"',
        "case $1 in /*) rom=$1 ;; *) rom=$PWD/$1 ;; esac",
    )
    options = {
        "ref": plan.ref,
        "dut": plan.dut,
        "steps": len(evidence.actions),
        "profile": plan.profile,
        "actions": "trace:actions.jsonl",
        "compare-every": plan.compare_every,
        "lanes": plan.lanes,
        "boot": plan.rom.boot,
        "frames-per-step": plan.schedule.frames_per_step,
        "release-after-frames": plan.schedule.release_after_frames,
        "name": plan.rom.name,
    }
    flags = " ".join(f"--{name} {shlex.quote(str(value))}" for name, value in options.items())
    rom = "rom.gb" if free else '"$rom"'
    return f"gameboy verify {rom} {flags} --bundle-dir reproduced", () if free else needed
