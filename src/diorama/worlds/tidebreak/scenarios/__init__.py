"""Battles to fight: the curriculum's generator, the balance pairings and the stored scenarios."""

from diorama.worlds.tidebreak.scenarios.generation import Scenario, generate
from diorama.worlds.tidebreak.scenarios.named import EVALUATION_SUITE, load_scenario, reseeded, scenario_names
from diorama.worlds.tidebreak.scenarios.pairings import PAIRINGS, Pairing, pairing_package
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from diorama.worlds.tidebreak.scenarios.seeds import battle_seed
from diorama.worlds.tidebreak.scenarios.stages import STAGES, Stage, episode_stage, stage

__all__ = [
    "EVALUATION_SUITE",
    "PAIRINGS",
    "STAGES",
    "Pairing",
    "Scenario",
    "Stage",
    "battle_seed",
    "episode_stage",
    "generate",
    "load_scenario",
    "pairing_package",
    "random_battle",
    "reseeded",
    "scenario_names",
    "stage",
]
