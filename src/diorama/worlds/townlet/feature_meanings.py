"""What every feature of an observation says, in words."""

from collections.abc import Mapping
from typing import Final

_SINGLE: Final[Mapping[str, str]] = {
    "need_hunger": "How well fed the citizen is; 1 is satisfied, 0 empty.",
    "need_hygiene": "How clean it is.",
    "need_energy": "How rested it is.",
    "wallet": "Coins on a logarithmic scale; 1 from 20 coins on.",
    "lateness_counter": "Late shifts of a lifetime; 1 from 10 on.",
    "on_shift": "1 while it is paid for working.",
    "time_sin": "Sine of the time of day.",
    "time_cos": "Cosine of the time of day.",
    "attendance_ratio": "Mean attendance of the last shifts.",
    "wages_withheld": "Wages lost so far; 1 from 5 coins on.",
    "shift_pre": "1 before the shift, also while waiting for its start.",
    "shift_on_time": "1 while the shift was reached on time.",
    "shift_late": "1 while late.",
    "shift_absent": "1 when given up for the day.",
    "shift_post": "1 after the shift.",
    "embedding_slot_norm": "Embedding slot as a share of all slots.",
    "ctx_reset_flag": "1 when memory must be cleared: just arrived, moved, rescued, or leaving.",
    "episode_progress": "Time lived; 1 from ten days on.",
    "rivalry_max": "Strongest rivalry among the ties.",
    "rivalry_avoid_count": "Ties to somebody who is avoided; 1 from 6 on.",
    "last_action_id_norm": "Last primitive as a share of the table.",
    "last_action_success": "1 if that worked.",
    "last_action_duration": "How long that takes; 1 from 60 ticks on.",
    "reservation_active": "1 while it holds an object.",
    "in_queue": "1 while it waits for one.",
    "neighbor_agent_ratio": "Others in the window, per tile.",
    "neighbor_object_ratio": "Objects in the window, per tile.",
    "reserved_tile_ratio": "Reserved or queued tiles in the window, per tile.",
    "nearest_agent_distance": "Distance of the nearest other in the window; 1 if there is none.",
    "power_on": "1 while there is power.",
    "water_on": "1 while there is water.",
    "meal_price_ratio": "Live over baseline price of a meal; 1 from threefold on.",
    "ingredients_price_ratio": "Live over baseline price of ingredients; 1 from threefold on.",
    "home_meals_norm": "Meals in the own fridge; 1 from 4 on.",
    "food_raw_norm": "Raw food at hand; 1 from 4 on.",
    "rent_arrears_norm": "Days of rent owed; 1 from 2 on.",
    "exit_pending": "1 while it stands in the exit queue.",
    "personality_extroversion": "Trait, -1 to 1.",
    "personality_forgiveness": "Trait, -1 to 1.",
    "personality_ambition": "Trait, -1 to 1.",
    "social_trust_mean": "Mean trust over the social slots.",
    "social_trust_max": "Highest trust over the social slots.",
    "social_rivalry_mean": "Mean rivalry over the social slots.",
    "social_rivalry_max": "Highest rivalry over the social slots.",
    "affordance_progress": "Share done of what it is doing.",
    "queue_position_norm": "Place in the queue; 1 from the eighth on, 0 without one.",
    "option_commit_remaining_norm": "Share left of the commitment to its option.",
    "rival_in_current_queue": "1 if somebody it avoids holds or queues at the object in reach.",
    "ticks_to_shift_norm": "Time to the next start of work in days; negative while on shift.",
    "appointment_active": "1 while it is expected somewhere.",
    "city_event_active": "1 during a blackout, an outage or a price spike.",
}
_LANDMARKS: Final[Mapping[str, str]] = {
    "fridge": "the nearest fridge with a meal",
    "stove": "the own stove",
    "bed": "the own bed",
    "shower": "the nearest shower",
    "till": "the nearest till",
    "home": "the place at home",
    "work": "the place of work",
}
_SOCIAL: Final = (*(f"identity, part {place}" for place in range(8)), "trust", "familiarity", "rivalry")
_OPTIONS: Final[Mapping[str, str]] = {
    "option_idle": "Idle",
    "option_get_fed": "GetFed",
    "option_get_clean": "GetClean",
    "option_work": "GoToWork",
    "option_shop": "ShopGroceries",
    "option_sleep": "Sleep",
    "option_socialise": "Socialise",
    "option_avoid": "AvoidRivals",
}


def meaning(feature: str) -> str:
    """Return what a feature says; every name of the layout has a meaning."""
    if feature in _SINGLE:
        return _SINGLE[feature]
    if feature in _OPTIONS:
        return f"1 while the option is {_OPTIONS[feature]}."
    kind, _, part = feature.rpartition("_")
    if kind == "path_hint":
        return f"1 if a step {part} leads nearer to the goal."
    if kind in _LANDMARKS:
        told = {"dx": "Direction east to", "dy": "Direction south to", "dist": "Path distance to"}[part]
        return f"{told} {_LANDMARKS[kind]}{'; 1 from 96 tiles on.' if part == 'dist' else ', of a unit vector.'}"
    slot, place = int(kind.removeprefix("social_slot")), int(part.removeprefix("d"))
    return f"{'Friend' if slot < 2 else 'Rival'} {slot % 2 + 1}: {_SOCIAL[place]}."
