"""Settings of the devices, threads and shards that training runs on."""

from enum import StrEnum
from typing import Final

from pydantic import Field, PositiveInt

from diorama.learn.settings.schedules import Settings

_CPU_SHARD_COPIES: Final = 512
_CPU_SHARD_ROWS: Final = 2048  # the activations of a shard fit into the cache
_CPU_SHARD_SEQUENCES: Final = 128  # large enough that a matrix product per step outweighs its call
_ALL_SEQUENCES: Final = 1 << 62
_RESERVED_CORES: Final = 2  # beside a device, stepping threads spin: the threads that launch work need cores too
_SLICES: Final = 4  # beside a device, some copies step while it computes the actions of others


class Precision(StrEnum):
    """Number format of the network's matrix products."""

    FLOAT32 = "float32"
    TFLOAT32 = "tfloat32"
    BFLOAT16 = "bfloat16"


class ExecutionSettings(Settings):
    """Devices, threads and shard sizes; all but `threads` fix the order of floating-point sums."""

    device: str = Field("cpu", description="torch device of the policy")
    threads: PositiveInt | None = Field(
        None,
        description="threads that work on shards, and the most that step copies; None = one per core; with a GPU one"
        " per slice, and all cores but two step copies",
    )
    lane_copies: PositiveInt | None = Field(
        None, description="copies per environment shard; None = 512 on the cpu, a quarter of all copies on a GPU"
    )
    shard_rows: PositiveInt | None = Field(
        None,
        description="decisions per gradient shard; None = 2048 decisions or 128 sequences on the cpu, all on a GPU",
    )
    precision: Precision = Field(
        Precision.FLOAT32,
        description="number format of matrix products; tfloat32 needs a GPU; weights, heads and sums stay in float32",
    )
    native: bool = Field(
        True,
        description="on the cpu, run the policy and its update in compiled code where its layers allow it; false ="
        " torch computes every policy",
    )
    compile: bool = Field(False, description="compile the encoder with torch.compile; worth it on GPUs")
    pipeline: bool | None = Field(
        None,
        description="step some copies while the device computes the actions of others; None = true unless the device"
        " is the cpu",
    )
    graphs: bool = Field(True, description="run repeated work on a GPU as CUDA graphs; false for debugging")
    overlap: bool = Field(
        False,
        description="collect the next rollout while the GPU updates the policy; its actions then come from weights one"
        " update old, and a resumed run does not continue bit for bit",
    )

    @property
    def is_on_cpu(self) -> bool:
        """Whether the policy is on the CPU, as the copies are."""
        return self.device.partition(":")[0] == "cpu"

    @property
    def is_pipelined(self) -> bool:
        """Whether copies step while the device computes."""
        return not self.is_on_cpu if self.pipeline is None else self.pipeline

    def env_shards(self, copies: int) -> int:
        """Return the number of environment shards for this many copies."""
        size = self.lane_copies or (_CPU_SHARD_COPIES if self.is_on_cpu else -(-copies // _SLICES))
        return -(-copies // size)

    def stepping_threads(self, cores: int, copies: int) -> int:
        """Return the number of threads that step a batch.

        On the CPU each shard is stepped by one of the trainer's threads, and only spare cores step inside a shard.
        Beside a device all slices share the threads. `threads` is the upper limit.

        Args:
            cores: Cores that the training may use.
            copies: Copies of the training.
        """
        allowed = cores if self.threads is None else min(cores, self.threads)
        return max(
            1, min(allowed, cores - _RESERVED_CORES) if self.is_pipelined else allowed // self.env_shards(copies)
        )

    def shard_sequences(self, length: int) -> int:
        """Return the number of sequences of this length in a gradient shard."""
        if self.shard_rows is not None:
            return max(1, self.shard_rows // length)
        if not self.is_on_cpu:
            return _ALL_SEQUENCES
        return _CPU_SHARD_ROWS if length == 1 else _CPU_SHARD_SEQUENCES
