"""The JSON report of a parity run."""

from collections.abc import Sequence
from datetime import UTC, datetime

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.engine.system_facts import system_facts
from diorama.parity.cases import Case
from diorama.parity.matrix import CaseResult
from diorama.parity.profiles import Profile


def build_report(
    world: World[WorldConfig], cases: Sequence[Case], results: Sequence[CaseResult], *, profile: Profile
) -> JsonObject:
    """Return the report of a run.

    Args:
        world: What was compared.
        cases: What was planned; a run that stopped at the first mismatch has fewer results.
        results: In case order.
        profile: How nearly the tiers had to agree.
    """
    failed = sum(result.mismatch is not None for result in results)
    return {
        "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "world": world.id,
        "interface_version": world.describe(world.config_type()).interface_version,
        "config": _matrix(world, cases),
        "profile": profile.value,
        "cases": [_case_row(result) for result in results],
        "summary": {
            "pass": failed == 0,
            "cases": len(results),
            "planned": len(cases),
            "failed": failed,
            "comparisons": sum(result.steps for result in results),
        },
        "system": system_facts(),
    }


def _matrix(world: World[WorldConfig], cases: Sequence[Case]) -> JsonObject:
    columns = {case.column.label: case.column.config for case in cases}
    return {
        "suites": list(dict.fromkeys(case.suite for case in cases)),
        "seeds": list(dict.fromkeys(case.seed for case in cases)),
        "steps": cases[0].steps,
        "configs": {
            label: parse_config(world.id, world.config_type, config).model_dump(mode="json")
            for label, config in columns.items()
        },
    }


def _case_row(result: CaseResult) -> JsonObject:
    return {
        "suite": result.case.suite,
        "seed": result.case.seed,
        "label": result.case.column.label,
        "pass": result.mismatch is None,
        "steps": result.steps,
        "episodes": result.episodes,
        "seconds": round(result.seconds, 3),
        "bundle": None if result.bundle is None else result.bundle.as_posix(),
        "mismatch": None if result.mismatch is None else str(result.mismatch),
    }
