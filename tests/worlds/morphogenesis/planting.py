"""Seeds in every stage, put into the beds of an engine."""

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.protocol import HostEngine

BLUEPRINTS = (
    BlueprintAction.CONV_LIGHT,
    BlueprintAction.ATTENTION,
    BlueprintAction.NORM,
    BlueprintAction.DEPTHWISE,
    BlueprintAction.BOTTLENECK,
    BlueprintAction.CONV_SMALL,
    BlueprintAction.CONV_HEAVY,
)
OPERATORS = (AlphaAlgorithm.ADD, AlphaAlgorithm.MULTIPLY, AlphaAlgorithm.GATE)
STAGES = (SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.FOSSILIZED, SeedStage.HOLDING, SeedStage.GERMINATED)


def plant(
    engine: HostEngine,
    row: int,
    slot_id: str,
    stage: SeedStage,
    *,
    blueprint: BlueprintAction = BlueprintAction.CONV_LIGHT,
    operator: AlphaAlgorithm = AlphaAlgorithm.ADD,
    alpha: float | None = None,
    frozen: bool = False,
) -> None:
    """Plant a seed and lead it to a stage."""
    bed = engine.bed(row)
    bed.plant(slot_id, blueprint, operator, 0)
    for reached in (SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED):
        if reached <= stage:
            bed.set_stage(slot_id, reached)
    strength = 1.0 if stage >= SeedStage.BLENDING else 0.0
    bed.set_alpha(slot_id, strength if alpha is None else alpha, frozen=frozen)


def plant_everything(engine: HostEngine) -> None:
    """Plant every blueprint with every operator and in every stage somewhere in seven rows."""
    for row, blueprint in enumerate(BLUEPRINTS):
        for place, slot_id in enumerate(("r0c0", "r0c1")):
            plant(
                engine,
                row,
                slot_id,
                STAGES[(row + 2 * place) % len(STAGES)],
                blueprint=BLUEPRINTS[(row + 2 * place) % 7] if place else blueprint,
                operator=OPERATORS[(row + place) % 3],
                frozen=row == 1,
            )
