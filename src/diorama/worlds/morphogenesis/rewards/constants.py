"""Constants of the rewards that a configuration sets: which there are, and whether their values are possible."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.near_names import hint
from diorama.contracts.validation import problem_words
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig, LossRewardConfig

RewardConstants = dict[str, int | float | str]
"""Values by the names of fields of `ContributionRewardConfig` and `LossRewardConfig`."""

_FAMILIES: Final = (ContributionRewardConfig, LossRewardConfig)
_ADAPTERS: Final = tuple(TypeAdapter(family) for family in _FAMILIES)
_OWN_KEYS: Final = {
    "reward_mode": "reward_mode",
    "gamma": "gamma",
    "disable_pbrs": "disable_pbrs",
    "disable_terminal_reward": "disable_terminal_reward",
    "disable_anti_gaming": "disable_anti_gaming",
    "has_control_twin": "control_twins",
    "param_budget": "param_budget",
    "param_penalty_weight": "param_penalty_weight",
    "sparse_reward_scale": "sparse_reward_scale",
    "rent_host_params_floor": "rent_host_params_floor",
    "basic_acc_delta_weight": "basic_acc_delta_weight",
}
"""Fields that the configuration sets under a key of their own."""


def constant_names(family: type[ContributionRewardConfig | LossRewardConfig]) -> tuple[str, ...]:
    """Return the constants of a family that a configuration may name."""
    return tuple(field.name for field in fields(family) if field.name not in _OWN_KEYS)


def checked_constants(given: Mapping[str, int | float | str]) -> RewardConstants:
    """Return the constants as the rewards read them, so that 2 and 2.0 are one configuration.

    A name may belong to either family; where the other one pays, it changes nothing.

    Raises:
        ValueError: There is no such constant, or a value is impossible.
    """
    known = tuple(dict.fromkeys(name for family in _FAMILIES for name in constant_names(family)))
    for name in given:
        if name in _OWN_KEYS:
            raise ValueError(f"{name} is set by the key {_OWN_KEYS[name]} of the world, not among the constants")
        if name not in known:
            raise ValueError(
                f"there is no constant {name!r}{hint(name, known)}; constants are: {', '.join(sorted(known))}"
            )
    checked: RewardConstants = {}
    for family, adapter in zip(_FAMILIES, _ADAPTERS, strict=True):
        own = constants_of(family, given)
        try:
            values = adapter.validate_python(own)
        except ValidationError as error:
            raise ValueError("; ".join(_problem(item, given) for item in error.errors(include_url=False))) from None
        checked |= {name: getattr(values, name) for name in own}
    return {name: checked[name] for name in sorted(checked)}


def constants_of(
    family: type[ContributionRewardConfig | LossRewardConfig], given: Mapping[str, int | float | str]
) -> dict[str, Any]:
    """Return those that belong to a family."""
    names = constant_names(family)
    return {name: value for name, value in given.items() if name in names}


def _problem(item: Mapping[str, Any], given: Mapping[str, int | float | str]) -> str:
    name = str(item["loc"][0])
    return f"{name}: {given[name]!r} is wrong; {problem_words(item)}"
