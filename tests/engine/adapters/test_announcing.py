"""`import diorama` is cheap, and the worlds are Gymnasium's all the same."""

import subprocess
import sys

import pytest

HEAVY = ("gymnasium", "numpy", "pydantic", "torch", "yaml", "PIL")


def said_by(program: str) -> str:
    """Return what a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    "use", ["import diorama", "from diorama.cli.app import run; run(['--help'])"], ids=["package", "help"]
)
def test_nothing_heavy_is_loaded_before_it_is_used(use: str) -> None:
    loaded = f"{use}; import sys; print('loaded:', *sorted(set(sys.modules) & set({HEAVY!r})))"

    assert said_by(loaded).endswith("loaded:")


@pytest.mark.parametrize("imports", ["import diorama, gymnasium", "import gymnasium, diorama"])
def test_worlds_are_registered_in_whichever_order_the_two_are_imported(imports: str) -> None:
    made = f"{imports}; print(gymnasium.make('diorama/Prospector-v1').unwrapped, gymnasium.__spec__.loader)"

    assert "DioramaEnv" in said_by(made)
    assert "announcing" not in said_by(made)
