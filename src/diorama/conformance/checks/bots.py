"""Bots: each plays by the rules, and alike when it plays the same episode again."""

import time
from typing import Final

import numpy as np

from diorama.conformance.checks.masks import relevant_heads
from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.conformance.walking import head_spans, moment_of
from diorama.contracts.bots import Bot
from diorama.contracts.records import Decision
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import U8

_STEPS: Final = 200
_SECONDS: Final = 2.0
_FIX: Final = "act() returns one option per head that exists and that the mask allows"


def check_bots(subject: Subject, report: Report) -> None:
    """Let every bot play the beginning of an episode on all seats, twice."""
    if not subject.world.bots:
        report.skip("the world has no bots; with one, a policy has something to be compared with")
        return
    for name, make in subject.world.bots.items():
        bots = [make() for _ in range(subject.spec.agents)]
        decisions = _play(subject, report, name, bots, steps=_STEPS, seconds=_SECONDS)
        again = _play(subject, report, name, bots, steps=len(decisions), seconds=float("inf"))
        report.expect(
            decisions == again,
            f"bot {name!r} plays the same episode differently the second time",
            fix="let reset(episode_seed) seed whatever the bot draws from, and forget the rest",
        )
    report.note(", ".join(subject.world.bots))


def _play(
    subject: Subject, report: Report, name: str, bots: list[Bot], *, steps: int, seconds: float
) -> list[list[Decision]]:
    batch, until = subject.opened(subject.quickest), time.monotonic() + seconds
    for bot in bots:
        bot.reset(SEED)
    played: list[list[Decision]] = []
    while len(played) < steps and time.monotonic() < until and batch.episode_seed(0) == SEED:
        seen = moment_of(batch)
        decisions = [
            bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) if batch.alive[row] else batch.spec.noop
            for row, bot in enumerate(bots)
        ]
        report.expect(
            not seen.differs_in(moment_of(batch)),
            f"bot {name!r} changes the {seen.differs_in(moment_of(batch))} that it is shown",
            fix="act() only reads its arrays; a bot that reckons in them makes a copy first",
        )
        for row, decision in enumerate(decisions):
            wrong = _wrong(batch.spec, batch.masks[row], decision)
            if wrong:
                report.fail(f"bot {name!r} chose {decision!r}: {wrong}", fix=_FIX)
                batch.close()
                return played
        batch.step(np.array(decisions, np.int32))
        played.append([tuple(decision) for decision in decisions])
    batch.close()
    return played


def _wrong(spec: WorldSpec, mask: U8, decision: Decision) -> str:
    if not isinstance(decision, tuple) or not all(isinstance(option, int | np.integer) for option in decision):
        return "that is no tuple of whole numbers"
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
