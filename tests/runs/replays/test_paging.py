import gzip
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diorama.contracts.errors import ConfigError, DocumentError, StorageError, UnknownName
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.replays import reader as reading
from diorama.runs.replays.frames import Frame
from diorama.runs.replays.reader import ReplayReader, open_replay
from diorama.runs.replays.sidecar import MAX_MEMBER_FRAMES, MEMBER_FRAMES, Sidecar, read_sidecar
from diorama.runs.replays.writer import FrameWriter
from tests.refusals import refused
from tests.runs.full_disk import no_file_longer_than
from tests.storage.bombs import MIB, peak_below

ID = "replay-000000-00000000"


def frame(index: int) -> Frame:
    return Frame(
        schema_version=1,
        frame_index=index,
        t=index + 1,
        dt=1,
        action=index,
        reward=index / 8,
        terminated=False,
        truncated=False,
        render_state={"time": index + 1, "words": "x" * (index % 7)},
        events=[],
    )


def write(directory: Path, count: int) -> ReplayReader:
    layout = RunLayout(directory)
    writer = FrameWriter(layout.replays)
    for index in range(count):
        writer.add(frame(index))
    writer.finish(layout.replay(ID))
    sidecar = Sidecar(
        replay_id=ID,
        run_id="run",
        world="prospector",
        interface_version="prospector-v1",
        config={},
        config_hash="",
        seed=1,
        initial_render_state={},
        frame_count=count,
        actions_sha256=writer.actions_sha256,
        member_frames=MEMBER_FRAMES,
        member_offsets=writer.member_offsets,
    )
    replace_document(layout.replay_sidecar(ID), sidecar)
    return open_replay(layout, ID)


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> ReplayReader:
    return write(tmp_path_factory.mktemp("run"), 700)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(offset=st.integers(0, 800), limit=st.one_of(st.none(), st.integers(0, 800)))
def test_any_page_is_a_slice_of_the_whole(offset: int, limit: int | None, replay: ReplayReader) -> None:
    page = list(replay.frames(offset, limit))

    assert [item.frame_index for item in page] == list(range(700))[offset : None if limit is None else offset + limit]
    assert page == [frame(index) for index in range(700)][offset : None if limit is None else offset + limit]


@pytest.mark.parametrize("count", [1, 255, 256, 257, 512])
def test_every_length_comes_back(count: int, tmp_path: Path) -> None:
    replay = write(tmp_path, count)

    assert [item.frame_index for item in replay.frames()] == list(range(count))
    assert len(replay.sidecar.member_offsets) == -(-count // MEMBER_FRAMES)


def test_the_file_is_an_ordinary_gzip_to_any_tool(replay: ReplayReader) -> None:
    lines = gzip.decompress(replay.path.read_bytes()).splitlines()

    assert [json.loads(line)["frame_index"] for line in lines] == list(range(700))
    assert lines == list(replay.lines())


def test_a_page_deep_inside_reads_only_its_own_member(tmp_path: Path) -> None:
    replay = write(tmp_path, 700)
    offset = replay.sidecar.member_offsets[2]
    data = bytearray(replay.path.read_bytes())
    data[:offset] = b"\0" * offset  # nothing before the page can be unpacked any more
    replay.path.write_bytes(data)

    assert [item.frame_index for item in replay.frames(600, 3)] == [600, 601, 602]
    with pytest.raises(DocumentError, match="member 1: is no gzip"):
        list(replay.frames(511, 3))


def test_equal_frames_give_equal_bytes(replay: ReplayReader, tmp_path: Path) -> None:
    assert write(tmp_path, 700).path.read_bytes() == replay.path.read_bytes()


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        pytest.param(0, "member 0: is cut short", id="nothing"),
        pytest.param(100, "member 0: is cut short", id="a-part"),
        pytest.param(-5, "member 0: is cut short", id="without-its-end"),
    ],
)
def test_a_file_that_was_cut_short_is_refused(keep: int, message: str, tmp_path: Path) -> None:
    replay = write(tmp_path, 200)
    replay.path.write_bytes(replay.path.read_bytes()[:keep])

    with pytest.raises(DocumentError, match=message):
        list(replay.frames())


def test_frames_that_are_missing_or_misplaced_are_refused(tmp_path: Path) -> None:
    replay = write(tmp_path, 10)
    lines = [line + b"\n" for line in replay.lines()]

    replay.path.write_bytes(gzip.compress(b"".join(lines[:9])))
    with pytest.raises(DocumentError, match="holds 9 frames; it must hold 10"):
        list(replay.frames())
    replay.path.write_bytes(gzip.compress(b"".join([*lines[:8], lines[9], lines[8]])))
    with pytest.raises(DocumentError, match="frame 8: says that it is frame 9"):
        list(replay.frames())
    replay.path.write_bytes(gzip.compress(b"".join([*lines[:5], b'{"dt": 0}\n', *lines[6:]])))
    with pytest.raises(DocumentError, match="frame 5: Expected `int` >= 1"):
        list(replay.frames())


def test_a_bomb_is_refused_before_it_goes_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = write(tmp_path, 200)
    monkeypatch.setattr(reading, "MAX_MEMBER_BYTES", 5000)

    with pytest.raises(DocumentError, match="declares 34128 bytes; at most 5000 are unpacked"):
        list(replay.frames())


def test_ranges_that_make_no_sense_are_refused(replay: ReplayReader) -> None:
    with pytest.raises(ConfigError, match="must not be negative"):
        list(replay.frames(-1))
    with pytest.raises(ConfigError, match="must not be negative"):
        list(replay.frames(0, -1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"member_offsets": [0]}, "member_offsets must be 3 growing numbers", id="too-few"),
        pytest.param({"member_offsets": [0, 9, 9]}, "member_offsets must be 3 growing numbers", id="not-growing"),
        pytest.param({"frame_count": -1}, "frame_count", id="negative"),
        pytest.param({"replay_id": "another"}, "is about 'another'", id="another-id"),
        pytest.param({"policy": {"kind": "ghost"}}, "kind", id="player"),
    ],
)
def test_a_sidecar_that_contradicts_itself_is_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    write(tmp_path, 700)
    layout = RunLayout(tmp_path)
    path = layout.replay_sidecar(ID)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))

    with pytest.raises(DocumentError, match=message):
        open_replay(layout, ID)


def test_a_replay_that_does_not_exist_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="does not exist"):
        open_replay(RunLayout(tmp_path), ID)
    replay = write(tmp_path, 3)
    replay.path.unlink()
    with pytest.raises(UnknownName, match="does not exist"):
        list(replay.frames())


def test_an_abandoned_replay_leaves_nothing(tmp_path: Path) -> None:
    writer = FrameWriter(tmp_path)
    writer.add(frame(0))

    writer.abandon()

    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_and_nothing_gets_the_name_of_a_replay(tmp_path: Path) -> None:
    writer = FrameWriter(tmp_path)
    for index in range(200):
        writer.add(frame(index))

    with no_file_longer_than(200):
        with pytest.raises(StorageError, match="cannot be written"):
            writer.finish(tmp_path / "replay.jsonl.gz")
        writer.abandon()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("frames", [10, MAX_MEMBER_FRAMES], ids=["few", "many"])
def test_a_member_of_ends_of_lines_alone_is_not_taken_apart(frames: int, tmp_path: Path) -> None:
    replay = write(tmp_path, 10)
    sidecar = msgspec.structs.replace(replay.sidecar, frame_count=frames, member_frames=frames)
    replay.path.write_bytes(gzip.compress(b"\n" * (32 * MIB), 1))

    with peak_below(80 * MIB), refused(DocumentError, "replay_member_miscounted", frames=32 * MIB, expected=frames):
        ReplayReader(replay.path, sidecar).member(0)


@pytest.mark.parametrize("changes", [{"member_frames": MAX_MEMBER_FRAMES + 1}, {"frame_count": 1 << 40}])
def test_a_sidecar_of_more_frames_than_are_read_is_refused(changes: dict[str, int], tmp_path: Path) -> None:
    replay = write(tmp_path, 10)
    path = tmp_path / "x.meta.json"
    replace_document(path, msgspec.structs.replace(replay.sidecar, **changes))

    with refused(DocumentError, "json_invalid"):
        read_sidecar(path, replay.sidecar.replay_id)
