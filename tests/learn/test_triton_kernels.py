"""Triton kernels agree with torch; without a GPU, Triton's interpreter runs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

CHECKS = Path(__file__).with_name("triton_checks.py")


@pytest.mark.slow
def test_triton_kernels_agree_with_torch() -> None:
    # Triton reads TRITON_INTERPRET when it is first imported, which another test may have done.
    interpreted = {} if torch.cuda.is_available() else {"TRITON_INTERPRET": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", str(CHECKS)]

    answer = subprocess.run(command, env={**os.environ, **interpreted}, capture_output=True, text=True, check=False)

    assert answer.returncode == 0, answer.stdout
    assert " passed" in answer.stdout
