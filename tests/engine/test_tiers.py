"""How the tier that runs is chosen, and what happens where the native core does not load."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import diorama
from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import TierUnavailable
from diorama.contracts.tiers import BatchCore, CoreRequest, Tier
from diorama.contracts.values import I32
from diorama.engine.make import make_batch
from diorama.engine.reference_core import ReferenceCore
from diorama.worlds.registry import load_world

SOURCE = Path(diorama.__file__).parent


def test_a_fast_tier_that_errs_on_its_first_step_is_not_chosen() -> None:
    world = load_world("prospector")

    class Wrong(ReferenceCore):
        def step(self, actions: I32, buffers: Buffers) -> None:
            super().step(actions, buffers)
            buffers.obs[0, 6] += 1e-7

        def split(self, sizes: Sequence[int]) -> list[BatchCore]:
            raise AssertionError("not used here")

    def accelerate(config: WorldConfig, request: CoreRequest) -> BatchCore:
        return Wrong.build(world, config, copies=request.copies, seed=request.seed)

    batch = make_batch(replace(world, accelerate=accelerate))

    assert batch.tier_selected is Tier.REFERENCE
    assert (
        batch.tier_fallback_reason
        == "the fast tier of 'prospector' differs from the reference in 'obs' on its first step"
    )


@pytest.mark.parametrize("broken", [pytest.param(None, id="missing"), pytest.param(b"not a library", id="unloadable")])
def test_without_a_native_core_the_reference_runs_and_says_why(tmp_path: Path, broken: bytes | None) -> None:
    package = tmp_path / "diorama"
    package.mkdir()
    for item in SOURCE.iterdir():
        if not item.name.startswith("_native"):
            (package / item.name).symlink_to(item)
    if broken is not None:
        (package / "_native.abi3.so").write_bytes(broken)
    program = (
        "import diorama\n"
        "batch = diorama.make('prospector')\n"
        "print(batch.tier_selected, batch.tier_fallback_reason)\n"
        "try:\n    diorama.make('prospector', tier='fast')\nexcept diorama.contracts.errors.TierUnavailable as error:\n"
        "    print('refused', error)\n"
    )

    answer = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {[str(tmp_path), *sys.path[1:]]!r}\n{program}"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 0, answer.stderr
    chosen, refused = answer.stdout.splitlines()
    assert chosen.startswith("reference the native core does not load (")
    assert refused.startswith("refused the native core does not load (")


def test_a_named_fast_tier_is_not_second_guessed() -> None:
    assert diorama.make("prospector", tier="fast").tier_selected is Tier.FAST
    with pytest.raises(TierUnavailable, match="runs on the cpu"):
        diorama.make("prospector", tier="reference", device="cuda:0")
