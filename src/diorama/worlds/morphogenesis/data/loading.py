"""The data and the host of a task."""

from pathlib import Path

from diorama.worlds.morphogenesis.contracts.errors import ConfigError, DatasetUnavailable
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.data.cifar import load_cifar10
from diorama.worlds.morphogenesis.data.digits import load_digits
from diorama.worlds.morphogenesis.data.shapes import load_shapes
from diorama.worlds.morphogenesis.data.tasks import CnnShape, TaskSpec
from diorama.worlds.morphogenesis.data.tokens import load_tokens
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost, Host, TransformerHost
from diorama.worlds.morphogenesis.hosting.optimizers import TRANSFORMER_PLAN, OptimizerPlan, cnn_plan


def load_data(task: TaskSpec, *, cifar_root: Path | None = None) -> TaskData:
    """Return the data of a task.

    Raises:
        DatasetUnavailable: The data is missing or malformed.
    """
    match task.family:
        case "digits":
            return load_digits()
        case "shapes":
            return load_shapes()
        case "tokens":
            return load_tokens()
        case _ if cifar_root is None:
            raise DatasetUnavailable(f"task {task.name!r} needs CIFAR-10; set data_root to where its files lie")
        case _:
            return load_cifar10(cifar_root)


def build_host(task: TaskSpec) -> Host:
    """Build the host of a task, with weights still to be set."""
    shape = task.host
    if isinstance(shape, CnnShape):
        return CnnHost(
            num_classes=task.num_classes,
            n_blocks=shape.n_blocks,
            base_channels=shape.base_channels,
            kernel_size=shape.kernel_size,
            pool_layers=shape.pool_layers,
            in_channels=shape.in_channels,
        )
    return TransformerHost(
        vocab_size=task.num_classes,
        n_embd=shape.n_embd,
        n_head=shape.n_head,
        n_layer=shape.n_layer,
        block_size=shape.block_size,
        dropout=shape.dropout,
        num_segments=shape.num_segments,
    )


def slots_of(host: Host, slot_ids: tuple[str, ...]) -> SlotConfig:
    """Return the enabled slots of a host in action index order.

    Raises:
        ConfigError: A slot is not one of the host's.
    """
    specs = {spec.slot_id: spec for spec in host.injection_specs()}
    strangers = [slot_id for slot_id in slot_ids if slot_id not in specs]
    if strangers or not slot_ids:
        raise ConfigError(f"slots {', '.join(slot_ids)!r}: choose one or more of {', '.join(specs)}")
    return SlotConfig.from_specs(specs[slot_id] for slot_id in slot_ids)


def optimizer_plan(task: TaskSpec) -> OptimizerPlan:
    """Return how the host of a task and its seeds are trained."""
    return cnn_plan(task.host_lr, task.seed_lr) if task.topology == "cnn" else TRANSFORMER_PLAN
