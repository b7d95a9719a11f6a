"""Runs a verification for the command line and tells how it went."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from diorama.cli.counting import counted
from diorama.cli.progress import progress_bar
from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import system_facts
from diorama.runs.layout import short_revision
from diorama.storage.report_files import write_report
from diorama.worlds.gameboy.harness.actions import parse_source
from diorama.worlds.gameboy.harness.bundle import write_bundle
from diorama.worlds.gameboy.harness.known_differences import oracle_profile
from diorama.worlds.gameboy.harness.lockstep import Plan, Verdict, run_plan
from diorama.worlds.gameboy.harness.selfcheck import check_itself
from diorama.worlds.gameboy.harness.subjects import RomUnderTest, schedule_facts
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS
from diorama.worlds.gameboy.roms.rom import Profile
from diorama.worlds.gameboy.schedule import PressSchedule

if TYPE_CHECKING:
    from diorama.worlds.gameboy.harness.lockstep import Evidence

MISMATCH: Final = 1
AUTO: Final = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """What the command line asks for; see `diorama gameboy verify --help`."""

    rom: RomUnderTest
    ref: str
    dut: str
    steps: int
    profile: str
    actions: str
    seed: int
    compare_every: int
    lanes: int
    schedule: PressSchedule
    bundle_dir: Path
    json: Path | None


def hold_verification(request: VerifyRequest) -> int:
    """Verify, print one line, leave evidence of a mismatch, and return the exit code."""
    profile = _profile(request)
    if profile is Profile.SELFCHECK:
        return _check_itself(request)
    plan = Plan(
        rom=request.rom,
        ref=request.ref,
        dut=request.dut,
        steps=request.steps,
        profile=profile,
        actions=parse_source(request.actions, seed=request.seed),
        compare_every=request.compare_every,
        lanes=request.lanes,
        schedule=request.schedule,
        seed=request.seed,
    )
    with progress_bar(f"verify {request.rom.name}", request.steps) as advance:
        verdict = run_plan(plan, on_step=advance)
    bundle = None if verdict.passed or verdict.mismatch is None else _leave_bundle(request, plan, verdict.mismatch)
    typer.echo(_line(verdict))
    if bundle is not None:
        typer.echo(f"evidence: {bundle} (run repro.sh in it)")
    if request.json is not None:
        write_report(request.json, _report(verdict, bundle))
    return 0 if verdict.passed else MISMATCH


def _profile(request: VerifyRequest) -> Profile:
    if request.profile != AUTO:
        if request.profile not in list(Profile):
            raise ConfigError(f"profile {request.profile!r} is unknown; there are: {AUTO}, {', '.join(Profile)}")
        return Profile(request.profile)
    if "oracle" not in (request.ref, request.dut):
        return Profile.EXACT
    micro = MICRO_ROMS.get(request.rom.name)
    if micro is None:
        return Profile.FRAMES
    return oracle_profile(micro.name, micro.profiles) or Profile.SELFCHECK


def _check_itself(request: VerifyRequest) -> int:
    micro = MICRO_ROMS.get(request.rom.name)
    verdict = check_itself(request.rom, request.dut, script=() if micro is None else micro.script)
    typer.echo(f"{request.rom.name} on {request.dut}: {verdict} (it judges itself; the oracle is known to differ)")
    return 0 if verdict.passed else MISMATCH


def _leave_bundle(request: VerifyRequest, plan: Plan, evidence: "Evidence") -> Path:
    facts: JsonObject = {"system": system_facts(), "commit": short_revision(Path(__file__).parent)}
    # The actions that were given are stored; a source that reads a file would need that file again.
    return write_bundle(request.bundle_dir, replace(plan, steps=len(evidence.actions)), evidence, facts)


def _line(verdict: Verdict) -> str:
    plan = verdict.plan
    what = f"{plan.rom.name}: {plan.ref} and {plan.dut}, profile {plan.profile}"
    frames = verdict.steps * plan.schedule.frames_per_step
    shown = f"{counted(verdict.steps, 'step')} ({counted(frames, 'frame')})"
    over = f"{shown}, {counted(verdict.compared_views, 'comparison')}"
    if plan.profile is Profile.FRAMES:
        share = f"{verdict.frame_share:.2%} of {verdict.compared_frames:,} pictures are equal"
        return f"{what}: {'agree' if verdict.passed else 'DIFFER'}, {share} (at least {plan.share:.0%} asked for)"
    if verdict.mismatch is None:
        return f"{what}: agree over {over}"
    return f"{what}: DIFFER at {verdict.mismatch.summary}"


def _report(verdict: Verdict, bundle: Path | None) -> JsonObject:
    plan = verdict.plan
    return {
        "schema_version": 1,
        "rom": {"name": plan.rom.name, "sha256": plan.rom.sha256},
        "ref": plan.ref,
        "dut": plan.dut,
        "profile": str(plan.profile),
        "schedule": schedule_facts(plan.schedule),
        "action_source": plan.actions.describe(),
        "lanes": plan.lanes,
        "sampled_lanes": list(plan.sampled()),
        "steps": verdict.steps,
        "comparisons": verdict.compared_views,
        "pictures": verdict.compared_frames,
        "equal_pictures": verdict.equal_frames,
        "transits": verdict.transits,
        "pass": verdict.passed,
        "mismatch": None if verdict.mismatch is None else verdict.mismatch.summary,
        "bundle": None if bundle is None else bundle.as_posix(),
        "system": system_facts(),
    }
