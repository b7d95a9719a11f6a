from pathlib import Path

import pytest
from PIL import Image

from diorama.contracts.errors import ConfigError
from diorama.engine import venue
from diorama.runs.layout import RunLayout
from diorama.runs.replays.captions import caption
from diorama.runs.replays.export import ExportOptions, export_replay, stride_for
from diorama.runs.replays.reader import ReplayReader, open_replay
from diorama.worlds.registry import load_world
from tests.engine.toy_world import TOY, ToyConfig, toy_spec
from tests.runs.factories import empty_run, recorded
from tests.runs.replays.plain_frames import FRAME, read


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> ReplayReader:
    layout: RunLayout = empty_run(tmp_path_factory.mktemp("runs"))
    return open_replay(layout, recorded(layout, bot="prudent_hauler", seed=3, max_steps=12).replay_id)


@pytest.mark.parametrize(("suffix", "kind"), [(".gif", "GIF"), (".webp", "WEBP"), (".GIF", "GIF")])
def test_a_replay_becomes_an_animated_picture(suffix: str, kind: str, replay: ReplayReader, tmp_path: Path) -> None:
    target, drawn = tmp_path / f"picture{suffix}", []

    count = export_replay(replay, target, ExportOptions(stop=6), progress=lambda: drawn.append(1))

    with Image.open(target) as picture:
        assert picture.format == kind
        assert getattr(picture, "n_frames", 1) == count == len(drawn) == 6
        assert picture.size == (984, 542)
    assert list(tmp_path.iterdir()) == [target]


def test_frames_follow_one_another_and_the_last_one_stays(replay: ReplayReader, tmp_path: Path) -> None:
    export_replay(replay, tmp_path / "picture.gif", ExportOptions(frames_per_second=5.0, stride=4))

    durations, pages = [], []
    with Image.open(tmp_path / "picture.gif") as picture:
        for index in range(getattr(picture, "n_frames", 1)):
            picture.seek(index)
            durations.append(picture.info["duration"])
            pages.append(picture.convert("RGB").tobytes())
    assert durations == [200, 200, 200, 2200]  # frames 0, 4, 8 and the last
    assert len(set(pages)) == 4


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (ExportOptions(), [0, 1, 2, 3, 4]),
        (ExportOptions(stride=2), [0, 2, 4]),
        (ExportOptions(stride=3), [0, 3, 4]),
        (ExportOptions(start=1, stop=4, stride=9), [1, 3]),
    ],
)
def test_the_last_frame_is_always_shown(options: ExportOptions, shown: list[int]) -> None:
    assert options.shown(5) == shown


def test_a_stride_keeps_long_replays_short() -> None:
    assert [stride_for(count, 300) for count in (1, 300, 301, 3000)] == [1, 1, 2, 10]


def test_what_cannot_be_shown_is_refused(replay: ReplayReader, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"end it in \.gif or \.webp"):
        export_replay(replay, tmp_path / "picture.mp4", ExportOptions())
    with pytest.raises(ConfigError, match=r"frames 12\.\.11 are not part"):
        export_replay(replay, tmp_path / "picture.gif", ExportOptions(start=12))
    with pytest.raises(ConfigError, match="stride is 0"):
        ExportOptions(stride=0)
    with pytest.raises(ConfigError, match="frames per second is 0"):
        ExportOptions(frames_per_second=0.0)


def test_a_world_without_pictures_says_so(
    replay: ReplayReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    blind = replace(load_world("prospector"), draw=None)
    monkeypatch.setattr(venue, "load_world", lambda _: blind)

    with pytest.raises(ConfigError, match="'prospector' draws no pictures"):
        export_replay(replay, tmp_path / "picture.gif", ExportOptions())


def test_captions_name_decisions_rewards_and_events() -> None:
    world = load_world("prospector")
    spec = world.describe(world.config_type())

    plain = caption(spec, read({**FRAME, "action": 8}), 90)
    strange = caption(spec, read({**FRAME, "action": 1000, "events": []}), 90)
    seats = caption(
        toy_spec(ToyConfig()),
        read({**FRAME, "action": [[1, 0], None], "reward": [0.5, None], "events": ["moved"]}),
        3,
    )

    assert plain == "1 / 90   WIDE_SCAN   reward -0.250   travel"
    assert strange == "1 / 90   1000   reward -0.250   "
    assert seats == "1 / 3   one + plus | -   reward +0.500 | -   moved"
    assert TOY.draw is None
