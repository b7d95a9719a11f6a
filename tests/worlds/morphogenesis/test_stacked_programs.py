"""Seeds of different blueprints that run together, against each of them by itself."""

from itertools import combinations

import torch
from torch import nn

from diorama.worlds.morphogenesis.engine.stacked.cnn_seeds import arrange, compile_seeds
from diorama.worlds.morphogenesis.engine.stacked.lanes import Bank
from diorama.worlds.morphogenesis.engine.stacked.parameters import Member, Parameters
from diorama.worlds.morphogenesis.engine.stacked.picking import Part, Picker
from diorama.worlds.morphogenesis.hosting.blueprints import cnn
from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import SeedModule

CHANNELS = 4
MAKERS = (
    cnn.attention,
    cnn.bottleneck,
    cnn.conv_heavy,
    cnn.conv_light,
    cnn.conv_small,
    cnn.depthwise,
    cnn.NormSeed,
)


def grown_seeds() -> list[SeedModule]:
    """Return a seed of every blueprint, with weights that are not those of its birth."""
    seeds = [make(CHANNELS) for make in MAKERS]
    draws = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for seed in seeds:
            for parameter in seed.parameters():
                parameter.uniform_(-1.0, 1.0, generator=draws)
    return sorted(seeds, key=arrange)


def test_whatever_runs_together_computes_and_learns_as_by_itself() -> None:
    seeds = grown_seeds()
    parameters = Parameters([Member(module=seed, optimizer=_optimizer(seed), owner=seed) for seed in seeds])
    parameters.take_up()
    features = torch.randn(len(seeds), CHANNELS, 4, 4, 3, generator=torch.Generator().manual_seed(2))
    alone = [
        seed.residual(own.permute(3, 0, 1, 2)).permute(1, 2, 3, 0) for seed, own in zip(seeds, features, strict=True)
    ]
    slopes = [
        torch.autograd.grad(out.square().sum(), list(seed.parameters())) for seed, out in zip(seeds, alone, strict=True)
    ]

    for size in (2, len(seeds)):
        for chosen in combinations(range(len(seeds)), size):
            picker = Picker(parameters)
            residuals = compile_seeds([Bank(seeds[place], (Part(place, True),)) for place in chosen], picker)
            picking = picker.picking()
            found = residuals(features[list(chosen)], picking.pick(parameters.values))
            (gradient,) = torch.autograd.grad(found.square().sum(), [parameters.values])

            assert torch.allclose(found, torch.stack([alone[place] for place in chosen]), atol=1e-5), chosen
            for place, (span, own) in enumerate(zip(parameters.spans, slopes, strict=True)):
                whole = gradient[min(s.start for s in span.values()) : max(s.stop for s in span.values())]
                wanted = torch.cat([slope.reshape(-1) for slope in own]) * float(place in chosen)
                assert torch.allclose(whole, wanted, rtol=1e-4, atol=1e-4), (chosen, place)


def _optimizer(seed: nn.Module) -> torch.optim.SGD:
    return torch.optim.SGD(seed.parameters(), lr=0.1)
