"""What the modals show: one env, one episode, one seed, one decision, and the run."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diorama.cli.dashboard.texts import bar, curve
from diorama.cli.morphogenesis.panels.policy import decision_text
from diorama.cli.morphogenesis.panels.texts import STAGE_STYLES, cell, slot_cell, spark
from diorama.cli.morphogenesis.tables import NOTHING, SHORT_STAGES, number, percent
from diorama.worlds.morphogenesis.contracts.payloads.analysis import CounterfactualMatrixPayload, LastActionSnapshot
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.records import REWARD_TERMS
from diorama.worlds.morphogenesis.views.judging import judge
from diorama.worlds.morphogenesis.views.pictures import EnvPicture, EpisodePicture, RunPicture, SlotPicture

WIDE: Final = 60
_STAGE_WORDS: Final = {**SHORT_STAGES, SeedStage.DORMANT: "Dorm"}


def env_detail(picture: RunPicture, env: EnvPicture) -> RenderableType:
    """Show one env: curves, the parts of its reward, a card per seed, and what became of blueprints."""
    return Group(
        _title(f"env {env.env_id}, episode {number(env.episode, 0)}, epoch {env.epoch}: {env.status}"),
        Text(f"accuracy  {curve(env.accuracies, WIDE)}  {percent(env.accuracy)}, best {percent(env.best_accuracy)}"),
        Text(f"control   {percent(env.control)}, gain {number(env.gain, sign=True)}"),
        Text(f"rewards   {curve(env.rewards, WIDE)}  {number(env.episode_reward, 2, sign=True)} in all"),
        _title("parts of the last reward"),
        reward_breakdown(env),
        _title("seeds"),
        *(seed_detail(slot) for slot in env.slots),
        _title("blueprint graveyard"),
        graveyard(picture),
    )


def reward_breakdown(env: EnvPicture) -> RenderableType:
    """Show every part of the last reward that was not 0."""
    decision = env.last_decision
    if decision is None or decision.reward_components is None:
        return Text(NOTHING, style="dim")
    parts = {name: value for name, value in decision.reward_components.to_dict().items() if name in REWARD_TERMS}
    told = [f"{name} {value:+.3f}" for name, value in parts.items() if isinstance(value, float) and value]
    return Text(f"{', '.join(told) or 'nothing was paid'}; in all {decision.total_reward:+.3f}")


def seed_detail(slot: SlotPicture) -> RenderableType:
    """Show the card of one slot."""
    seed = slot.seed
    if seed is None:
        return Text(f"{slot.slot_id}  empty", style="dim")
    return Text.assemble(
        f"{slot.slot_id}  ",
        slot_cell(slot),
        f"  {seed.epochs_in_stage} epochs in stage, {number(seed.accuracy_delta, sign=True)} points since; "
        f"contribution {number(seed.contribution, sign=True)} ({number(seed.contribution_velocity, 2, sign=True)} an "
        f"epoch), gradient health {number(seed.gradient_health, 2)}, ratio {number(seed.grad_ratio, 2)}, "
        f"synergy {number(seed.interaction_sum, sign=True)}, boost {number(seed.boost_received, sign=True)}",
    )


def graveyard(picture: RunPicture) -> RenderableType:
    """Show how many seeds of each blueprint were planted, kept and removed."""
    table = Table(box=None, pad_edge=False)
    for heading in ("blueprint", "planted", "permanent", "pruned", "success"):
        table.add_column(heading, justify="left" if heading == "blueprint" else "right")
    for name, fate in sorted(picture.graveyard.items()):
        share = fate.permanent / fate.planted if fate.planted else None
        success = cell(None if share is None else 100.0 * share, 0, unit="%")
        success.stylize("red" if judge("blueprint_success", share) == "critical" else "")
        table.add_row(name, str(fate.planted), str(fate.permanent), str(fate.pruned), success)
    return table if picture.graveyard else Text("nothing was planted yet", style="dim")


def episode_detail(episode: EpisodePicture) -> RenderableType:
    """Show an episode that is over."""
    stages = ", ".join(f"{SHORT_STAGES[SeedStage[name]]} {count}" for name, count in episode.stages.items())
    return Group(
        _title(f"episode {episode.episode} of env {episode.env_id}: {episode.outcome}"),
        Text(f"accuracy  {curve(episode.accuracies, WIDE)}"),
        Text(f"peak {percent(episode.peak)} at epoch {episode.peak_epoch}, {percent(episode.final)} at the end"),
        Text(f"control {percent(episode.control)}, {episode.growth:.2f}x parameters, reward {episode.reward:+.2f}"),
        Text(f"seeds at the end: {stages or NOTHING}"),
        _title("attribution"),
        attribution(episode),
    )


def attribution(episode: EpisodePicture | None) -> RenderableType:
    """Show who brought how much by the end of an episode."""
    if episode is None or not episode.attribution:
        return Text("no seed contributed", style="dim")
    found = episode.attribution
    most = max(abs(one.mean) for one in found.values()) or 1.0
    return Text(
        "\n".join(
            f"{slot_id}  {bar(abs(one.mean) / most, 20)}  {one.mean:+.2f} ± {one.std:.2f}"
            for slot_id, one in found.items()
        )
    )


def waterfall(env: EnvPicture) -> RenderableType:
    """Show how accuracy builds up: nothing on, each seed alone, pairs, everything."""
    if env.matrix is None:
        return Text("no seed contributes yet", style="dim")
    table = Table(box=None, pad_edge=False)
    for heading in ("switched on", "accuracy", "", "against nothing"):
        table.add_column(heading)
    base = None
    for name, accuracy in _coalitions(env.matrix):
        base = accuracy if name == "nothing" else base
        delta = None if base is None or accuracy is None else accuracy - base
        table.add_row(name, cell(accuracy), bar((accuracy or 0.0) / 100.0, 30), cell(delta, sign=True))
    return table


def _coalitions(matrix: CounterfactualMatrixPayload) -> Iterator[tuple[str, float | None]]:
    found = {config.seed_mask: config.accuracy for config in matrix.configs}
    slots = matrix.slot_ids
    chosen = [(), *((slot,) for slot in slots)]
    if len(slots) > 1:
        chosen += [pair for pair in combinations(slots, 2) if len(slots) > 2] + [slots]
    for coalition in chosen:
        mask = tuple(slot in coalition for slot in slots)
        if mask in found:
            name = "everything" if len(coalition) == len(slots) > 1 else " + ".join(coalition) or "nothing"
            yield name, found[mask]


def timeline(env: EnvPicture) -> RenderableType:
    """Show what happened to the slots of an env, epoch by epoch."""
    told = [
        Text.assemble(
            f"t{step.epoch:<4}{step.slot_id}  ",
            (_STAGE_WORDS[SeedStage[step.stage]], STAGE_STYLES[SeedStage[step.stage]]),
            f"  {step.note}",
        )
        for step in env.timeline
    ]
    return Text("\n").join(told) if told else Text("nothing happened yet", style="dim")


def decision_detail(made: LastActionSnapshot) -> RenderableType:
    """Show one decision with all there is to know about it."""
    masked = [
        name.removesuffix("_masked") for name, value in made.to_dict().items() if name.endswith("_masked") and value
    ]
    heads = {} if made.head_telemetry is None else made.head_telemetry.to_dict()
    return Group(
        _title(f"env {made.env_id}, episode {made.episode_idx}, epoch {made.inner_epoch}: {decision_text(made)}"),
        Text(f"{'done' if made.action_success else 'refused'}, reward {made.total_reward:+.3f}"),
        Text(f"probability {made.action_confidence:.0%}, value {made.value_estimate:.2f}"),
        Text("instead: " + (", ".join(f"{one.op} {one.probability:.0%}" for one in made.alternatives) or NOTHING)),
        Text(f"without a free choice: {', '.join(masked) or NOTHING}"),
        Text("heads: " + (", ".join(f"{name} {value:.2f}" for name, value in heads.items()) or NOTHING)),
        Text("slots then: " + ", ".join(f"{slot} {state}" for slot, state in made.slot_states.items())),
    )


def run_info(picture: RunPicture) -> RenderableType:
    """Show what the run was started with."""
    if picture.run is None:
        return Text("nothing has begun yet", style="dim")
    told = {name: value for name, value in picture.run.to_dict().items() if value is not None and value != ""}
    lines = [Text(f"{name:<16}{value}") for name, value in told.items()]
    if picture.controller is not None:
        lines.insert(0, Text(f"{'controller':<16}{picture.controller}"))
    lines.append(Text(f"{'malformed':<16}{picture.malformed} lines"))
    averages = spark([episode.final for episode in reversed(picture.best_episodes)])
    return Group(_title("run"), *lines, Text.assemble(f"{'best episodes':<16}", averages))


def _title(words: str) -> Text:
    return Text(f"\n{words}", style="bold")
