"""`rewards.<id>`, `policy` and `kpis`."""

from dataclasses import asdict
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.numerics import ln
from diorama.worlds.townlet.codes import OPTION_NAMES, PRIMITIVE_NAMES
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.sections import Section, fixed_section
from diorama.worlds.townlet.live.blocks.values import told
from diorama.worlds.townlet.live.targets import targets_block
from diorama.worlds.townlet.live.windows import shown_values
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.kpis import kpi_row

TOP: Final = 3


def reward_block(reward: RewardBreakdown) -> JsonObject:
    """A reward, part by part."""
    return {
        "survival": reward.survival,
        "needs_penalty": reward.needs_penalty,
        "shaping": reward.shaping,
        "wage": reward.wage,
        "punctuality": reward.punctuality,
        "social_bonus": reward.social_bonus,
        "social_penalty": reward.social_penalty,
        "social_avoidance": reward.social_avoidance,
        "social": reward.social,
        "curiosity": reward.curiosity,
        "terminal_penalty": reward.terminal_penalty,
        "clip_adjustment": reward.clip_adjustment,
        "total": reward.total,
        "guardrail_active": reward.guardrail_active,
        "clipped": reward.clipped,
    }


def _inspector(scene: Scene, citizen: Citizen) -> JsonValue:
    seat, decisions = citizen.seat, scene.decisions
    opinion = decisions.opinions.get(seat)
    selected = scene.report.effective.get(seat)
    names = _action_names(scene)
    shown = told(
        source=decisions.by_seat.get(seat),
        selected=None if selected is None else names[selected],
        commit_enforced=seat in scene.report.commit_enforced,
        invalid=seat in scene.report.invalid,
    )
    if opinion is None:
        return shown
    ranked = sorted(enumerate(opinion.chances), key=lambda entry: -entry[1])
    chance = 0.0 if selected is None else opinion.chances[selected]
    entropy = -sum(chance * ln(chance) for chance in opinion.chances if chance > 0.0)
    top: list[JsonValue] = [
        {"action": names[action], "chance": chance} for action, chance in ranked[:TOP] if chance > 0.0
    ]
    shown |= told(value=opinion.value, entropy=entropy, log_prob=ln(chance) if chance > 0.0 else None)
    return {**shown, "top": top}


def _inspector_mark(scene: Scene, citizen: Citizen) -> object:
    seat, report = citizen.seat, scene.report
    return (
        scene.decisions.by_seat.get(seat),
        report.effective.get(seat),
        seat in report.commit_enforced,
        seat in report.invalid,
        scene.decisions.opinions.get(seat),
    )


def _action_names(scene: Scene) -> tuple[str, ...]:
    has_options = scene.town.config.policy_runtime.action_level == "option"
    return OPTION_NAMES if has_options else PRIMITIVE_NAMES


REWARD_SECTION: Final[Section[Citizen]] = Section(
    name="reward",
    mark=lambda scene, citizen: scene.report.rewards.get(citizen.seat),
    tell=lambda scene, citizen: (
        None if (reward := scene.report.rewards.get(citizen.seat)) is None else reward_block(reward)
    ),
)
INSPECTOR_SECTION: Final[Section[Citizen]] = Section(name="inspector", mark=_inspector_mark, tell=_inspector)


def _possessed(scene: Scene, town: Town) -> list[JsonValue]:
    return [scene.ids[citizen.seat] for citizen in town.living() if citizen.is_possessed]


POLICY_SECTIONS: Final[tuple[Section[Town], ...]] = (
    Section(
        name="identity",
        mark=lambda scene, town: (scene.decisions.policy, scene.edition),
        tell=lambda scene, town: scene.decisions.policy.to_json(town.config.features.systems.observations),
    ),
    Section(name="possessed", mark=_possessed, tell=_possessed),
)
KPI_SECTIONS: Final[tuple[Section[Town], ...]] = (
    fixed_section("targets", lambda _, __: targets_block()),
    Section(
        name="current",
        mark=lambda scene, town: (scene.slow, town.kpis.start_tick),
        tell=lambda _, town: shown_values(town, kpi_row(town)),
    ),
    Section(
        name="window_start",
        mark=lambda _, town: town.kpis.start_tick,
        tell=lambda _, town: town.kpis.start_tick,
    ),
    Section(
        name="rows",
        mark=lambda _, town: town.kpis.start_tick,
        tell=lambda _, town: [asdict(row) for row in town.kpis.rows],
    ),
)
