"""Adapters: other ecosystems' own checkers look at the world through the environments that are made for them."""

import io
import warnings
from contextlib import redirect_stdout
from typing import Final

from diorama.conformance.endings import Ending
from diorama.conformance.report import Report
from diorama.conformance.subject import Subject

_CYCLES: Final = 30
_FIX: Final = "the adapter shows what the world writes: look at bounds, types, seeds and flags of this message"


def check_gymnasium(subject: Subject, report: Report) -> None:
    """Let `check_env` look at a world of one seat."""
    if subject.spec.agents != 1:
        report.skip(f"a Gymnasium Env has one seat, a copy of this world {subject.spec.agents}")
        return
    if isinstance(subject.first_ending, Ending) and subject.first_ending.decisions == 1:
        report.skip("episodes of one decision, which check_env takes for a mistake")
        return
    from gymnasium.utils.env_checker import check_env

    from diorama.engine.adapters.gymnasium_env import DioramaEnv

    env = DioramaEnv(subject.world.id, config=subject.config, tier=subject.quickest.value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # advice that does not fail the check
            check_env(env, skip_render_check=True)
    except AssertionError as error:
        report.fail(f"check_env: {' '.join(str(error).split())}", fix=_FIX)
    finally:
        env.close()


def check_pettingzoo(subject: Subject, report: Report) -> None:
    """Let `parallel_api_test` look at a world of several seats."""
    if subject.spec.agents == 1:
        report.skip("a copy has one seat; PettingZoo is for several")
        return
    from pettingzoo.test import parallel_api_test

    from diorama.engine.adapters.opening import parallel_env

    env = parallel_env(subject.world.id, config=subject.config, tier=subject.quickest.value)
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")  # advice that does not fail the test
            parallel_api_test(env, num_cycles=_CYCLES)
    except AssertionError as error:
        report.fail(f"parallel_api_test: {' '.join(str(error).split()) or 'an assertion failed'}", fix=_FIX)
    finally:
        env.close()
