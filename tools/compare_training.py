"""Compares the training runs of two checkouts bit for bit.

    python tools/compare_training.py --former ../other-checkout

Every case is a list of `diorama` commands. Each checkout runs them in a folder of its own with the same interpreter;
then every file of the two folders is compared: settings, metadata, window rows, telemetry, replays, the output of the
commands, and every tensor of every checkpoint, including those of the optimizer and of the rollout. Only fields that
depend on the time or the machine are left out.

A comparison takes long and can be resumed: with `--keep DIR` the runs stay in DIR, and the next comparison in the same
DIR reuses every case that the former checkout has finished there. The current checkout always runs its cases anew.
`--former-only` runs the former checkout alone, and `--jobs N` runs N cases at a time.
"""

import argparse
import gzip
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Column, Table

ROOT: Final = Path(__file__).resolve().parent.parent

# Times, durations, rates and the machine. A case gives its runs their ids; the id of an evaluation is a time.
IGNORED_FIELDS: Final = frozenset(
    {
        *("at", "created_at", "finished_at", "generated_at", "started_at", "timestamp", "updated_at"),
        *(
            "epoch_duration_sec",
            "phase_seconds",
            "seconds_env",
            "seconds_learn",
            "seconds_policy",
            "seconds_teacher",
            "seconds_total",
        ),
        *("step_time_ms", "update_time_ms", "wall_seconds", "fps", "steps_per_sec", "run_id", "system"),
    }
)

_PROSPECTOR: Final = (
    "train prospector --preset quick --run-id run --copies 16 --rollout-steps 32 --steps 2048 --window-env-steps 1024"
    " --checkpoint-every-windows 1 --closing-episodes 1 --eval-max-steps-per-episode 32 --set execution.lane_copies=8"
)
_CLONING: Final = (
    "--set 'cloning={bot: prudent_hauler, decisions: 2048, copies: 16, epochs: 2, minibatch_rows: 256, anneal_rows: 64,"
    " anneal: {start: 1.0, end: 0.0, env_steps: 3072}}'"
)
_SCALED: Final = "--set normalization.observations=true --set normalization.rewards=return_std"
_SEQUENCES: Final = "--policy mingru-128-v1 --set ppo.sequence_length=16"
_TIDEBREAK: Final = (
    "train tidebreak --preset quick --run-id run --copies 8 --rollout-steps 32 --steps 1536 --window-env-steps 512"
    " --checkpoint-every-windows 1 --closing-episodes 1 --eval-max-steps-per-episode 16 --set execution.lane_copies=4"
)
_POOL: Final = "--set self_play.pool_every=2 -c stage=2 -c time_limit_s=20"
_HUNTER: Final = "--set cloning.decisions=2048 --set cloning.copies=8 --set cloning.epochs=2"
_TOWNLET: Final = (
    "train townlet --preset quick --run-id run --copies 2 --rollout-steps 32 --steps 192 --window-env-steps 64"
    " --closing-episodes 0 --eval-max-steps-per-episode 8 --set execution.lane_copies=1"
)
_CAPTURE: Final = "townlet capture first --scene late_start --rounds 1 --preset quick"
_LENIENT: Final = "--accuracy 0 --set cloning.gate.recall=0 --set cloning.gate.value_error=1000"
_GAMEBOY: Final = (
    "train gameboy --preset quick --run-id run --copies 8 --rollout-steps 16 --steps 512 --window-env-steps 256"
    " --closing-episodes 1 --eval-max-steps-per-episode 16"
)
_HEADS: Final = ("op", "slot", "blueprint", "style", "tempo", "alpha_target", "alpha_speed", "alpha_curve")
_STEADY: Final = " ".join(f"--set policy.heads.{head}.exploration=0.1" for head in _HEADS)
CASES: Final[dict[str, tuple[str, ...]]] = {
    "prospector": (
        f"{_PROSPECTOR} {_SCALED} --update-epochs 2 --set 'ppo.ent_coef={{start: 0.01, end: 0.001, run_share: 0.9}}'"
        " --set 'optimizer.learning_rate={start: 0.001, end: 0.0001, run_share: 1.0}'",
    ),
    "recurrent": (f"{_PROSPECTOR} {_SCALED} {_SEQUENCES}",),
    "lstm": (f"{_PROSPECTOR} --policy lstm-32-v1",),
    "separate-critic": (
        f"{_PROSPECTOR} --policy mlp-32x32-relu-separate-v1 --no-action-mask --update-epochs 3 --set ppo.shuffle=blocks"
        " --set ppo.value_clip=0.2 --set ppo.target_kl=0.0001 --set ppo.advantage_normalization=minibatch",
    ),
    "vtrace": (f"{_PROSPECTOR} --set ppo.vtrace={{}} --update-epochs 2 --set normalization.values=true",),
    "torch": (f"{_PROSPECTOR} {_SCALED} --update-epochs 2 --set execution.native=false",),
    "torch-recurrent": (f"{_PROSPECTOR} {_SEQUENCES} --set execution.native=false",),
    "bfloat16": (f"{_PROSPECTOR} --set execution.precision=bfloat16",),
    "pipeline": (f"{_PROSPECTOR} {_SEQUENCES} --set execution.pipeline=true",),
    "overlap": (f"{_PROSPECTOR} --set execution.pipeline=true --set execution.overlap=true",),
    "random": (f"{_PROSPECTOR} --backend random", "train prospector --resume run --steps 4096"),
    "start": (_PROSPECTOR, f"{_PROSPECTOR} --run-id next --set start=runs/run"),
    "resume": (f"{_PROSPECTOR} {_SEQUENCES} {_SCALED}", "train prospector --resume run --steps 4096"),
    "cloning": (f"{_PROSPECTOR} {_CLONING} {_SCALED}", "train prospector --resume run --steps 4096"),
    "processes": (f"{_PROSPECTOR} {_SCALED} --processes 2", "train prospector --resume run --steps 4096 --processes 2"),
    "evaluation": (_PROSPECTOR, "eval run --episodes 2 --stochastic --json report.json", "export run --decisions 32"),
    "tidebreak": (f"{_TIDEBREAK} --preset default {_HUNTER} -c time_limit_s=20",),
    "per-head": (f"{_TIDEBREAK} --set ppo.ratio=per_head --set ppo.normalized_entropy=true",),
    "self-play": (f"{_TIDEBREAK} {_POOL}", "train tidebreak --resume run --steps 3072"),
    "self-play-recurrent": (f"{_TIDEBREAK} {_POOL} --policy mingru-32-v1",),
    "curriculum": (
        f"{_TIDEBREAK} --preset curriculum {_HUNTER} --set curriculum.promotion_episodes=1 --rollout-steps 128"
        " --steps 8192 --window-env-steps 2048",
    ),
    "team": (f"{_TIDEBREAK} --preset team {_HUNTER} {_SEQUENCES} -c package.time_limit_s=20",),
    "townlet": (f"{_TOWNLET}",),
    "cloning-rounds": (
        f"{_TOWNLET} --preset default --set cloning.decisions=3200 --set cloning.rounds=2 --set cloning.copies=2",
    ),
    "branches": (f"{_TOWNLET} --set cloning=null --policy branches-lstm-32-v1 -c observations.compact.map_window=5",),
    "teacher": (f"{_TOWNLET} --set cloning=null --set ppo.teacher_share=0.5",),
    "course": (f"{_TOWNLET} --set cloning=null --set course.last=M1",),
    "anneal": (
        _CAPTURE,
        f"townlet anneal datasets/first --preset quick --run-id run {_LENIENT} --stages 2 --cycles 2 --set copies=2"
        " --set ppo.rollout_steps=32 --set windows.env_steps=64 --set evaluation.closing_episodes=0",
    ),
    "stored-episodes": (
        _CAPTURE,
        f"townlet clone datasets/first --preset quick --run-id run {_LENIENT} --set cloning.epochs=1",
        "townlet replay datasets/first --preset quick --run-id replayed --start runs/run --epochs 2",
        f"{_TOWNLET} --run-id mixed --set cloning=null --set replay.dataset=datasets/first",
        "train townlet --resume mixed --steps 256",
    ),
    "gameboy": (_GAMEBOY,),
    "gameboy-recurrent": (f"{_GAMEBOY} --policy cnn-mingru-32-v1",),
    "gameboy-tasks": (f"{_GAMEBOY} --preset catch",),
    "morphogenesis": ("train morphogenesis --preset quick --run-id run",),
    "morphogenesis-resume": (
        f"train morphogenesis --preset quick --run-id run --steps 24 {_STEADY}",
        "train morphogenesis --resume run --steps 48",
    ),
}


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of a case: the number of compared files and tensors, and the first difference or failure, if any."""

    files: int = 0
    tensors: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One value or tensor of a file, as text that is the same for the same bits."""

    name: str
    text: str
    is_tensor: bool = False


def main() -> int:
    """Run the cases in the checkouts, print the results and return the exit status."""
    options = _options()
    names = options.case or list(CASES)
    checkout = None if options.former_only else options.checkout
    console = Console(stderr=True)
    table = Table("case", "files", "tensors", Column("result", overflow="fold"))
    is_equal = True
    keeping = tempfile.TemporaryDirectory() if options.keep is None else nullcontext(options.keep)
    with keeping as folder, ThreadPool(options.jobs) as pool:
        results = pool.imap(lambda name: _run_case(name, options.former, checkout, Path(folder).resolve()), names)
        for name, result in zip(names, track(results, "cases", len(names), console=console), strict=True):
            is_equal &= result.problem is None
            outcome = escape(result.problem or ("finished" if checkout is None else "equal"))
            console.print(f"{name}: {outcome}", highlight=False)
            table.add_row(name, str(result.files), str(result.tensors), outcome)
    Console().print(table)
    return 0 if is_equal else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--former", type=_checkout, required=True, help="root of the checkout to compare with")
    parser.add_argument("--checkout", type=_checkout, default=ROOT, help="root of the current checkout (default: this)")
    parser.add_argument("--case", action="append", choices=CASES, metavar="NAME", help=f"one of {', '.join(CASES)}")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="folder to keep the runs in (default: a temporary one)"
    )
    parser.add_argument(
        "--jobs", type=_at_least_one, default=1, metavar="N", help="cases to run at a time (default: 1)"
    )
    parser.add_argument("--former-only", action="store_true", help="run the former checkout alone; needs --keep")
    options = parser.parse_args()
    if options.former_only and options.keep is None:
        parser.error("--former-only needs --keep DIR: a temporary folder would be removed at the end")
    return options


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too small; use 1 or more")
    return number


def _checkout(text: str) -> Path:
    root = Path(text).resolve()
    if not (root / "src" / "diorama").is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no checkout: it has no src/diorama")
    return root


def _run_case(name: str, former: Path, checkout: Path | None, folder: Path) -> CaseResult:
    """Run a case in the former checkout unless it is finished there, then in the current one, and compare the two."""
    former_folder, current_folder = folder / "former" / name, folder / "current" / name
    if not _is_finished(name, former, former_folder):
        problem = run_commands(CASES[name], former, former_folder)
        if problem is not None:
            return CaseResult(problem=f"former: {problem}")
        _marker(former_folder).write_text(_marker_text(name, former), encoding="utf-8")
    if checkout is None:
        return CaseResult(files=len(_files(former_folder)))
    problem = run_commands(CASES[name], checkout, current_folder)
    if problem is not None:
        return CaseResult(problem=f"current: {problem}")
    return compare_folders(former_folder, current_folder)


def _is_finished(name: str, checkout: Path, folder: Path) -> bool:
    marker = _marker(folder)
    return folder.is_dir() and marker.is_file() and marker.read_text(encoding="utf-8") == _marker_text(name, checkout)


def _marker(folder: Path) -> Path:
    # Beside the folder of the case: every file inside it is compared.
    return folder.with_name(f"{folder.name}.finished")


def _marker_text(name: str, checkout: Path) -> str:
    return json.dumps({"checkout": str(checkout), "commands": CASES[name]}, indent=2)


def run_commands(commands: Sequence[str], checkout: Path, folder: Path) -> str | None:
    """Run commands one after another in a folder, which is emptied first, and return the first failure, if any."""
    _marker(folder).unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DIORAMA_")}
    environment = {**kept, "PYTHONPATH": str(checkout / "src"), "COLUMNS": "200"}
    for number, command in enumerate(commands, start=1):
        call = (sys.executable, "-m", _command_module(checkout), *shlex.split(command))
        ended = subprocess.run(call, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
        if ended.returncode:
            lines = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
            return f"command {number} ended with {ended.returncode}: {lines[-1] if lines else command}"
        (folder / f"printed_{number}.txt").write_text(ended.stdout, encoding="utf-8")
    return None


def _command_module(checkout: Path) -> str:
    """Return the module that `python -m` runs as `diorama`; older checkouts have only `diorama.cli`."""
    return "diorama" if (checkout / "src" / "diorama" / "__main__.py").is_file() else "diorama.cli"


def compare_folders(former: Path, current: Path) -> CaseResult:
    """Compare every file of two folders."""
    names = _files(former)
    unmatched = sorted(set(names) ^ set(_files(current)))
    if unmatched:
        return CaseResult(problem=f"{unmatched[0]}: only one checkout writes it")
    hashes = [
        [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names] for folder in (former, current)
    ]
    tensors = 0
    for number, name in enumerate(names):
        one_file, other_file = (
            _entries(name, _data(folder / name, known)) for folder, known in zip((former, current), hashes, strict=True)
        )
        for one, other in zip_longest(one_file, other_file):
            if one != other:
                where = next(entry.name for entry in (one, other) if entry is not None)
                return CaseResult(number, tensors, f"{name}: {where}: {_text(one)} became {_text(other)}")
            tensors += one is not None and one.is_tensor
    return CaseResult(len(names), tensors)


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _data(path: Path, hashes: Sequence[str]) -> bytes:
    """Return the bytes of a file; an index replaces each hash of another file, since that file may hold a time."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for index, digest in enumerate(hashes):
        data = data.replace(digest.encode(), b"%064d" % index)
    return data


def _entries(name: str, data: bytes) -> Iterator[Entry]:
    """Yield the entries of a file, in its order and without the ignored fields."""
    if name.endswith(".safetensors"):
        yield from _stored_tensors(data)
    elif name.endswith(".json"):
        yield from _leaves("", json.loads(data))
    elif name.endswith((".jsonl", ".ndjson", ".jsonl.gz")):
        for number, line in enumerate(data.splitlines(), start=1):
            yield from _leaves(f"line {number}", json.loads(line))
    elif name.endswith(".txt"):
        yield from (Entry(f"line {number}", line) for number, line in enumerate(data.decode().splitlines(), start=1))
    else:
        yield Entry("bytes", hashlib.sha256(data).hexdigest())


def _stored_tensors(data: bytes) -> Iterator[Entry]:
    begin = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:begin])
    for name, text in header.pop("__metadata__", {}).items():
        yield from _leaves(name, json.loads(text))
    for name, stored in header.items():
        first, end = stored["data_offsets"]
        digest = hashlib.sha256(data[begin + first : begin + end]).hexdigest()
        yield Entry(name, f"{stored['dtype']} {stored['shape']} with SHA-256 {digest[:16]}", is_tensor=True)


def _leaves(name: str, value: object) -> Iterator[Entry]:
    """Yield every value inside a document, as text that keeps 1 and 1.0 apart, and 0.0 and -0.0."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            if key not in IGNORED_FIELDS:
                yield from _leaves(f"{name}.{key}", inner)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(f"{name}[{index}]", inner)
    else:
        yield Entry(name, repr(value))


def _text(entry: Entry | None) -> str:
    return "nothing" if entry is None else entry.text[:80]


if __name__ == "__main__":
    sys.exit(main())
