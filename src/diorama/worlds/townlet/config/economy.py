"""`economy`: prices, restocking, and how well a job must feed its worker."""

from collections.abc import Mapping
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from diorama.contracts.sections import Section, hot

PRICE_KEYS: Final = ("meal_cost", "ingredients_cost", "shower_cost", "rent_per_day")
ECONOMY_KEYS: Final = (*PRICE_KEYS, "cook_energy_cost", "cook_hygiene_cost", "wage_income")
MEALS_PER_DAY: Final = 3.0
SHOWERS_PER_DAY: Final = 2.0
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "global": PRICE_KEYS,
    "market": ("meal_cost", "ingredients_cost", "shower_cost"),
    "cafe": ("meal_cost",),
    "grocer": ("ingredients_cost",),
    "gym": ("shower_cost",),
    "landlord": ("rent_per_day",),
}

PriceKeys = Annotated[tuple[str, ...], Field(strict=False, min_length=1)]


class Restock(Section):
    """What is delivered at the start of a day.

    Attributes:
        cafe_meals: Meals for each counter.
        cafe_meals_cap: Meals a counter holds.
        till_groceries: Groceries for each till.
        till_groceries_cap: Groceries a till holds.
    """

    cafe_meals: int = hot(12, ge=0, le=1000)
    cafe_meals_cap: int = hot(24, ge=0, le=1000)
    till_groceries: int = hot(30, ge=0, le=1000)
    till_groceries_cap: int = hot(60, ge=0, le=1000)


class Economy(Section):
    """Prices and incomes, in coins.

    Attributes:
        meal_cost: Price of a meal.
        ingredients_cost: Price of raw food.
        shower_cost: Price of a shower.
        rent_per_day: Rent.
        cook_energy_cost: Energy that cooking takes.
        cook_hygiene_cost: Hygiene that cooking takes.
        stipend_per_day: Paid to everybody at the start of a day.
    """

    meal_cost: float = hot(0.4, ge=0.0, le=10.0)
    ingredients_cost: float = hot(0.15, ge=0.0, le=10.0)
    shower_cost: float = hot(0.2, ge=0.0, le=10.0)
    rent_per_day: float = hot(1.5, ge=0.0, le=20.0)
    cook_energy_cost: float = hot(0.05, ge=0.0, le=1.0)
    cook_hygiene_cost: float = hot(0.02, ge=0.0, le=1.0)
    wage_income: float = hot(0.02, ge=0.0, le=1.0, description="Wage of a job whose own rate is 0.")
    restock: Restock = Field(default_factory=Restock)
    stipend_per_day: float = hot(0.0, ge=0.0, le=20.0)
    slack_min: float = hot(1.10, ge=0.0, le=100.0, description="A day's wage over the basket: an error below this.")
    slack_max: float = hot(1.50, ge=0.0, le=100.0, description="A day's wage over the basket: a warning above this.")
    price_groups: dict[str, PriceKeys] = hot(
        default_factory=lambda: dict(_GROUPS), description="Names under which prices rise together."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.slack_min > self.slack_max:
            raise ValueError(f"slack_min {self.slack_min} is above slack_max {self.slack_max}")
        for group, keys in self.price_groups.items():
            if unknown := [key for key in keys if key not in PRICE_KEYS]:
                raise ValueError(f"price group {group!r} names {unknown[0]!r}; prices are: {', '.join(PRICE_KEYS)}")
        return self

    @property
    def prices(self) -> tuple[float, ...]:
        """Baselines in the order of `PRICE_KEYS`."""
        return self.meal_cost, self.ingredients_cost, self.shower_cost, self.rent_per_day

    def keys_of(self, target: str) -> tuple[str, ...]:
        """Price keys a target of a price spike stands for; none for an unknown one."""
        if target in self.price_groups:
            return self.price_groups[target]
        return (target,) if target in PRICE_KEYS else ()


def basket_cost(prices: tuple[float, ...] | list[float]) -> float:
    """What a day costs: rent, three meals and two showers."""
    return prices[3] + MEALS_PER_DAY * prices[0] + SHOWERS_PER_DAY * prices[2]
