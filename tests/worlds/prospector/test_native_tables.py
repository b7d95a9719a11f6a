"""The layout tables of the native core against the contract, which declares them."""

from diorama.native import load_native
from diorama.worlds.prospector.contract import SPEC


def test_the_native_core_has_the_tables_of_the_contract() -> None:
    tables = load_native().prospector_tables()

    assert tables["observation"] == [(item.name, item.start, item.stop - item.start) for item in SPEC.observation]
    assert tables["actions"] == list(SPEC.option_names)
    assert tables["metrics"] == list(SPEC.metric_keys)
    assert tables["events"] == list(SPEC.event_names)
