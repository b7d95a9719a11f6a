"""Settings of how the work is carried out."""

from enum import StrEnum
from typing import Final

from pydantic import Field, PositiveInt

from diorama.learn.settings.base import Settings

_CPU_LANE_COPIES: Final = 512
_CPU_SHARD_ROWS: Final = 2048  # activations of a shard stay in the cache
_CPU_SHARD_SEQUENCES: Final = 128  # a step of a memory is then a product large enough to be worth its call
_EVERYTHING: Final = 1 << 62


class Precision(StrEnum):
    """Number format of the network's large products."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


class ExecutionSettings(Settings):
    """Where and in what portions; these fix how floating-point sums are made, only `threads` never does."""

    device: str = Field("cpu", description="torch device of the policy")
    threads: PositiveInt | None = Field(None, description="threads that work on lanes and shards; None = one per core")
    lane_copies: PositiveInt | None = Field(
        None, description="copies acted for and stepped together; None = 512 on the cpu, half of them elsewhere"
    )
    shard_rows: PositiveInt | None = Field(
        None,
        description="decisions whose gradient is computed together; None = 2048 or 128 sequences on the cpu, else all",
    )
    precision: Precision = Field(Precision.FLOAT32, description="bfloat16 needs a GPU")
    compile: bool = Field(False, description="compile the encoder with torch.compile; pays on GPUs")

    @property
    def is_on_cpu(self) -> bool:
        """Whether the policy lives where the copies do."""
        return self.device.partition(":")[0] == "cpu"

    def lanes(self, copies: int) -> int:
        """Return into how many lanes this many copies are split."""
        size = self.lane_copies or (_CPU_LANE_COPIES if self.is_on_cpu else -(-copies // 2))
        return -(-copies // size)

    def shard_sequences(self, length: int) -> int:
        """Return how many sequences of this length make a shard."""
        if self.shard_rows is not None:
            return max(1, self.shard_rows // length)
        if not self.is_on_cpu:
            return _EVERYTHING
        return _CPU_SHARD_ROWS if length == 1 else _CPU_SHARD_SEQUENCES
