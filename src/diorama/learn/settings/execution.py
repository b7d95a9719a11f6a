"""Settings of where and how a training computes."""

from enum import StrEnum
from typing import Final

from pydantic import Field, PositiveInt

from diorama.learn.settings.schedules import Settings

_CPU_LANE_COPIES: Final = 512
_CPU_SHARD_ROWS: Final = 2048  # activations of a shard stay in the cache
_CPU_SHARD_SEQUENCES: Final = 128  # a step of a memory is then a product large enough to be worth its call
_EVERYTHING: Final = 1 << 62
_LEADING_CORES: Final = 2  # threads that step stay awake beside a device: whoever leads them needs room
_SLICES: Final = 4  # elsewhere than on the cpu: some step while the device decides for others


class Precision(StrEnum):
    """Number format of the network's large products."""

    FLOAT32 = "float32"
    TFLOAT32 = "tfloat32"
    BFLOAT16 = "bfloat16"


class ExecutionSettings(Settings):
    """Where and in what portions; these fix how floating-point sums are made, only `threads` never does."""

    device: str = Field("cpu", description="torch device of the policy")
    threads: PositiveInt | None = Field(
        None,
        description="threads that work on lanes and shards, and the most that step; None = one per core; beside a GPU"
        " one per slice, and all cores but two step",
    )
    lane_copies: PositiveInt | None = Field(
        None, description="copies acted for and stepped together; None = 512 on the cpu, a quarter of them elsewhere"
    )
    shard_rows: PositiveInt | None = Field(
        None,
        description="decisions whose gradient is computed together; None = 2048 or 128 sequences on the cpu, else all",
    )
    precision: Precision = Field(
        Precision.FLOAT32,
        description="of the large products; tfloat32 needs a GPU; weights, heads and sums stay in float32",
    )
    native: bool = Field(
        True,
        description="on the cpu, decide and learn in compiled code where the layers of the policy allow it; off = torch"
        " computes every policy",
    )
    compile: bool = Field(False, description="compile the encoder with torch.compile; pays on GPUs")
    pipeline: bool | None = Field(
        None,
        description="step some copies while the device decides for others, and learn from recorded passes; None ="
        " elsewhere than on the cpu",
    )
    graphs: bool = Field(
        True, description="record what repeats on a GPU as a graph and play it back; off to look for faults"
    )
    overlap: bool = Field(
        False,
        description="gather the next rollout while the GPU learns from the last; it is then decided by weights one"
        " update old, and a resumed run does not continue bit for bit",
    )

    @property
    def is_on_cpu(self) -> bool:
        """Whether the policy lives where the copies do."""
        return self.device.partition(":")[0] == "cpu"

    @property
    def is_pipelined(self) -> bool:
        """Whether copies and device work side by side."""
        return not self.is_on_cpu if self.pipeline is None else self.pipeline

    def lanes(self, copies: int) -> int:
        """Return into how many lanes this many copies are split."""
        size = self.lane_copies or (_CPU_LANE_COPIES if self.is_on_cpu else -(-copies // _SLICES))
        return -(-copies // size)

    def stepping_threads(self, cores: int, copies: int) -> int:
        """Return how many threads step every batch of a training of this many copies that has so many cores.

        Lanes are stepped side by side, each by one of the trainer's threads; only spare cores serve inside of one.
        Slices beside a device share all threads. There are never more than were asked for.
        """
        asked = cores if self.threads is None else min(cores, self.threads)
        return max(1, min(asked, cores - _LEADING_CORES) if self.is_pipelined else asked // self.lanes(copies))

    def shard_sequences(self, length: int) -> int:
        """Return how many sequences of this length make a shard."""
        if self.shard_rows is not None:
            return max(1, self.shard_rows // length)
        if not self.is_on_cpu:
            return _EVERYTHING
        return _CPU_SHARD_ROWS if length == 1 else _CPU_SHARD_SEQUENCES
