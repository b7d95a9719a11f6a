"""The console against its table: every name, its role, and whether it needs a `cmd_id`."""

from pathlib import Path

from tests.operate.live.runtimes import open_live_world

# V viewer, A admin, * cmd_id required.
TABLE = """
help V noop V telemetry_snapshot V health_status V employment_status V affordance_status V conflict_status V
debug_queues V rivalry_dump V relationship_summary V relationship_detail A social_events V promotion_status V
spawn A* teleport A* setneed A* price A* force_chat A* set_rel A* arrange_meet A* utility A* perturbation_queue A
perturbation_trigger A* perturbation_cancel A* employment_exit A* kill A* possess A* possess_act A* toggle_mortality A*
set_exit_cap A* set_spawn_delay A* set_death_threshold A* promote_policy A* rollback_policy A* policy_swap A*
promotion_ack A* snapshot_save A* snapshot_load A* snapshot_inspect V snapshot_validate A snapshot_migrate A*
config_reload A* speed A* step A* announce_story A* set_privacy A*
"""
WORDS = TABLE.split()
EXPECTED = dict(zip(WORDS[::2], WORDS[1::2], strict=True))
BEYOND_THE_TABLE = {"policy_shadow": "A*"}


def test_the_catalogue_is_the_table(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path, "townlet")
    entries = runtime.desk.catalogue.entries

    known = {
        name: f"{entry.command.role[0].upper()}{'*' if entry.command.needs_id else ''}"
        for name, entry in entries.items()
    }

    assert known == EXPECTED | BEYOND_THE_TABLE
    assert entries["debug_queues"].command.aliases == ("queue_inspect",)
    exits = entries["employment_exit"].command
    assert not exits.changes(exits.bind(["review"], {}))
    assert exits.changes(exits.bind(["approve", "citizen_000"], {}))
    runtime.close()
