"""The card of a champion, as a line and as a table."""

from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.counting import counted
from diorama.cli.evaluation.tables import short_number
from diorama.runs.champions import CardScore, ChampionCard, champion_id


def card_words(card: ChampionCard) -> str:
    """Return what a champion is, in a few lines."""
    sizes = ", ".join(f"{item.path.rpartition('.')[2]} {item.size_bytes / 1e3:,.0f} kB" for item in card.files[:2])
    return (
        f"{champion_id(card.world)}  {card.policy_arch}, {card.parameters:,} parameters, {sizes}\n"
        f"from run {card.origin_run_id}, seed {card.seed}, {card.env_steps_total:,} env steps, "
        f"revision {card.revision or 'unknown'}, {card.built_at}\n"
        f"SHA-256 {card.policy.sha256}"
    )


def card_table(card: ChampionCard) -> Table:
    """Return one line per player, the champion first."""
    episodes = counted(card.evaluation.episodes, "held-out episode")
    table = Table(title=f"{card.world}: {episodes} each, 95% intervals in brackets", box=SIMPLE)
    table.add_column("player", no_wrap=True)
    keys = list(card.evaluation.rows[0].scores)
    for key in keys:
        table.add_column(key.replace("return_", "return "), justify="right", no_wrap=True)
    for row in card.evaluation.rows:
        style = "bold green" if row.kind == "run" else None
        table.add_row(row.name, *(score_words(row.scores[key]) for key in keys), style=style)
    return table


def score_words(score: CardScore) -> str:
    """Write a score with its interval."""
    return f"{short_number(score.value)} [{short_number(score.low)} .. {short_number(score.high)}]"
