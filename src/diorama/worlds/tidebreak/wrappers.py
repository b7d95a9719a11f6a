"""Other ways of giving orders in a single-seat Gymnasium environment: a box, a flat list, a dictionary.

Helm and throttle take the nearest step of the action heads, so that whatever is ordered can be replayed.
"""

from collections.abc import Mapping
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from diorama.contracts.values import F32, I32, U8
from diorama.worlds.tidebreak.contract import (
    HEAD_OFFSETS,
    HEAD_SIZES,
    KEEP_TARGET,
    NOOP_RUDDER,
    NOOP_THROTTLE,
    RUDDERS,
    THROTTLES,
    EmissionsOrder,
    Head,
    LayerOrder,
    SupportOrder,
    WeaponOrder,
    nearest_step,
)
from diorama.worlds.tidebreak.layout import (
    COMPACT_HOSTILE_ROWS,
    CONTACT_COLUMNS,
    HOSTILE_ROWS,
    OBS_WIDTH,
    Contact,
    Own,
)

ASTERN_SCALE: Final = 0.4  # of the throttle below zero
_FIRED: Final = (WeaponOrder.GUN, WeaponOrder.TORPEDO, WeaponOrder.MISSILE, WeaponOrder.ASW)
_ACTIVE: Final = 2  # place of the active posture in its one-hot
_THIRD: Final = 1.0 / 3.0
_HALF: Final = 0.5

Env = gymnasium.Env[Any, Any]


class _OrdersWrapper(gymnasium.ActionWrapper[Any, Any, Any], RecordConstructorArgs):
    """Keeps the last observation and mask, which orders refer to."""

    def __init__(self, env: Env) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.ActionWrapper.__init__(self, env)
        self._seen: F32 = np.zeros(0, np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Open an episode."""
        self._seen, info = self.env.reset(seed=seed, options=options)
        return self._seen, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Give the orders of one decision."""
        self._seen, reward, terminated, truncated, info = self.env.step(self.action(action))
        return self._seen, reward, terminated, truncated, info

    def _mask(self) -> U8:
        mask: U8 = self.get_wrapper_attr("action_mask")()
        return mask

    def _allows(self, head: Head, option: int) -> bool:
        return bool(self._mask()[HEAD_OFFSETS[head] + option])

    def _first_engageable(self) -> int:
        rows = HOSTILE_ROWS if len(self._seen) == OBS_WIDTH else COMPACT_HOSTILE_ROWS
        table = self._seen[Own.SIZE : Own.SIZE + rows * CONTACT_COLUMNS].reshape(rows, CONTACT_COLUMNS)
        engageable = np.flatnonzero(table[:, Contact.CAN_ENGAGE] > 0.0)
        return 1 + int(engageable[0]) if len(engageable) else KEEP_TARGET

    def _is_active(self) -> bool:
        return bool(self._seen[Own.EMISSIONS + _ACTIVE] > 0.0)

    def _posture(self, order: EmissionsOrder) -> int:
        return int(order) if self._allows(Head.EMISSIONS, order) else int(EmissionsOrder.KEEP)


class FlatContinuous(_OrdersWrapper):
    """Eight numbers from -1 to 1.

    Throttle (astern at 0.4 of it) and rudder (positive turns left); guns, torpedoes, missiles, ASW, fired above 0 (the
    strongest of several, everything if all four are); layer, down below -0.5 and up above 0.5; emissions in thirds. The
    first contact that can be engaged is the target.
    """

    def __init__(self, env: Env) -> None:
        """Wrap a single-seat environment of this world."""
        super().__init__(env)
        self.action_space = spaces.Box(-1.0, 1.0, (8,), np.float32)

    def action(self, action: NDArray[np.floating[Any]]) -> I32:
        """Return one option per head."""
        throttle, rudder, *fire, layer, emissions = (float(value) for value in np.asarray(action).reshape(-1))
        decision = _noop()
        decision[Head.THROTTLE] = throttle_option(throttle)
        decision[Head.RUDDER] = rudder_option(rudder)
        decision[Head.LAYER] = _layer(layer)
        decision[Head.EMISSIONS] = self._posture(_posture_of(emissions))
        decision[Head.WEAPON] = self._weapon(fire)
        decision[Head.TARGET] = self._first_engageable()
        return decision

    def _weapon(self, fire: list[float]) -> int:
        wanted = [(strength, order) for strength, order in zip(fire, _FIRED, strict=True) if strength > 0.0]
        if len(wanted) == len(_FIRED):
            return int(WeaponOrder.FREE)
        ready = [(strength, order) for strength, order in wanted if self._allows(Head.WEAPON, order)]
        return int(max(ready or wanted, default=(0.0, WeaponOrder.HOLD))[1])


class FlatDiscrete(_OrdersWrapper):
    """72 actions: 3 throttles × 3 rudders × 8 orders, the order running fastest.

    Throttles 0.2, 0.65, 1; rudders hard right, midships, hard left; orders none, guns, torpedoes, missiles, ASW, up,
    down, sensors active or passive again.
    """

    THROTTLES: Final = (0.2, 0.65, 1.0)
    RUDDERS: Final = (-1.0, 0.0, 1.0)
    ORDERS: Final = ("none", "gun", "torpedo", "missile", "asw", "up", "down", "toggle_active")

    def __init__(self, env: Env) -> None:
        """Wrap a single-seat environment of this world."""
        super().__init__(env)
        self.action_space = spaces.Discrete(len(self.THROTTLES) * len(self.RUDDERS) * len(self.ORDERS))

    def action(self, action: int | NDArray[np.integer[Any]]) -> I32:
        """Return one option per head."""
        helm, order = divmod(int(action), len(self.ORDERS))
        throttle, rudder = divmod(helm, len(self.RUDDERS))
        decision = _noop()
        decision[Head.THROTTLE] = throttle_option(self.THROTTLES[throttle])
        decision[Head.RUDDER] = rudder_option(self.RUDDERS[rudder])
        decision[Head.TARGET] = self._first_engageable()
        head, option = self._order(self.ORDERS[order])
        decision[head] = option
        return decision

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which of the 72 would have their effect."""
        orders = [self._is_possible(name) for name in self.ORDERS]
        return np.tile(np.array(orders, np.bool_), len(self.THROTTLES) * len(self.RUDDERS))

    def _is_possible(self, name: str) -> bool:
        return name == "none" or self._allows(*self._order(name))

    def _order(self, name: str) -> tuple[Head, int]:
        if name in ("up", "down"):
            return Head.LAYER, int(LayerOrder.UP if name == "up" else LayerOrder.DOWN)
        if name == "toggle_active":
            return Head.EMISSIONS, int(EmissionsOrder.PASSIVE if self._is_active() else EmissionsOrder.ACTIVE)
        return Head.WEAPON, int(WeaponOrder.HOLD if name == "none" else WeaponOrder[name.upper()])


class OrderDictionary(_OrdersWrapper):
    """Orders by name.

    `throttle` and `turn_rate` from -1 to 1; `fire_primary`, `fire_torpedo`, `fire_missile`, `fire_asw`, `surface`,
    `submerge` 0 or 1; `target` 0 to 16; `emissions` 0 to 3; `support` 0 to 7. A name that is left out means no change.
    """

    def __init__(self, env: Env) -> None:
        """Wrap a single-seat environment of this world."""
        super().__init__(env)
        switches = ("fire_primary", "fire_torpedo", "fire_missile", "fire_asw", "surface", "submerge")
        heads = {"target": Head.TARGET, "emissions": Head.EMISSIONS, "support": Head.SUPPORT}
        self._orders = {
            "throttle": spaces.Box(-1.0, 1.0, (), np.float32),
            "turn_rate": spaces.Box(-1.0, 1.0, (), np.float32),
            **{name: spaces.Discrete(2) for name in switches},
            **{name: spaces.Discrete(HEAD_SIZES[head]) for name, head in heads.items()},
        }
        self.action_space = spaces.Dict(self._orders)

    def action(self, action: Mapping[str, Any]) -> I32:
        """Return one option per head.

        Raises:
            ValueError: There is no order of that name.
        """
        if unknown := sorted(set(action) - set(self._orders)):
            raise ValueError(f"there is no order {unknown[0]!r}; there are: {', '.join(sorted(self._orders))}")
        decision = _noop()
        decision[Head.THROTTLE] = throttle_option(float(action.get("throttle", 0.0)))
        decision[Head.RUDDER] = rudder_option(float(action.get("turn_rate", 0.0)))
        decision[Head.LAYER] = _layer(float(action.get("surface", 0)) - float(action.get("submerge", 0)))
        decision[Head.EMISSIONS] = int(action.get("emissions", EmissionsOrder.KEEP))
        decision[Head.WEAPON] = _weapon_named(action)
        decision[Head.TARGET] = int(action.get("target", KEEP_TARGET))
        decision[Head.SUPPORT] = int(action.get("support", SupportOrder.NONE))
        return decision


def throttle_option(throttle: float) -> int:
    """Return the step nearest to a throttle from -1 to 1; below zero it is astern."""
    return nearest_step(THROTTLES, throttle if throttle >= 0.0 else throttle * ASTERN_SCALE)


def rudder_option(rudder: float) -> int:
    """Return the step nearest to a rudder from -1 to 1."""
    return nearest_step(RUDDERS, rudder)


def _noop() -> I32:
    decision = np.zeros(len(HEAD_SIZES), np.int32)
    decision[Head.THROTTLE], decision[Head.RUDDER] = NOOP_THROTTLE, NOOP_RUDDER
    return decision


def _layer(wish: float) -> int:
    if wish < -_HALF:
        return int(LayerOrder.DOWN)
    return int(LayerOrder.UP if wish > _HALF else LayerOrder.HOLD)


def _posture_of(wish: float) -> EmissionsOrder:
    if wish < -_THIRD:
        return EmissionsOrder.SILENT
    return EmissionsOrder.PASSIVE if wish < _THIRD else EmissionsOrder.ACTIVE


def _weapon_named(action: Mapping[str, Any]) -> int:
    names = ("fire_primary", "fire_torpedo", "fire_missile", "fire_asw")
    wanted = [order for name, order in zip(names, _FIRED, strict=True) if int(action.get(name, 0))]
    if len(wanted) > 1:
        return int(WeaponOrder.FREE)
    return int(wanted[0] if wanted else WeaponOrder.HOLD)
