"""Scenarios: towns set up for a purpose, what is done to them, and what must come of it; as YAML, in `suite/`."""

from diorama.worlds.townlet.scenarios.loading import load_scenario, scenario_names
from diorama.worlds.townlet.scenarios.model import Scenario
from diorama.worlds.townlet.scenarios.result import ScenarioResult
from diorama.worlds.townlet.scenarios.running import ScenarioRun, run_scenario

__all__ = ["Scenario", "ScenarioResult", "ScenarioRun", "load_scenario", "run_scenario", "scenario_names"]
