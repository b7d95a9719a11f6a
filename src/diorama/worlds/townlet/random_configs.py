"""Configurations of any kind: every switch and every number may be anywhere, days are short so that much happens."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from diorama.contracts.values import JsonValue
from diorama.rng import Pcg32
from diorama.worlds.townlet.data.reading import shipped_jobs
from diorama.worlds.townlet.tables.personalities import profile_names

T = TypeVar("T")
_STREAM: Final = 80
_STAGES: Final = ("OFF", "A", "B", "C1", "C2", "C3")
_CHANNELS: Final = ("shower", "fridge", "bed", "till")
_TARGETS: Final = ("global", "market", "cafe", "grocer", "gym", "landlord", "meal_cost", "rent_per_day")
_ZONES: Final = ("cafe", "park", "gym", "office", "grocer")
_SHIPPED_DAY: Final = 1000


def random_config(seed: int) -> Mapping[str, JsonValue]:
    """The configuration of a seed, for `diorama.make("townlet", config=...)`."""
    return _Drawing(seed).config()


class _Drawing:
    def __init__(self, seed: int) -> None:
        self._rng = Pcg32.from_seed(seed, _STREAM)
        self._curiosity = "phase_A" if seed % 2 else "off"
        self._day = self._whole(100, 400)

    def config(self) -> Mapping[str, JsonValue]:
        seats = self._whole(1, 16)
        relationships = self._whole(0, 5)
        rewarded = self._choice(("OFF", *_STAGES[3 : relationships + 1]))
        return {
            "config_id": "any",
            "episode_ticks": self._whole(60, 1500),
            "world": {
                "ticks_per_day": self._day,
                "seats": seats,
                "population": self._whole(1, min(seats, 8)),
                "initial_needs": {name: self._real(0.1, 1.0) for name in ("hunger", "hygiene", "energy")},
            },
            "features": {
                "stages": {"relationships": _STAGES[relationships], "social_rewards": rewarded},
                "systems": {
                    "lifecycle": self._choice(("on", "on", "off")),
                    "observations": self._choice(("full", "hybrid", "compact")),
                },
                "training": {"curiosity": self._curiosity},
                "relationship_modifiers": self._flag(),
                "behavior": {"personality_profiles": self._flag(), "reward_multipliers": self._flag()},
                "observations": {"personality_channels": self._flag()},
            },
            "rewards": {
                "decay_rates": {name: self._real(0.0, 0.01) for name in ("hunger", "hygiene", "energy")},
                "punctuality_bonus": 0.0,
                "punctuality_window": self._whole(1, 40),
                "faint_penalty": -5.0,
                "eviction_penalty": self._real(-5.0, 0.0),
                "social": {"avoid_window_ticks": self._whole(0, 60)},
                "clip": {
                    "clip_per_tick": self._real(0.01, 1.0),
                    "clip_per_episode": self._real(1.0, 5.0),
                    "no_positive_within_death_ticks": self._whole(0, 30),
                },
            },
            "shaping": {"use_potential": self._flag(), "scale": self._real(0.0, 1.0)},
            "economy": self._economy(),
            "jobs": self._jobs(),
            "employment": self._employment(),
            "queue_fairness": {
                "cooldown_ticks": self._whole(0, 60),
                "ghost_step_after": self._whole(0, 5),
                "age_priority_weight": self._real(0.0, 1.0),
                "reservation_timeout": self._whole(5, 60),
                "queue_timeout": self._whole(10, 120),
                "queue_capacity": self._whole(1, 8),
                "request_radius": self._whole(0, 6),
            },
            "conflict": {
                "rivalry": {
                    "increment_per_conflict": self._real(0.05, 1.0),
                    "decay_per_tick": self._real(0.0, 0.01),
                    "avoid_threshold": self._real(0.1, 0.8),
                    "eviction_threshold": self._real(0.0, 0.2),
                    "max_edges": self._whole(1, 6),
                }
            },
            "relationships": {
                "chat_cooldown_ticks": self._whole(0, 30),
                "chat_base_success": self._real(0.0, 1.0),
                "shared_meal_window": self._whole(0, 100),
                "churn_window_ticks": self._whole(20, 300),
            },
            "personalities": {
                "distribution": {name: self._real(0.0, 1.0) + 0.01 for name in profile_names()},
                "overrides": {"citizen_001": self._choice(profile_names())},
                "trait_jitter": self._real(0.0, 0.5),
            },
            "embedding_allocator": {"cooldown_ticks": self._whole(0, 300), "max_slots": seats + self._whole(0, 4)},
            "observations": {
                "local_window": self._choice((3, 7, 11)),
                "compact": {
                    "map_window": self._choice((0, 3, 7)),
                    "object_channels": [name for name in _CHANNELS if self._flag()],
                },
            },
            "policy_runtime": {
                "action_level": self._choice(("option", "option", "primitive")),
                "option_commit_ticks": self._whole(0, 30),
            },
            "behavior": {"job_arrival_buffer": self._whole(0, 60), "chat_min_extroversion": self._real(-1.0, 0.5)},
            "perturbations": self._perturbations(),
            "lifecycle": self._lifecycle(),
        }

    def _economy(self) -> JsonValue:
        return {
            "meal_cost": self._real(0.0, 1.0),
            "ingredients_cost": self._real(0.0, 0.5),
            "shower_cost": self._real(0.0, 0.5),
            "rent_per_day": self._real(0.0, 2.0),
            "restock": {"cafe_meals": self._whole(0, 12), "till_groceries": self._whole(0, 30)},
            "stipend_per_day": self._choice((0.0, self._real(0.0, 2.0))),
            "slack_min": 0.0,
        }

    def _jobs(self) -> JsonValue:
        jobs: list[JsonValue] = []
        for name, job in shipped_jobs().items():
            start, end = (job[key] * self._day // _SHIPPED_DAY for key in ("start_tick", "end_tick"))
            if self._whole(0, 3) > 0:
                jobs.append({**job, "id": name, "start_tick": start, "end_tick": end})
        return jobs

    def _employment(self) -> JsonValue:
        grace = self._whole(0, 10)
        return {
            "enforce_job_loop": self._whole(0, 4) > 0,
            "grace_ticks": grace,
            "absent_cutoff": grace + self._whole(0, 20),
            "absence_slack": self._whole(0, 20),
            "max_absent_shifts": self._whole(1, 3),
            "attendance_window": self._whole(1, 5),
            "daily_exit_cap": self._whole(0, 3),
            "exit_queue_limit": self._whole(0, 4),
            "exit_review_window": self._whole(1, 400),
            "job_preassign_prob": self._real(0.0, 1.0),
        }

    def _perturbations(self) -> JsonValue:
        spike: JsonValue = {
            "id": "spike",
            "kind": "price_spike",
            "prob_per_day": self._real(0.0, 20.0),
            "duration": [5, self._whole(5, 60)],
            "magnitude": [1.1, self._real(1.1, 3.0)],
            "targets": [self._choice(_TARGETS), self._choice(_TARGETS)],
        }
        outages: list[JsonValue] = [
            {"id": kind, "kind": kind, "prob_per_day": self._real(0.0, 10.0), "duration": [3, self._whole(3, 40)]}
            for kind in ("blackout", "outage")
        ]
        meet: JsonValue = {
            "id": "meet",
            "kind": "arranged_meet",
            "prob_per_day": self._real(0.0, 20.0),
            "duration": [20, self._whole(20, 90)],
            "target": self._choice(("top_rivals", "random")),
            "location": self._choice(_ZONES),
            "max_participants": self._whole(2, 5),
            "bucket": self._choice(("price_spike", "company")),
        }
        return {
            "enabled": self._whole(0, 4) > 0,
            "max_concurrent_events": self._whole(1, 4),
            "global_cooldown_ticks": self._whole(0, 40),
            "per_agent_cooldown_ticks": self._whole(0, 100),
            "grace_window_ticks": self._whole(0, 60),
            "window_ticks": self._whole(10, 300),
            "max_events_per_window": self._whole(0, 4),
            "events": [spike, *outages, meet],
        }

    def _lifecycle(self) -> JsonValue:
        least = self._whole(0, 10)
        return {
            "max_exits_per_day": self._whole(0, 8),
            "exit_cooldown_ticks": self._whole(0, 40),
            "spawn_delay_ticks": [least, least + self._whole(0, 20)],
            "collapse": {"threshold": self._real(0.0, 0.3), "ticks": self._whole(1, 60)},
            "eviction": {"days_unpaid": self._whole(1, 3), "recovery_days": self._whole(0, 2)},
            "unemployment_days": self._whole(1, 4),
            "chronic_need": {"threshold": self._real(0.0, 0.4), "fraction_of_day": self._real(0.1, 1.0)},
            "age_out": {"enabled": self._flag(), "min_days": 1, "max_days": self._whole(1, 5)},
            "suppress_during_city_events": self._flag(),
        }

    def _whole(self, least: int, most: int) -> int:
        return self._rng.randint_inclusive(least, most)

    def _real(self, least: float, most: float) -> float:
        return least + (most - least) * self._rng.f64()

    def _flag(self) -> bool:
        return self._whole(0, 1) == 1

    def _choice(self, entries: Sequence[T]) -> T:
        return entries[self._whole(0, len(entries) - 1)]
