"""Copies that live on a device: decisions and what they lead to are tensors there, and the host sees neither."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from diorama.contracts.spec import WorldSpec

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRows:
    """What `Buffers` are on the host: the same arrays of one step as tensors of a device.

    Numbers without a sign are held in numbers of the same width with one (`dt` in int16, `events` in int64), since
    devices compute with those.
    """

    obs: "torch.Tensor"
    obs_u8: "torch.Tensor"
    masks: "torch.Tensor"
    rewards: "torch.Tensor"
    terminated: "torch.Tensor"
    truncated: "torch.Tensor"
    alive: "torch.Tensor"
    episode_start: "torch.Tensor"
    metrics: "torch.Tensor"
    dt: "torch.Tensor"
    events: "torch.Tensor"
    final_obs: "torch.Tensor"
    final_obs_u8: "torch.Tensor"


@runtime_checkable
class ResidentCore(Protocol):
    """Copies of one world on a device; the same seeds and decisions lead to the same rows as on the host.

    Work goes on the caller's current stream, and nothing is waited for but by `snapshots` and `restore_all`.
    """

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def open_all(self, into: DeviceRows) -> None:
        """Open the next episode of every copy."""

    def step_all(self, actions: "torch.Tensor", into: DeviceRows) -> None:
        """Advance every copy by one decision per seat; `actions` is int32, rows × heads, on the device."""

    def snapshots(self) -> list[bytes]:
        """Return the complete state of every copy, as a batch on the host would; this brings them to the host."""

    def restore_all(self, snapshots: Sequence[bytes], into: DeviceRows) -> None:
        """Continue every copy from its snapshot and write what it shows.

        Raises:
            SnapshotError: One is no snapshot of such a copy.
        """
