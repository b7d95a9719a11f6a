"""The reward engine: what a tick was worth to a citizen, part by part, and what keeps it within bounds."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.townlet.codes import ExitReason
from diorama.worlds.townlet.config.features import STAGE_RANK
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.fitness import note_fitness
from diorama.worlds.townlet.reference.systems.ties import tie_to

_TOO_NEEDY_TO_SOCIALISE: Final = 0.85
_SPEAKER_BLAME: Final = 0.5
_LISTENER_BLAME: Final = 0.25
_C1: Final = STAGE_RANK["C1"]
_C2: Final = STAGE_RANK["C2"]
_C3: Final = STAGE_RANK["C3"]


def pay_rewards(town: Town) -> None:
    """Pay every citizen, those who leave this tick among them; after exits are known, before anybody is removed."""
    for citizen in town.in_turn():
        reward = _components(town, citizen)
        if town.config.features.behavior.reward_multipliers:
            _apply_bias(town, citizen, reward)
        _bound(town, citizen, reward)
        town.report.rewards[citizen.seat] = reward
        note_fitness(citizen, reward.total)


def _components(town: Town, citizen: Citizen) -> RewardBreakdown:
    rule, facts = town.config.rewards, citizen.facts
    deficits = [1.0 - need for need in citizen.needs]
    pain = potential = 0.0
    for weight, deficit in zip(rule.needs_weights.values, deficits, strict=True):
        pain += weight * (deficit * deficit)
        potential += weight * deficit
    reward = RewardBreakdown(survival=rule.survival_tick, needs_penalty=-rule.homeostasis_scale * pain)
    reward.shaping = _shaping(town, citizen, -potential)
    reward.wage = rule.wage_rate * (float(facts.is_paid) - rule.withheld_factor * float(facts.is_withheld))
    reward.punctuality = _punctuality(town, citizen)
    _social(town, citizen, reward, is_needy=any(deficit > _TOO_NEEDY_TO_SOCIALISE for deficit in deficits))
    if town.config.features.training.curiosity == "phase_A":
        reward.curiosity = town.config.curiosity.phase_A_weight * town.intrinsic.get(citizen.seat, 0.0)
    reward.terminal_penalty = _terminal(town, citizen)
    return reward


def _shaping(town: Town, citizen: Citizen, potential: float) -> float:
    rule, account = town.config.shaping, citizen.account
    before, had_one = account.potential, account.has_potential
    account.potential, account.has_potential = potential, True
    if not rule.use_potential or not had_one or citizen.facts.exit_reason >= 0:
        return 0.0
    return rule.scale * (town.config.ppo.gamma * potential - before)


def _punctuality(town: Town, citizen: Citizen) -> float:
    arrival, rule = citizen.facts.first_paid_arrival, town.config.rewards
    if arrival < 0:
        return 0.0
    missed_by = abs(arrival - town.tables.jobs[citizen.job].start)
    return rule.punctuality_bonus * max(0.0, 1.0 - missed_by / rule.punctuality_window)


def _social(town: Town, citizen: Citizen, reward: RewardBreakdown, *, is_needy: bool) -> None:
    stage, rule, facts = town.config.features.social_rank, town.config.rewards.social, citizen.facts
    if stage < _C1:
        return
    if not is_needy:
        for chat in facts.chats:
            factor = 1.0
            if stage >= _C3:
                tie = tie_to(citizen, chat.other)
                factor = 1.0 + rule.C1_coeff_trust * tie.trust + rule.C1_coeff_fam * tie.familiarity
            reward.social_bonus += rule.C1_chat_base * chat.quality * factor
    reward.social_penalty = -rule.C1_chat_base * (
        _SPEAKER_BLAME * facts.failed_as_speaker + _LISTENER_BLAME * facts.failed_as_listener
    )
    has_waited = town.tick - citizen.account.avoidance_tick > rule.avoid_window_ticks
    if stage >= _C2 and facts.has_avoided and has_waited and not is_needy:
        reward.social_avoidance = rule.C2_avoid_conflict
        citizen.account.avoidance_tick = town.tick


def _terminal(town: Town, citizen: Citizen) -> float:
    rule, reason = town.config.rewards, citizen.facts.exit_reason
    if citizen.facts.is_rescued or reason == ExitReason.FAINT:
        return rule.faint_penalty
    if reason in (ExitReason.EVICTION, ExitReason.UNEMPLOYMENT):
        return rule.eviction_penalty
    return rule.exit_penalty if reason in (ExitReason.NEGLECT, ExitReason.AGE_OUT) else 0.0


def _apply_bias(town: Town, citizen: Citizen, reward: RewardBreakdown) -> None:
    profile = town.tables.profiles[citizen.profile]
    reward.social_bonus = _biased(reward.social_bonus, profile.social_bias)
    reward.social_penalty = _biased(reward.social_penalty, profile.social_bias)
    reward.social_avoidance = _biased(reward.social_avoidance, profile.social_bias)
    reward.wage = _biased(reward.wage, profile.employment_bias)
    reward.punctuality = _biased(reward.punctuality, profile.employment_bias)
    reward.survival = _biased(reward.survival, profile.survival_bias)


def _biased(value: float, factor: float) -> float:
    return value * factor if value >= 0.0 else value / factor


def _bound(town: Town, citizen: Citizen, reward: RewardBreakdown) -> None:
    """Apply the guards in their order: death window, clip per tick, terminal penalty, clip per episode."""
    rule, account = town.config.rewards.clip, citizen.account
    whole = _sum(reward)
    subtotal = whole
    if _is_near_death(town, citizen):
        reward.guardrail_active = True
        subtotal = min(subtotal, 0.0)
    clipped = clamp(subtotal, -rule.clip_per_tick, rule.clip_per_tick)
    with_terminal = clipped + reward.terminal_penalty
    after = clamp(account.episode_sum + with_terminal, -rule.clip_per_episode, rule.clip_per_episode)
    reached = account.episode_sum + with_terminal
    # Only a clip that binds goes through the running sum: a difference of sums would round the total.
    reward.total = with_terminal if after == reached else after - account.episode_sum
    reward.clipped = clipped != subtotal or after != reached
    reward.clip_adjustment = reward.total - (whole + reward.terminal_penalty)
    account.episode_sum = after


def _sum(reward: RewardBreakdown) -> float:
    """Sum of all parts but the terminal penalty, in their order."""
    return (
        reward.survival
        + reward.needs_penalty
        + reward.shaping
        + reward.wage
        + reward.punctuality
        + reward.social_bonus
        + reward.social_penalty
        + reward.social_avoidance
        + reward.curiosity
    )


def _is_near_death(town: Town, citizen: Citizen) -> bool:
    within, decline = town.config.rewards.clip.no_positive_within_death_ticks, citizen.decline
    return (
        citizen.facts.exit_reason >= 0
        or citizen.facts.is_rescued
        or 0 < decline.collapse_streak >= town.rules.collapse_ticks - within
        or town.tick - decline.deferred_tick <= within
    )
