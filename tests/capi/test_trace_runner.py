"""The trace of `core_test_runner` against the readable tier, bit for bit."""

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import diorama
from diorama.contracts.values import U8
from diorama.engine.batch import Batch
from diorama.rng import Pcg32
from tests.capi.build import Build

RECORD = np.dtype(
    [
        ("t", "<u4"),
        ("action_received", "<i2"),
        ("action", "u1"),
        ("flags", "u1"),
        ("dt", "<u2"),
        ("event_bits", "<u4"),
        ("rng_draws", "<u8"),
        ("reward", "<f8"),
        ("obs", "<f4", 260),
        ("metrics", "<f8", 13),
    ]
)
FLAG_TERMINATED, FLAG_TRUNCATED, FLAG_INVALID = 1, 2, 4
CASH_OUT = 68
SCRIPT_OF_SEED_42 = [0, 8, 12, 9, 10, 28, 28, 29, 30, 33, 6, 0, 42, 45, 48, 57, 54, 60, 51, 61, 67, 64, 66, 68]

Trace = NDArray[np.void]
Choose = Callable[[U8], int]


def reference_trace(choose: Choose, *, seed: int, time_max: float, steps: int) -> Trace:
    """Play the readable tier; an ended episode is followed by that of `seed` plus the episodes so far."""
    batch = diorama.make("prospector", config={"time_max": time_max}, tier="reference")
    batch.reset(seeds=[seed])
    trace = np.zeros(steps, RECORD)
    episodes = 0
    for t in range(steps):
        batch.step([choose(batch.masks[0])])
        trace[t] = record_of(batch, t)
        if batch.episode_start[0]:
            episodes += 1
            batch.reset(seeds=[seed + episodes])
    return trace


def record_of(batch: Batch, t: int) -> tuple[object, ...]:
    record = batch.step_record(0)
    [received], [effective] = record.received, record.effective
    assert received is not None
    assert effective is not None
    flags = (
        FLAG_TERMINATED * record.terminated[0]
        + FLAG_TRUNCATED * record.truncated[0]
        + FLAG_INVALID * bool(record.info["invalid_action"])
    )
    event_bits = sum(1 << batch.spec.event_names.index(name) for name in record.events)
    obs = batch.final_obs if record.terminated[0] or record.truncated[0] else batch.obs
    return (
        t,
        received[0],
        effective[0],
        flags,
        record.dt,
        event_bits,
        record.draws,
        record.rewards[0],
        obs[0],
        record.metrics[0],
    )


def runner_trace(build: Build, folder: Path, actions: Iterable[int], *, seed: int, time_max: float) -> Trace:
    sent, out = folder / "actions.bin", folder / "trace.bin"
    sent.write_bytes(bytes(actions))
    command: list[str | Path] = [
        build.runner,
        "--seed",
        str(seed),
        "--time-max",
        str(time_max),
        "--actions",
        sent,
        "--out",
        out,
    ]
    subprocess.run(command, check=True)
    return np.fromfile(out, RECORD)


def differing_fields(one: Trace, other: Trace) -> list[str]:
    assert len(one) == len(other)
    assert RECORD.names is not None
    return [name for name in RECORD.names if one[name].tobytes() != other[name].tobytes()]


def any_byte(seed: int) -> Choose:
    rng = Pcg32.from_seed(seed, 77)
    return lambda _: rng.randint_exclusive(0, 256)


def any_action(seed: int) -> Choose:
    rng = Pcg32.from_seed(seed, 77)
    return lambda _: rng.randint_exclusive(0, 75)


def any_valid_action_but_cash_out(seed: int) -> Choose:
    rng = Pcg32.from_seed(seed, 77)

    def choose(mask: U8) -> int:
        valid = np.flatnonzero(mask[:CASH_OUT])
        return int(valid[rng.randint_exclusive(0, len(valid))])

    return choose


def test_the_record_has_the_length_that_the_header_says() -> None:
    assert RECORD.itemsize == 1174


@pytest.mark.parametrize(
    ("pilot", "seed", "time_max", "ending"),
    [
        pytest.param(any_byte, 0, 90.0, FLAG_TRUNCATED, id="any-byte"),
        pytest.param(any_action, 9, 20000.0, FLAG_TERMINATED, id="any-action"),
        pytest.param(any_valid_action_but_cash_out, 42, 8000.0, FLAG_TERMINATED, id="valid-actions"),
        pytest.param(any_valid_action_but_cash_out, 2**63 + 5, 60.0, FLAG_TRUNCATED, id="short-episodes"),
    ],
)
def test_the_trace_equals_the_readable_tier(
    build: Build, tmp_path: Path, pilot: Callable[[int], Choose], seed: int, time_max: float, ending: int
) -> None:
    expected = reference_trace(pilot(seed), seed=seed, time_max=time_max, steps=500)

    trace = runner_trace(build, tmp_path, expected["action_received"].tolist(), seed=seed, time_max=time_max)

    assert differing_fields(trace, expected) == []
    assert np.count_nonzero(expected["flags"] & ending) >= 2


def test_the_script_of_seed_42_ends_with_the_known_values(build: Build, tmp_path: Path) -> None:
    actions = iter(SCRIPT_OF_SEED_42)
    expected = reference_trace(lambda _: next(actions), seed=42, time_max=20000.0, steps=len(SCRIPT_OF_SEED_42))

    trace = runner_trace(build, tmp_path, SCRIPT_OF_SEED_42, seed=42, time_max=20000.0)

    assert differing_fields(trace, expected) == []
    assert (trace["rng_draws"][-1], trace["flags"][-1]) == (3286, FLAG_TERMINATED)
    assert trace["metrics"][-1][0] == pytest.approx(81.579355, abs=1e-6)


def test_no_actions_make_an_empty_trace(build: Build, tmp_path: Path) -> None:
    assert len(runner_trace(build, tmp_path, [], seed=1, time_max=100.0)) == 0
