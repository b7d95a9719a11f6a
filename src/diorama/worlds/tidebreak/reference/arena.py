"""One battle that can be stepped, hashed, saved and fought to its end."""

from collections.abc import Mapping, Sequence

from diorama.contracts.errors import ContractError
from diorama.contracts.work import checkpoint
from diorama.worlds.tidebreak.codes import EndReason
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.reference.decisions import check_decision, order_of
from diorama.worlds.tidebreak.reference.events import Event
from diorama.worlds.tidebreak.reference.judge.termination import end_battle
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.orders import Controller, Order
from diorama.worlds.tidebreak.reference.result import battle_result
from diorama.worlds.tidebreak.reference.scripts import AGENT, controller_named
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle
from diorama.worlds.tidebreak.reference.tick import advance, look_around_first
from diorama.worlds.tidebreak.reference.words import read_snapshot, state_hash, write_snapshot
from diorama.worlds.tidebreak.resolve import ResolvedPackage

DEFAULT_CONTROLLER = "script:auto"


class Arena:
    """A battle and who commands its units.

    Attributes:
        battle: The state; for reading.
    """

    def __init__(
        self,
        package: ResolvedPackage,
        controllers: Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
        is_collecting: bool = False,
    ) -> None:
        """Set up a battle at tick 0.

        Args:
            package: What to fight.
            controllers: By ship id: `agent` or the name of a script; ships not named get `script:auto`.
            seed: Replaces the package's.
            is_collecting: Whether events are kept.

        Raises:
            ConfigError: A controller is unknown.
            ContractError: A ship is unknown.
        """
        self._package = package
        self._is_collecting = is_collecting
        self._ids = {spec.ship_id: spec.id for spec in package.battle.units}
        self._controllers = _controllers(self._ids, controllers or {})
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew; `seed` replaces the package's."""
        self._begin(open_battle(self._package, seed=seed, is_collecting=self._is_collecting))
        look_around_first(self.battle)
        self.battle.initial_hash = self.state_hash()

    def set_controller(self, ship_id: str, name: str) -> None:
        """Hand a ship to an agent or a script."""
        self._controllers[self._unit_id(ship_id)] = controller_named(name)

    def step(self, actions: Mapping[str, Sequence[int] | Order]) -> None:
        """Advance one tick.

        Args:
            actions: By ship id, for ships under an agent: seven options or an order. A ship without one repeats its
                helm and holds fire.

        Raises:
            ContractError: The battle is over, or an action is none; nothing has changed then.
        """
        if self.battle.outcome.is_over:
            raise ContractError("the battle is over; reset it first")
        latched = {self._agent_id(ship_id): action for ship_id, action in actions.items()}
        for action in latched.values():
            if not isinstance(action, Order):
                check_decision(action)
        for unit_id, action in latched.items():
            if not isinstance(action, Order):
                action = order_of(self.battle, self.battle.unit(unit_id), action)
            self.battle.latched[unit_id] = action
        advance(self.battle)

    def abort(self) -> None:
        """End the battle without a winner."""
        if not self.battle.outcome.is_over:
            end_battle(self.battle, EndReason.ABORTED, NO_WINNER)

    def result(self) -> BattleResult:
        """What a finished battle hands back."""
        return battle_result(self.battle)

    def events(self) -> list[Event]:
        """Events since the last call; none unless they are kept."""
        return self.battle.log.since_last_look()

    def state_hash(self) -> int:
        """Hash of the state."""
        return state_hash(self.battle)

    def snapshot(self) -> bytes:
        """Everything needed to go on from here."""
        return write_snapshot(self.battle)

    def restore(self, data: bytes) -> None:
        """Go on from a snapshot of the same package; controllers stay as they are.

        Raises:
            SnapshotError: The snapshot is damaged or of another package; nothing has changed then.
        """
        self.resume(read_snapshot(data, self._package, is_collecting=self._is_collecting))

    def resume(self, battle: Battle) -> None:
        """Go on from a battle of the same package; controllers stay as they are."""
        self._begin(battle)

    def _begin(self, battle: Battle) -> None:
        battle.controllers = self._controllers
        self.battle = battle

    def _unit_id(self, ship_id: str) -> int:
        if ship_id not in self._ids:
            raise ContractError(f"there is no ship {ship_id!r}; there are: {', '.join(self._ids)}")
        return self._ids[ship_id]

    def _agent_id(self, ship_id: str) -> int:
        unit_id = self._unit_id(ship_id)
        if self._controllers[unit_id] is not AGENT:
            raise ContractError(f"{ship_id!r} is under {self._controllers[unit_id].name!r}; only agents take actions")
        return unit_id


def simulate(package: ResolvedPackage, controllers: Mapping[str, str] | None = None) -> BattleResult:
    """Fight a battle to its end with scripts; ships under `agent` get no orders."""
    arena = Arena(package, controllers)
    while not arena.battle.outcome.is_over:
        checkpoint()
        arena.step({})
    return arena.result()


def _controllers(ids: Mapping[str, int], names: Mapping[str, str]) -> dict[int, Controller]:
    for ship_id in names:
        if ship_id not in ids:
            raise ContractError(f"there is no ship {ship_id!r}; there are: {', '.join(ids)}")
    return {unit_id: controller_named(names.get(ship_id, DEFAULT_CONTROLLER)) for ship_id, unit_id in ids.items()}
