"""What a copy costs: samples that an epoch trains on, of its host and of the twin beside it."""

from typing import Final

from diorama.contracts.plans import CopyCost
from diorama.worlds.morphogenesis.config import MorphogenesisConfig

SAMPLES_PER_SECOND: Final = 10_000  # images of the small tasks on one core
SAMPLES: Final = {"digits": 1_437, "shapes": 4_096, "tokens": 4_096, "cifar": 50_000}
_PER_MINIBATCH: Final = 32  # samples that could be trained on while a minibatch is prepared
_IMAGES_PER_SEQUENCE: Final = 4
_READABLE: Final = 3  # how much slower the tier is that takes the last decision of an episode again
_OPENING: Final = 10_000
_COPY_BYTES: Final = 32 << 20


def cost_of(config: MorphogenesisConfig) -> CopyCost:
    """Return what a copy costs in a configuration."""
    task = config.task_spec
    batch_size = min(config.batch_size or task.batch_size, SAMPLES[task.family])
    minibatches = SAMPLES[task.family] // batch_size
    most = config.train_batches_per_epoch or task.train_batches_per_epoch or "all"
    if most != "all":
        minibatches = min(minibatches, most)
    weight = 1 if task.topology == "cnn" else _IMAGES_PER_SEQUENCE
    epoch = minibatches * (batch_size + _PER_MINIBATCH) * weight
    return CopyCost(
        unit="samples",
        per_second=SAMPLES_PER_SECOND,
        opening=_OPENING + epoch,
        decision=epoch,
        closing=epoch * _READABLE,
        memory_bytes=_COPY_BYTES,
    )
