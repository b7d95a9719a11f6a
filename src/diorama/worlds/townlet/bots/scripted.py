"""The scripted controller, playing from an observation row like any policy."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.numerics import round_half_up
from diorama.worlds.townlet.bots.view import View
from diorama.worlds.townlet.bots.walking import Walking, Way
from diorama.worlds.townlet.codes import Option
from diorama.worlds.townlet.config.policy import Behavior

_RULES: Final = Behavior()
_EXHAUSTED: Final = 0.10
_NIGHT_FROM: Final = 900
_NIGHT_UNTIL: Final = 200
_NIGHT_BIAS: Final = 0.3
_MEAL_BEFORE_WORK: Final = 0.15
_SHOP_AFTER: Final = 300
_SHOP_UNTIL: Final = 900
_COOK_AFTER: Final = 250
_ENOUGH: Final = 2
_COMPANY_FROM: Final = 600
_COMPANY_UNTIL: Final = 880
_AMBITIOUS: Final = 0.3  # only the industrious are, and they set out early
_WORK_AFFINITY: Final = 1.4


class Scripted:
    """`reference/decisions/controller.py` with the default thresholds, and with what a row shows.

    Rows do not say who is avoided, only that somebody is within three tiles; the controller waits until they are within
    two. Everything else it goes by can be read from a row, so that both take the same decisions. Where a town is played
    with primitives, it walks and uses things by itself.
    """

    def __init__(self) -> None:
        """Know how to walk."""
        self._walking = Walking()

    @property
    def memory(self) -> Way:
        """Where the citizen is going."""
        return self._walking.memory

    @memory.setter
    def memory(self, way: Way) -> None:
        self._walking.memory = way

    def reset(self, episode_seed: int) -> None:
        """Forget where the citizen was going."""
        self._walking.reset(episode_seed)

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Return the option of the first rule that applies, or the next primitive."""
        if len(mask) != len(Option):
            return self._walking.act(obs, obs_u8, mask)
        if int(mask.sum()) == 1:
            return (int(mask.argmax()),)
        return (int(_decide(View(obs), [bool(bit) for bit in mask])),)


def _decide(view: View, allowed: list[bool]) -> int:
    tod = view.tod
    if view.feature("need_hunger") < _RULES.critical_threshold and allowed[Option.GET_FED]:
        return Option.GET_FED
    if view.feature("need_energy") < _EXHAUSTED and allowed[Option.SLEEP]:
        return Option.SLEEP
    if allowed[Option.GO_TO_WORK] and view.ticks_to_shift <= _buffer(view) + view.steps_to_work:
        return Option.GO_TO_WORK
    urgent = _most_urgent(view, allowed, tod)
    if urgent is not None:
        return urgent
    if view.feature("appointment_active") and allowed[Option.SOCIALISE]:
        return Option.SOCIALISE
    if allowed[Option.SHOP_GROCERIES] and _runs_short(view, tod):
        return Option.SHOP_GROCERIES
    if allowed[Option.SOCIALISE] and _seeks_company(view, tod):
        return Option.SOCIALISE
    return Option.AVOID_RIVALS if allowed[Option.AVOID_RIVALS] else Option.IDLE


def _buffer(view: View) -> int:
    affinity = _WORK_AFFINITY if view.feature("personality_ambition") >= _AMBITIOUS else 1.0
    return int(round_half_up(_RULES.job_arrival_buffer * affinity))


def _most_urgent(view: View, allowed: list[bool], tod: int) -> Option | None:
    is_night = tod >= _NIGHT_FROM or tod < _NIGHT_UNTIL
    hunger, hygiene, energy = (view.feature(f"need_{need}") for need in ("hunger", "hygiene", "energy"))
    works_soon = allowed[Option.GO_TO_WORK] and view.ticks_to_shift > 0
    candidates = (
        (hunger, _RULES.hunger_threshold + (_MEAL_BEFORE_WORK if works_soon else 0.0), hunger, Option.GET_FED),
        (
            energy,
            _RULES.night_energy_threshold if is_night else _RULES.energy_threshold,
            energy - (_NIGHT_BIAS if is_night else 0.0),
            Option.SLEEP,
        ),
        (hygiene, _RULES.hygiene_threshold, hygiene, Option.GET_CLEAN),
    )
    wanted = [(key, option) for need, least, key, option in candidates if need < least and allowed[option]]
    return min(wanted, key=lambda entry: entry[0])[1] if wanted else None


def _runs_short(view: View, tod: int) -> bool:
    food = view.food_raw
    needs_food = food < _ENOUGH and _SHOP_AFTER < tod < _SHOP_UNTIL
    return needs_food or (view.home_meals < _ENOUGH and food > 0 and tod > _COOK_AFTER)


def _seeks_company(view: View, tod: int) -> bool:
    is_outgoing = view.feature("personality_extroversion") >= _RULES.chat_min_extroversion
    return _COMPANY_FROM <= tod < _COMPANY_UNTIL and is_outgoing
