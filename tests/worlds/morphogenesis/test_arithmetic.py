"""Precision belongs to the process, whoever else computes in it."""

import threading
from collections.abc import Iterator

import pytest
import torch

from diorama.worlds.morphogenesis.engine.arithmetic import plain_arithmetic


@pytest.fixture(autouse=True)
def shortened_factors() -> Iterator[None]:
    """As a policy's trainer asks for them."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    yield
    torch.set_float32_matmul_precision(before)


def test_blocks_within_blocks_restore_what_was() -> None:
    threads = torch.get_num_threads()
    with plain_arithmetic():
        with plain_arithmetic():
            pass
        assert torch.get_float32_matmul_precision() == "highest"
        assert torch.get_num_threads() == 1

    assert torch.get_float32_matmul_precision() == "high"
    assert torch.get_num_threads() == threads


def test_blocks_of_two_threads_that_overlap_restore_what_was() -> None:
    is_open, may_end = threading.Event(), threading.Event()
    inside: list[tuple[str, int]] = []

    def compute() -> None:
        with plain_arithmetic():
            is_open.set()
            may_end.wait(10.0)
            inside.append((torch.get_float32_matmul_precision(), torch.get_num_threads()))

    other = threading.Thread(target=compute)
    with plain_arithmetic():
        other.start()
        assert is_open.wait(10.0)
    still = torch.get_float32_matmul_precision()
    may_end.set()
    other.join()

    assert still == "highest"
    assert inside == [("highest", 1)]
    assert torch.get_float32_matmul_precision() == "high"
