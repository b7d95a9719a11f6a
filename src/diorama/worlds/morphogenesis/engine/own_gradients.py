"""Hosts learn whoever steps them: a trainer that collects without gradients must not switch theirs off."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def own_gradients() -> Iterator[None]:
    """Record gradients inside the block, and make tensors that can have them, whatever mode the caller is in."""
    with torch.inference_mode(False), torch.enable_grad():
        yield
