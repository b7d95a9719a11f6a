import pytest

from diorama.contracts.errors import TierUnavailable
from diorama.worlds.tidebreak import fast
from diorama.worlds.tidebreak.campaign.battles.fighting import fight
from diorama.worlds.tidebreak.scenarios import generate


def test_a_battle_is_fought_alike_where_the_native_arena_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    package = generate(2, 7).package.model_copy(update={"time_limit_s": 20.0})
    expected = fight(package, {})

    def missing(*_arguments: object) -> None:
        raise TierUnavailable("the native core is not built")

    monkeypatch.setattr(fast, "load_native", missing)

    assert fight(package, {}) == expected
