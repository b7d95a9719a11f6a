"""The OpenAPI document of a live server: no request that fuzzing finds gets an answer it does not tell of."""

import json
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS

from diorama.server.live.openapi import live_openapi_text
from tests.server.live.stage import ADMIN_TOKEN, Stage, bearer

schema = schemathesis.openapi.from_dict(json.loads(live_openapi_text())).exclude(path_regex="/events$")  # has no end
# What fits the schema may still be no command here, and 501 says so.
NOT_CHECKED: list[Any] = [CHECKS.get_one(name) for name in ("positive_data_acceptance", "not_a_server_error")]


@schema.parametrize()
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_the_answer_keeps_to_the_document(case: schemathesis.Case[Any], stage: Stage) -> None:
    answer = case.call_and_validate(
        base_url=stage.base_url, timeout=20, headers=bearer(ADMIN_TOKEN), excluded_checks=NOT_CHECKED
    )

    assert answer.status_code != 500


@schema.include(path_regex="{live_id}").parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_about_the_world_the_answer_keeps_to_the_document(
    case: schemathesis.Case[Any], stage: Stage
) -> None:
    case.path_parameters.update(live_id="townlet")

    excluded = [*NOT_CHECKED, CHECKS.get_one("negative_data_rejection")]  # the good name may have replaced a bad one
    answer = case.call_and_validate(
        base_url=stage.base_url, timeout=20, headers=bearer(ADMIN_TOKEN), excluded_checks=excluded
    )

    assert answer.status_code != 500
