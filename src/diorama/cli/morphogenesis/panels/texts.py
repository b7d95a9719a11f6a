"""Numbers, curves and slots as colored text; what nobody knows is a dash, never a zero."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from diorama.cli.dashboard.texts import curve
from diorama.cli.morphogenesis.tables import NOTHING, SHORT_STAGES, number
from diorama.worlds.morphogenesis.contracts.actions import AlphaCurveAction
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.views.judging import Level, judge
from diorama.worlds.morphogenesis.views.pictures import SlotPicture

STAGE_STYLES: Final[dict[SeedStage, str]] = {
    SeedStage.DORMANT: "dim",
    SeedStage.GERMINATED: "bright_blue",
    SeedStage.TRAINING: "cyan",
    SeedStage.BLENDING: "yellow",
    SeedStage.HOLDING: "magenta",
    SeedStage.FOSSILIZED: "green",
    SeedStage.PRUNED: "red",
    SeedStage.EMBARGOED: "bright_red",
    SeedStage.RESETTING: "dim",
}
LEVEL_STYLES: Final[dict[Level, str]] = {"good": "", "warning": "yellow", "critical": "bold red", "unknown": "dim"}
STATUS_STYLES: Final = {
    "initializing": "dim",
    "healthy": "green",
    "excellent": "bold green",
    "stalled": "yellow",
    "degraded": "red",
    "rolled back": "bold white on red",
}
GROUP_STYLES: Final = ("cyan", "magenta", "yellow", "green", "blue", "red")
BLUEPRINT_LETTERS: Final = 6
SPARK_WIDTH: Final = 10
_AGES: Final = ((100.0, 1.0, "s"), (6_000.0, 60.0, "min"), (172_800.0, 3_600.0, "h"))


def cell(
    value: float | None, digits: int = 1, *, sign: bool = False, signal: str | None = None, unit: str = ""
) -> Text:
    """Write a number, colored by the limits of its signal."""
    written = number(value, digits, sign=sign)
    style = "dim" if value is None else "" if signal is None else LEVEL_STYLES[judge(signal, value)]
    return Text(written if value is None else f"{written}{unit}", style=style)


def spark(values: Sequence[float], width: int = SPARK_WIDTH) -> Text:
    """Draw the last values as a line of bars."""
    return Text(curve(values, width) if values else NOTHING, style="" if values else "dim")


def slot_cell(slot: SlotPicture) -> Text:
    """Draw a slot: stage, blueprint, alpha, curve, and a mark where gradients vanish or explode."""
    seed = slot.seed
    if seed is None:
        return Text(NOTHING, style="dim")
    stage = SeedStage[seed.stage]
    glyph = "" if slot.curve is None else f" {AlphaCurveAction[slot.curve].glyph}"
    marks = ("▼" if seed.has_vanishing else "") + ("▲" if seed.has_exploding else "")
    words = f"{SHORT_STAGES[stage]}:{seed.blueprint_id[:BLUEPRINT_LETTERS]} {seed.alpha:.0%}{glyph} {marks}".rstrip()
    return Text(words, style=STAGE_STYLES[stage])


def group_dot(groups: Sequence[str], group_id: str) -> Text:
    """Mark a group by a colored dot and its name."""
    place = groups.index(group_id) if group_id in groups else 0
    return Text.assemble(("●", GROUP_STYLES[place % len(GROUP_STYLES)]), f" {group_id}")


def clock(seconds: float) -> str:
    """Write a duration as hours, minutes and seconds."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def age(seconds: float | None) -> Text:
    """Write how long ago something was, colored when it is long for a view."""
    if seconds is None:
        return Text(NOTHING, style="dim")
    size, unit = next(((size, unit) for most, size, unit in _AGES if seconds < most), (86_400.0, "d"))
    return Text(f"{seconds / size:.0f} {unit}", style=LEVEL_STYLES[judge("snapshot_age_s", seconds)])
