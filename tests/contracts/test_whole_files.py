"""What is no plain file is written to, and never replaced by one."""

import os
import threading
from pathlib import Path

import pytest

from diorama.contracts.errors import StorageError
from diorama.storage.atomic_files import replace_file


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    listener = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    listener.start()

    replace_file(pipe, b"report")

    listener.join(timeout=10)
    assert heard == [b"report"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_terminal_is_written_to_and_stays_one(tmp_path: Path) -> None:
    controller, terminal = os.openpty()
    shown_on = Path(os.ttyname(terminal))
    link = tmp_path / "link"
    link.symlink_to(shown_on)

    replace_file(shown_on, b"by name ")
    replace_file(link, b"by link")

    assert shown_on.is_char_device()
    assert link.is_symlink()
    # A terminal hands over what has reached it so far, which need not be all of it.
    assert os.read(controller, len(b"by name ")) == b"by name "
    assert os.read(controller, len(b"by link")) == b"by link"


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"cannot be written \(Is a directory\)"):
        replace_file(tmp_path, b"")
