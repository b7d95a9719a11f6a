"""What other trainers reach on the same copies, with the same network, batch and number of passes."""

import torch

from peers.puffer import measure_pufferlib
from peers.stable_baselines import measure_sb3, measure_sb3_dummies
from peers.work import PeerRate, Work


def measure_peers(work: Work, *, seconds: float) -> list[PeerRate]:
    """Measure every peer with one torch thread and with one per core, and keep the better."""
    before = torch.get_num_threads()
    rates = []
    for measure in (measure_sb3, measure_sb3_dummies, measure_pufferlib):
        tried = []
        for threads in sorted({1, before}):
            torch.set_num_threads(threads)
            tried.append(measure(work, seconds=seconds))
        rates.append(max(tried, key=lambda rate: rate.decisions_per_second or 0.0))
    torch.set_num_threads(before)
    return rates
