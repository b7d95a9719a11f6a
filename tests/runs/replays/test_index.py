import json
from functools import partial
from pathlib import Path

import msgspec
import pytest

from diorama.contracts.errors import ConfigError, DocumentError, StorageError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import Fork, ReplayEntry, headline_of, short_names
from diorama.runs.replays.index import ReplayFilter, add_to_index, read_index
from diorama.runs.replays.tags import Milestones, check_milestones, earned_tags, threshold_words
from diorama.worlds.registry import load_world
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.runs.factories import FakeClock, empty_run
from tests.runs.full_disk import no_file_longer_than

WORLD = load_world("prospector")
SPEC: WorldSpec = WORLD.describe(WORLD.config_type())
MILESTONES: Milestones = dict(SPEC.milestones)
METRICS = dict.fromkeys(SPEC.metric_keys, 0.0)


@pytest.fixture
def layout(tmp_path: Path) -> RunLayout:
    layout = empty_run(tmp_path)
    layout.replays.mkdir()
    return layout


def entry(window: int = 0, **changes: object) -> ReplayEntry:
    values: dict[str, object] = {
        "run_id": "run-a",
        "world": "prospector",
        "window_id": window,
        "replay_id": f"replay-{window:06d}-00000000",
        "replay_path": f"replays/replay-{window:06d}-00000000.jsonl.gz",
        "meta_path": f"replays/replay-{window:06d}-00000000.meta.json",
        "checkpoint_path": None,
        "tags": (),
        "trainer_backend": "random",
        "seed": 1,
        "return_total": 0.0,
        "steps": 3,
        "ticks": 4,
        "headline": {"profit": 0.0, "survival": 0.0},
        "metrics": METRICS,
        "terminated": True,
        "truncated": False,
        "end_reason": None,
        "checkpoint_env_steps_total": None,
        "created_at": "2031-05-06T07:08:09.000Z",
    }
    return ReplayEntry(**{**values, **changes})  # type: ignore[arg-type]


def add(layout: RunLayout, new: ReplayEntry, milestones: Milestones | None = None) -> ReplayEntry:
    return add_to_index(layout, new, partial(earned_tags, SPEC, milestones or {}), FakeClock())


def test_the_best_so_far_is_strictly_better_than_every_one_before(layout: RunLayout) -> None:
    returns = [1.0, 1.0, 0.5, 1.5, 1.5, 2.0]

    added = [add(layout, entry(window, return_total=value)) for window, value in enumerate(returns)]

    assert [item.tags for item in added] == [
        ("every_window", "best_so_far"),
        ("every_window",),
        ("every_window",),
        ("every_window", "best_so_far"),
        ("every_window",),
        ("every_window", "best_so_far"),
    ]
    assert read_index(layout).entries == tuple(added)


def test_every_reached_threshold_earns_a_tag() -> None:
    reached = entry(return_total=25.0, metrics={**METRICS, "net_profit": 999.9, "survival": 1.0})

    assert earned_tags(SPEC, MILESTONES, reached, []) == (
        *("every_window", "best_so_far", "milestone:profit:100", "milestone:profit:500"),
        *("milestone:return:10", "milestone:return:25", "milestone:survival:1"),
    )
    assert earned_tags(SPEC, MILESTONES, entry(), []) == ("every_window", "best_so_far")


def test_milestones_may_name_any_metric_and_lower_may_be_better() -> None:
    few = entry(metrics={**METRICS, "pirate_encounters": 2.0})

    tags = earned_tags(SPEC, {"pirate_encounters": (2.5, 2.0, 1.0)}, few, [])

    assert tags[2:] == ("milestone:pirate_encounters:2.5", "milestone:pirate_encounters:2")


@pytest.mark.parametrize(
    ("threshold", "words"), [(100.0, "100"), (0.5, "0.5"), (1_000_000.0, "1000000"), (-2.0, "-2"), (0.1, "0.1")]
)
def test_thresholds_have_no_trailing_zeros(threshold: float, words: str) -> None:
    assert threshold_words(threshold) == words


def test_milestones_of_unknown_metrics_are_refused() -> None:
    check_milestones(SPEC, MILESTONES)

    with pytest.raises(UnknownName, match="no milestone metric is called 'fame'; there are: return, profit"):
        check_milestones(SPEC, {"fame": (1.0,)})


def test_a_fork_is_the_operators_and_competes_for_nothing(layout: RunLayout) -> None:
    add(layout, entry(0, return_total=1.0))
    forked = add(
        layout, entry(1, return_total=99.0, forked_from=Fork(replay_id="replay-000000-00000000", frame=3)), MILESTONES
    )
    later = add(layout, entry(2, return_total=2.0))

    assert forked.tags == ("operator:fork",)
    assert "best_so_far" in later.tags


def test_headline_metrics_have_the_names_of_their_aliases() -> None:
    assert short_names(SPEC) == {"net_profit": "profit", "survival": "survival"}
    assert headline_of(SPEC, {**METRICS, "net_profit": 7.0}) == {"profit": 7.0, "survival": 0.0}
    assert short_names(toy_spec(ToyConfig())) == {"total": "total"}


def test_headline_metrics_stand_at_the_top_level_of_a_stored_entry() -> None:
    stored = entry(headline={"profit": 3.0, "survival": 1.0}).to_json()

    assert (stored["profit"], stored["survival"]) == (3.0, 1.0)
    assert "headline" not in stored
    assert ReplayEntry.from_json(stored, where="here") == entry(headline={"profit": 3.0, "survival": 1.0})


def test_an_entry_of_another_form_is_named_by_its_place(layout: RunLayout) -> None:
    add(layout, entry(0))
    document = json.loads(layout.replay_index.read_text())
    document["entries"].append({**document["entries"][0], "steps": "three"})
    layout.replay_index.write_text(json.dumps(document))

    with pytest.raises(DocumentError, match=r"entry 1: Expected `int`, got `str` - at `\$\.steps`"):
        read_index(layout)


@pytest.fixture
def tagged(layout: RunLayout) -> RunLayout:
    tags = {0: ("a",), 1: ("a", "b"), 2: ("b", "c"), 3: ("a", "b", "c"), 4: ()}
    for window, given in tags.items():
        add_to_index(layout, entry(window), lambda _, __, given=given: given, FakeClock())  # type: ignore[misc]
    return layout


@pytest.mark.parametrize(
    ("wanted", "windows"),
    [
        pytest.param(ReplayFilter(), [4, 3, 2, 1, 0], id="all"),
        pytest.param(ReplayFilter(tag="a"), [3, 1, 0], id="tag"),
        pytest.param(ReplayFilter(tag="A"), [], id="exact"),
        pytest.param(ReplayFilter(tags_any=("a", "c")), [3, 2, 1, 0], id="any"),
        pytest.param(ReplayFilter(tags_all=("a", "b")), [3, 1], id="every"),
        pytest.param(ReplayFilter(tag="b", tags_any=("c",), tags_all=("a",)), [3], id="together"),
        pytest.param(ReplayFilter(window_id=2), [2], id="window"),
        pytest.param(ReplayFilter(tags_any=("a", "c"), limit=2), [3, 2], id="limit"),
    ],
)
def test_filters(wanted: ReplayFilter, windows: list[int], tagged: RunLayout) -> None:
    assert [found.window_id for found in read_index(tagged).find(wanted)] == windows


def test_the_newest_come_first_by_window_then_moment_then_id(layout: RunLayout) -> None:
    early, late = "2031-01-01T00:00:00.000Z", "2031-01-02T00:00:00.000Z"
    for window, created_at, name in [(1, late, "b"), (2, early, "a"), (1, late, "c"), (1, early, "z")]:
        add(layout, entry(window, created_at=created_at, replay_id=name))

    assert [found.replay_id for found in read_index(layout).find(ReplayFilter())] == ["a", "c", "b", "z"]


def test_a_limit_must_let_something_through() -> None:
    with pytest.raises(ConfigError, match="limit is 0"):
        ReplayFilter(limit=0)


def test_an_unknown_replay_names_the_newest(tagged: RunLayout) -> None:
    with pytest.raises(UnknownName, match="the newest are: replay-000004-00000000, replay-000003"):
        read_index(tagged).entry("replay-000009-00000000")
    with pytest.raises(ConfigError, match="is not allowed"):
        read_index(tagged).entry("../replay")


def test_adding_the_same_replay_again_replaces_it(layout: RunLayout) -> None:
    add(layout, entry(0))
    add(layout, msgspec.structs.replace(entry(0), steps=9))

    (only,) = read_index(layout).entries
    assert only.steps == 9


def test_a_full_disk_leaves_the_index_before(layout: RunLayout) -> None:
    add(layout, entry(0))
    size = layout.replay_index.stat().st_size

    with no_file_longer_than(size), pytest.raises(StorageError, match=r"replay_index\.json"):
        add(layout, entry(1))

    assert [found.window_id for found in read_index(layout).entries] == [0]
