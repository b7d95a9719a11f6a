"""How the report of each benchmark becomes figures."""

from collections.abc import Iterator, Mapping
from typing import Final

from figures.figure import Figure, Reader, Report, quantity, rate, times

# World, network and passes for which there is a goal on one H200, in steps per second.
GPU_GOALS: Final = {
    ("prospector", "mlp-128-gelu-v1", 1): 10_000_000,
    ("prospector", "mingru-128-v1", 3): 3_000_000,
}
_DIVERGENT_ROM: Final = "JOY_DIVERGE_PERSIST"


def stepping(report: Report) -> Iterator[Figure]:
    """Decisions per second through the batch."""
    summary = report["summary"]
    peers = [
        f"{peer['name']} {rate(peer['decisions_per_second'], '/s')}"
        for peer in report["peers"]
        if peer["copies"] == 1024 and peer["decisions_per_second"]
    ]
    yield Figure(
        what=f"`{summary['world']}`, 1,024 copies, one thread",
        measured=rate(summary["decisions_per_second_one_core"], "decisions/s"),
        beside="; ".join([f"reference tier, {times(summary['ratio_to_reference_tier'])} slower", *peers]),
        goal=rate(summary["goal_per_core"], "decisions/s"),
        holds=summary["pass"],
    )


def training(report: Report) -> Iterator[Figure]:
    """Decisions per second of training, beside other trainers."""
    for row in report["rows"]:
        own = rate(row["decisions_per_second"], "decisions/s")
        work = f"`{row['arch']}`, {row['copies']:,} copies, {row['threads']} threads, {row['passes']} pass"
        for peer in row["peers"]:
            known = peer["decisions_per_second"] is not None
            yield Figure(
                what=work,
                measured=f"{own}, {times(peer['ratio'])}" if known else own,
                beside=f"{peer['name']}: {quantity(peer['decisions_per_second'])}"
                if known
                else f"{peer['name']}: not measured ({peer['skipped']})",
                goal=times(peer["goal"]),
                holds=peer["ratio"] >= peer["goal"] if known else None,
            )


def solve(report: Report) -> Iterator[Figure]:
    """Seconds until CartPole-v1 is solved."""
    medians: dict[str, float] = dict(report["summary"]["median_seconds"])
    own = medians.pop("diorama")
    yield Figure(
        what=f"CartPole-v1 solved, median of {report['config']['repeats']} seeds",
        measured=f"{own:.1f} s",
        beside="; ".join(f"{name} {seconds:.1f} s" for name, seconds in medians.items()),
        goal="10 s",
        holds=own <= 10.0 and report["summary"]["pass"],
    )


def native_inference(report: Report) -> Iterator[Figure]:
    """Processor time of a decision in compiled code and in torch."""
    for row in report["rows"]:
        for work, told in (("decide", "deciding"), ("learn", "learning")):
            yield Figure(
                what=f"`{row['arch']}`, {told}, one thread",
                measured=f"{row[f'{work}_native_us']:.2f} µs, {times(row[f'{work}_ratio'])}",
                beside=f"torch: {row[f'{work}_torch_us']:.2f} µs",
            )


def live_loop(report: Report) -> Iterator[Figure]:
    """Ticks per second of live worlds."""
    for row in report["rows"]:
        has_goal = row["goal"] > 0
        yield Figure(
            what=f"`{row['world']}` live, with telemetry to a file",
            measured=rate(row["live_ticks_per_second"], "ticks/s"),
            beside=f"headless: {quantity(row['headless_ticks_per_second'])}",
            goal=rate(row["goal"], "ticks/s") if has_goal else "",
            holds=row["pass"] if has_goal else None,
        )


def tidebreak(report: Report) -> Iterator[Figure]:
    """Ticks per second of battles."""
    for row in report["rows"]:
        is_fast = row["tier"] == "fast"
        copies = "64 copies" if is_fast else "reference tier"
        yield Figure(
            what=f"`tidebreak` {row['case']}, {copies}, one thread",
            measured=rate(row["ticks_per_second"], "ticks/s"),
            beside=f"one copy: {quantity(row['ticks_per_second_one_copy'])}" if is_fast else "",
            goal=rate(row["goal"], "ticks/s"),
            holds=row["ticks_per_second"] >= row["goal"],
        )


def townlet(report: Report) -> Iterator[Figure]:
    """Ticks and agent steps per second of towns."""
    for row in report["rows"]:
        yield Figure(
            what=f"`townlet`, {row['case']}",
            measured=rate(row["rate"], row["unit"]),
            beside=f"floor: {quantity(row['floor'])}",
            goal=rate(row["target"], row["unit"]),
            holds=row["rate"] >= row["target"],
        )


def gameboy(report: Report) -> Iterator[Figure]:
    """Frames per second of consoles."""
    summary = report["summary"]
    for row in report["one_core"]:
        yield Figure(
            what=f"`{row['rom']}`, one core, with pictures",
            measured=f"{rate(row['rust_frames_per_sec'], 'frames/s')}, {times(row['ratio'])}",
            beside=f"PyBoy {report['system']['pyboy']}: {quantity(row['pyboy_frames_per_sec'])}",
        )
    mix = summary["per_core_ratio_of_the_mix"]
    if mix is not None:
        goal = summary["goal_per_core"]
        yield Figure(
            what="the mix, as many frames of each",
            measured=times(mix),
            beside="PyBoy",
            goal=times(goal),
            holds=mix >= goal,
        )
    for rom, best in summary["device_best_by_rom"].items():
        if best is not None:
            goal = summary["goal_device_divergent" if rom == _DIVERGENT_ROM else "goal_device"]
            yield Figure(
                what=f"`{rom}`, whole steps on {report['system']['gpu']}",
                measured=rate(best, "frames/s"),
                goal=rate(goal, "frames/s"),
                holds=best >= goal,
            )
    if summary["device_ratio_to_pyboy"] is not None:
        yield Figure(
            what=f"the fastest whole step of E4 on {report['system']['gpu']}",
            measured=times(summary["device_ratio_to_pyboy"]),
            beside=f"PyBoy on all cores: {rate(summary['full_step_best_frames_per_sec']['pyboy'], 'frames/s')}",
        )
    share = summary["divergent_share_of_control"]["warp_cuda"]
    if share is not None:
        yield Figure(
            what=f"`{_DIVERGENT_ROM}`, rate with random keys to rate without, on {report['system']['gpu']}",
            measured=f"{share:.0%}",
            goal=f"{summary['goal_divergence']:.0%}",
            holds=share >= summary["goal_divergence"],
        )


def morphogenesis(report: Report) -> Iterator[Figure]:
    """Epochs of many hosts as one network."""
    config, target = report["config"], report["summary"]["target"]
    for row in report["rows"]:
        yield Figure(
            what=f"{config['hosts']} hosts of {config['task']} on {config['device']}, {row['case']}",
            measured=times(row["speedup"]),
            beside="hosts one by one",
            goal=times(target),
            holds=row["speedup"] >= target,
        )


def morphogenesis_training(report: Report) -> Iterator[Figure]:
    """Accuracy of hosts that a learned controller grew, beside those of other controllers."""
    accuracies = {row["controller"]: row["mean_accuracy"] for row in report["rows"]}
    ahead = report["summary"]["learned_ahead_of"]["rules"]
    interval = f"{ahead['mean']:+.1f} ({ahead['low']:+.1f} to {ahead['high']:+.1f})"
    yield Figure(
        what=f"accuracy of the last epoch, {ahead['pairs']} held-out hosts",
        measured=f"{accuracies.pop('learned'):.1f}%",
        beside=", ".join(f"`{name}` {accuracy:.1f}%" for name, accuracy in accuracies.items()),
    )
    yield Figure(
        what="points that the learned controller is ahead of the rules, with a 95% interval",
        measured=interval,
        goal="all of it above 0",
        holds=ahead["low"] > 0,
    )


def gpu_training(report: Report) -> Iterator[Figure]:
    """Steps per second of training on a GPU, beside what its parts allow; a case that failed is told as such."""
    for name, found in report.items():
        if not name.startswith(("train-", "roofline-")):
            continue
        for row in (row for row in found["rows"] if "steps_per_second" in row):
            arch, passes = row["settings"]["policy"]["arch"], row["settings"]["ppo"]["update_epochs"]
            goal = GPU_GOALS.get((row["world"], arch, passes))
            yield Figure(
                what=f"`{row['world']}`, `{arch}`, {row['copies']:,} copies, {passes} pass{'es' if passes > 1 else ''}"
                f"{_execution(row['settings']['execution'])}",
                measured=rate(row["steps_per_second"], "steps/s"),
                beside=_parts_alone(row) if "bound" in row else _shares(row["phase_shares"]),
                goal="" if goal is None else rate(goal, "steps/s"),
                holds=None if goal is None else row["steps_per_second"] >= goal,
            )
        if "failed" in found:
            yield Figure(what=f"`{name}`", measured="failed")


def _shares(phases: Mapping[str, float]) -> str:
    return ", ".join(f"{part} {share:.0%}" for part, share in phases.items())


def _parts_alone(row: Mapping[str, float]) -> str:
    rates = (f"{part} {rate(row[f'{part}_per_second'], 'steps/s')}" for part in ("simulate", "copy", "decide", "learn"))
    return f"alone: {', '.join(rates)}"


def _execution(settings: Mapping[str, object]) -> str:
    told = (f"{key} {value}".lower() for key, value in settings.items() if key != "device")
    return "".join(f", {text.removesuffix(' true')}" for text in told)


def learning(report: Report) -> Iterator[Figure]:
    """Scores of learned policies beside the best script."""
    for part in report["protocols"]:
        own = next(row for row in part["rows"] if row["kind"] == "own" and row["is_declared"])
        low, high = own["interval"]
        yield Figure(
            what=f"{part['name']}: {part['metric']}, {len(part['training_seeds'])} seeds",
            measured=f"{own['score']:.3g} ({low:.3g} to {high:.3g})",
            beside=f"{part['best_script']['name']}: {part['best_script']['held_out']:.3g}",
            goal="every seed is ahead",
            holds=part["every_seed_beats_the_best_script"],
        )


def gates(report: Report) -> Iterator[Figure]:
    """What every script of the server's kind reports: numbers with their limits."""
    for gate in report["summary"]["gates"]:
        limits = [
            f"{word} {quantity(gate[key])}"
            for key, word in (("at_least", "at least"), ("at_most", "at most"))
            if key in gate
        ]
        yield Figure(
            what=gate["name"],
            measured=quantity(gate["value"]),
            goal=", ".join(limits),
            holds=gate["pass"] if limits else None,
        )


READERS: Final[Mapping[str, Reader]] = {
    "stepping": stepping,
    "training": training,
    "gpu_training": gpu_training,
    "solve": solve,
    "native_inference": native_inference,
    "live_loop": live_loop,
    "tidebreak": tidebreak,
    "townlet": townlet,
    "gameboy": gameboy,
    "morphogenesis": morphogenesis,
    "morphogenesis_training": morphogenesis_training,
    "learning": learning,
}


def figures_of(name: str, report: Report) -> list[Figure]:
    """Return the figures of a report by the name of the script that wrote it."""
    return [*READERS.get(name, gates)(report)]
