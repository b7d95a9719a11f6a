"""What operators ordered at the desk of a batch, as part of a live snapshot."""

from typing import Protocol, runtime_checkable

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import JsonObject, JsonValue


@runtime_checkable
class KeepsOrders(Protocol):
    """A desk whose orders outlast a step."""

    def export_orders(self) -> JsonObject:
        """What was ordered and still counts."""

    def load_orders(self, told: JsonObject) -> None:
        """Take over what `export_orders` returned, in place of what was ordered here; on an error nothing changes.

        Raises:
            SnapshotError: It is nothing that could have been ordered here.
        """


def exported(desk: object) -> JsonObject:
    """What counts of the orders at a desk; nothing where the world takes none that outlast a step."""
    return desk.export_orders() if isinstance(desk, KeepsOrders) else {}


def load(desk: object, told: JsonValue) -> None:
    """Put what was exported on a desk.

    Raises:
        SnapshotError: There is no such desk here, or it could not have been ordered.
    """
    if not isinstance(told, dict):
        raise SnapshotError(f"orders are {type(told).__name__}; they must be an object")
    if isinstance(desk, KeepsOrders):
        desk.load_orders(told)
    elif told:
        raise SnapshotError("the snapshot has orders of operators; this world keeps none")
