"""The blueprints there are, each with the formula of its parameters."""

from collections.abc import Callable
from typing import Final

from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGIES, BlueprintAction
from diorama.worlds.morphogenesis.hosting.blueprints import cnn, transformer
from diorama.worlds.morphogenesis.hosting.blueprints.registry import BlueprintRegistry, BlueprintSpec, SeedFactory
from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import Noop, SeedModule

_B: Final = BlueprintAction


def _cnn(
    blueprint: BlueprintAction,
    build: Callable[[int], SeedModule],
    params: Callable[[int], int],
    cost: float,
) -> BlueprintSpec:
    return BlueprintSpec(
        topology="cnn",
        blueprint=blueprint,
        build=lambda channels, block: build(channels),
        param_formula=params,
        cost_multiplier=cost,
    )


def _transformer(
    blueprint: BlueprintAction, build: SeedFactory, params: Callable[[int], int], cost: float
) -> BlueprintSpec:
    return BlueprintSpec(
        topology="transformer", blueprint=blueprint, build=build, param_formula=params, cost_multiplier=cost
    )


_CNN: Final = (
    _cnn(_B.CONV_LIGHT, cnn.conv_light, lambda c: 9 * c * c + 3 * c, 1.15),
    _cnn(_B.ATTENTION, cnn.attention, lambda c: 2 * c * max(1, c // 4) + 2 * c, 1.03),
    _cnn(_B.NORM, cnn.NormSeed, lambda c: 2 * c + 1, 1.02),
    _cnn(_B.DEPTHWISE, cnn.depthwise, lambda c: c * c + 12 * c, 1.08),
    _cnn(_B.BOTTLENECK, cnn.bottleneck, lambda c: 2 * c * max(2, c // 4) + 9 * max(2, c // 4) ** 2 + 3 * c, 1.05),
    _cnn(_B.CONV_SMALL, cnn.conv_small, lambda c: c * c + 3 * c, 1.05),
    _cnn(_B.CONV_HEAVY, cnn.conv_heavy, lambda c: 18 * c * c + 5 * c, 1.25),
)

_TRANSFORMER: Final = (
    _transformer(_B.ATTENTION, lambda d, block: transformer.AttentionSeed(d), lambda d: 4 * d * d + 4 * d, 1.35),
    _transformer(_B.NORM, lambda d, block: transformer.NormSeed(d), lambda d: 2 * d + 1, 1.02),
    _transformer(_B.LORA, lambda d, block: transformer.LoraSeed(d, 8), lambda d: 16 * d, 1.05),
    _transformer(_B.LORA_LARGE, lambda d, block: transformer.LoraSeed(d, 32), lambda d: 64 * d, 1.08),
    _transformer(_B.MLP_SMALL, lambda d, block: transformer.MlpSeed(d, 2), lambda d: 4 * d * d + 3 * d, 1.15),
    _transformer(_B.MLP, lambda d, block: transformer.MlpSeed(d, 4), lambda d: 8 * d * d + 5 * d, 1.20),
    _transformer(
        _B.FLEX_ATTENTION,
        lambda d, block: transformer.AttentionSeed(d, window=transformer.window_of(block)),
        lambda d: 4 * d * d + 4 * d,
        1.35,
    ),
)


def _catalogue() -> BlueprintRegistry:
    registry = BlueprintRegistry()
    for topology in TOPOLOGIES:
        registry.register(
            BlueprintSpec(
                topology=topology,
                blueprint=_B.NOOP,
                build=lambda width, block: Noop(),
                param_formula=lambda width: 0,
                cost_multiplier=1.0,
            )
        )
    for spec in (*_CNN, *_TRANSFORMER):
        registry.register(spec)
    return registry


CATALOGUE: Final = _catalogue()
"""Every blueprint of both topologies."""
