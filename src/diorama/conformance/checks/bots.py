"""Bots: each plays by the rules, and alike when it plays the same episode again."""

import time
from typing import Final

import numpy as np

from diorama.conformance.checks.masks import relevant_heads
from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.conformance.walking import head_spans
from diorama.contracts.bots import Bot
from diorama.contracts.records import Decision
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import U8

_STEPS: Final = 20
_SECONDS: Final = 2.0
_FIX: Final = "act() returns one option per head that exists and that the mask allows"


def check_bots(subject: Subject, report: Report) -> None:
    """Let every bot play the beginning of an episode on all seats, twice."""
    if not subject.world.bots:
        report.skip("the world has no bots; with one, a policy has something to be compared with")
        return
    for name in subject.world.bots:
        decisions = _play(subject, report, name, steps=_STEPS, seconds=_SECONDS)
        again = _play(subject, report, name, steps=len(decisions), seconds=float("inf"))
        report.expect(
            decisions == again,
            f"bot {name!r} plays the same episode differently the second time",
            fix="let reset(episode_seed) seed whatever the bot draws from, and forget the rest",
        )
    report.note(f"{len(subject.world.bots)} bots")


def _play(subject: Subject, report: Report, name: str, *, steps: int, seconds: float) -> list[list[Decision]]:
    batch, until = subject.opened(subject.quickest), time.monotonic() + seconds
    bots: list[Bot] = [subject.world.bots[name]() for _ in range(batch.rows)]
    for bot in bots:
        bot.reset(SEED)
    played: list[list[Decision]] = []
    while len(played) < steps and time.monotonic() < until and batch.episode_seed(0) == SEED:
        decisions = [
            bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) if batch.alive[row] else batch.spec.noop
            for row, bot in enumerate(bots)
        ]
        for row, decision in enumerate(decisions):
            wrong = _wrong(batch.spec, batch.masks[row], decision)
            if wrong:
                report.fail(f"bot {name!r} chose {decision}: {wrong}", fix=_FIX)
                batch.close()
                return played
        batch.step(np.array(decisions, np.int32))
        played.append([tuple(decision) for decision in decisions])
    batch.close()
    return played


def _wrong(spec: WorldSpec, mask: U8, decision: Decision) -> str:
    if len(decision) != len(spec.heads):
        return f"there are {len(spec.heads)} heads"
    for head, option in zip(spec.heads, decision, strict=True):
        if not 0 <= option < len(head.options):
            return f"head {head.name!r} has the options 0..{len(head.options) - 1}"
    spans = list(head_spans(spec))
    for place in relevant_heads(spec, decision):
        if not mask[spans[place][0] + decision[place]]:
            return f"{spec.heads[place].options[decision[place]]!r} of head {spec.heads[place].name!r} is masked"
    return ""
