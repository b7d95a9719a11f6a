"""Small runs for tests: a few batches of the digits, so that an epoch takes milliseconds."""

from functools import cache

from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.data.loading import build_host, load_data, slots_of
from diorama.worlds.morphogenesis.data.tasks import task_named
from diorama.worlds.morphogenesis.engine.layout import RowLayout
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup
from diorama.worlds.morphogenesis.streams import Streams

VALIDATION_SAMPLES = 120


@cache
def small_data(task: str = "digits") -> TaskData:
    """Return the data of a task with a short validation set."""
    return load_data(task_named(task)).first_validation(VALIDATION_SAMPLES)


def small_setup(
    *, task: str = "digits", envs: int = 2, groups: int = 1, root_key: int = 5, max_batches: int = 3
) -> EngineSetup:
    """Set up an engine whose epochs are a few minibatches long."""
    spec = task_named(task)
    return EngineSetup(
        task=spec,
        slots=slots_of(build_host(spec), spec.slots),
        data=small_data(task),
        streams=Streams(root_key),
        layout=RowLayout.of(tuple(range(envs)), all_envs=envs, groups=groups, has_twins=True),
        batch_size=32,
        max_batches=max_batches,
    )
