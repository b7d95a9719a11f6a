"""The observation, entry by entry: map channels of each variant, and the 128 features."""

from typing import Final, NamedTuple

from diorama.worlds.townlet.config.simulation import SimulationConfig

SOCIAL_SLOTS: Final = 4
SOCIAL_WIDTH: Final = 11  # identity vector (8), trust, familiarity, rivalry
SOCIAL_START: Final = 73
DEFAULT_WINDOW: Final = 7  # of what is counted around a citizen when there is no map
_BASE_CHANNELS: Final = ("self", "agents", "objects", "reservations")
_LANDMARKS: Final = ("fridge", "stove", "bed", "shower", "till", "home", "work")

FEATURE_NAMES: Final = (
    "need_hunger",
    "need_hygiene",
    "need_energy",
    "wallet",
    "lateness_counter",
    "on_shift",
    "time_sin",
    "time_cos",
    "attendance_ratio",
    "wages_withheld",
    "shift_pre",
    "shift_on_time",
    "shift_late",
    "shift_absent",
    "shift_post",
    "embedding_slot_norm",
    "ctx_reset_flag",
    "episode_progress",
    "rivalry_max",
    "rivalry_avoid_count",
    "last_action_id_norm",
    "last_action_success",
    "last_action_duration",
    "reservation_active",
    "in_queue",
    "path_hint_north",
    "path_hint_south",
    "path_hint_east",
    "path_hint_west",
    "neighbor_agent_ratio",
    "neighbor_object_ratio",
    "reserved_tile_ratio",
    "nearest_agent_distance",
    "option_idle",
    "option_get_fed",
    "option_get_clean",
    "option_work",
    "option_shop",
    "option_sleep",
    "option_socialise",
    "option_avoid",
    "power_on",
    "water_on",
    "meal_price_ratio",
    "ingredients_price_ratio",
    "home_meals_norm",
    "food_raw_norm",
    "rent_arrears_norm",
    "exit_pending",
    *(f"{landmark}_{part}" for landmark in _LANDMARKS for part in ("dx", "dy", "dist")),
    "personality_extroversion",
    "personality_forgiveness",
    "personality_ambition",
    *(f"social_slot{slot}_d{place}" for slot in range(SOCIAL_SLOTS) for place in range(SOCIAL_WIDTH)),
    "social_trust_mean",
    "social_trust_max",
    "social_rivalry_mean",
    "social_rivalry_max",
    "affordance_progress",
    "queue_position_norm",
    "option_commit_remaining_norm",
    "rival_in_current_queue",
    "ticks_to_shift_norm",
    "appointment_active",
    "city_event_active",
)
FEATURES: Final = len(FEATURE_NAMES)
FEATURE_INDEX: Final = {name: place for place, name in enumerate(FEATURE_NAMES)}
LANDMARK_SLICES: Final = {
    landmark: (FEATURE_INDEX[f"{landmark}_dx"], FEATURE_INDEX[f"{landmark}_dist"] + 1) for landmark in _LANDMARKS
}
SOCIAL_SLICES: Final = tuple(
    (SOCIAL_START + SOCIAL_WIDTH * slot, SOCIAL_START + SOCIAL_WIDTH * (slot + 1)) for slot in range(SOCIAL_SLOTS)
)


class MapShape(NamedTuple):
    """Channels, rows and columns of the map; all 0 without a map."""

    channels: int
    height: int
    width: int

    @property
    def size(self) -> int:
        """Number of entries."""
        return self.channels * self.height * self.width


def map_channels(config: SimulationConfig) -> tuple[str, ...]:
    """Names of the channels of the configured variant, none without a map."""
    match config.features.systems.observations:
        case "hybrid":
            return _BASE_CHANNELS
        case "full":
            return (*_BASE_CHANNELS, "path_dx", "path_dy")
        case _:
            compact = config.observations.compact
            if compact.map_window == 0:
                return ()
            return (*_BASE_CHANNELS, "walkable", *(f"object:{name}" for name in compact.object_channels))


def map_shape(config: SimulationConfig) -> MapShape:
    """Shape of the map of the configured variant."""
    channels = map_channels(config)
    return MapShape(len(channels), window_of(config), window_of(config)) if channels else MapShape(0, 0, 0)


def window_of(config: SimulationConfig) -> int:
    """Side of the window around a citizen, also of what features count in it."""
    if config.features.systems.observations == "compact":
        return config.observations.compact.map_window or DEFAULT_WINDOW
    return config.observations.local_window


def observation_width(config: SimulationConfig) -> int:
    """Entries of one observation row: the map, then the features."""
    return map_shape(config).size + FEATURES
