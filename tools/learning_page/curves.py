"""Curves of a protocol as a small SVG: validation score over the wall time of training."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

WIDTH: Final = 640
HEIGHT: Final = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 28, 44
_COLORS: Final = ("#2563eb", "#d97706", "#059669", "#9333ea")
_TICKS: Final = 4


def curve_picture(part: Mapping[str, Any]) -> str:
    """Return the curves of a protocol: a line per training seed, and a dashed one for the best script."""
    curves: Sequence[Mapping[str, Any]] = part["curves"]
    bar = part["best_script"]["validation"]
    points = [point for curve in curves for point in curve["points"]]
    longest = max(point["seconds"] for point in points)
    scores = [bar, *(point["score"] for point in points)]
    low, high = min(scores), max(scores)
    if low == high:
        low, high = low - 0.5, high + 0.5

    def x(seconds: float) -> float:
        return float(_LEFT + (WIDTH - _LEFT - _RIGHT) * seconds / longest)

    def y(score: float) -> float:
        return float(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * (score - low) / (high - low))

    names = list(dict.fromkeys(curve["name"] for curve in curves))
    colors = dict(zip(names, _COLORS, strict=False))
    title = f"{part['name']}: {part['metric']} on validation seeds over seconds of training"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif"'
        f' font-size="12"><title>{escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for tick in range(_TICKS + 1):
        score, seconds = low + (high - low) * tick / _TICKS, longest * tick / _TICKS
        lines += [
            f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(score):.1f}" y2="{y(score):.1f}" stroke="#e5e7eb"/>',
            f'<text x="{_LEFT - 6}" y="{y(score) + 4:.1f}" text-anchor="end">{score:.3g}</text>',
            f'<text x="{x(seconds):.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">{seconds:.3g}</text>',
        ]
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">seconds of training</text>')
    lines.append(
        f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(bar):.1f}" y2="{y(bar):.1f}" stroke="#374151"'
        ' stroke-dasharray="6 4"/>'
    )
    for curve in curves:
        path = " ".join(f"{x(point['seconds']):.1f},{y(point['score']):.1f}" for point in curve["points"])
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colors[curve["name"]]}" stroke-width="1.8"/>')
    labels = [*((name, colors[name]) for name in names), (f"best script: {part['best_script']['name']}", "#374151")]
    offset = _LEFT
    for label, color in labels:
        lines.append(f'<text x="{offset}" y="18" fill="{color}">{escape(label)}</text>')
        offset += 8 * len(label) + 12
    return "\n".join([*lines, "</svg>"]) + "\n"
