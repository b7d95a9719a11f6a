"""Settings of how the work is carried out."""

from enum import StrEnum

from pydantic import Field, PositiveInt

from diorama.learn.settings.base import Settings


class Precision(StrEnum):
    """Number format of the network's large products."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


class ExecutionSettings(Settings):
    """Where and in what portions; these fix how floating-point sums are made, only `threads` never does."""

    device: str = Field("cpu", description="torch device of the policy")
    threads: PositiveInt | None = Field(None, description="threads that work on lanes and shards; None = one per core")
    lane_copies: PositiveInt = Field(512, description="copies that are acted for and stepped together")
    shard_rows: PositiveInt = Field(2048, description="decisions whose gradient is computed together")
    precision: Precision = Field(Precision.FLOAT32, description="bfloat16 needs a GPU")
    compile: bool = Field(False, description="compile the network with torch.compile; for GPUs")
