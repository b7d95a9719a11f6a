import pickle
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import MissingExtra
from diorama.worlds.morphogenesis.contracts.errors import ConfigError, DatasetUnavailable
from diorama.worlds.morphogenesis.data import cifar
from diorama.worlds.morphogenesis.data.augmentation import crop_flip
from diorama.worlds.morphogenesis.data.digits import load_digits
from diorama.worlds.morphogenesis.data.loading import load_data
from diorama.worlds.morphogenesis.data.minibatches import minibatch_rows
from diorama.worlds.morphogenesis.data.shapes import make_shapes
from diorama.worlds.morphogenesis.data.tasks import task_named
from diorama.worlds.morphogenesis.data.tokens import END_TOKEN, REPEAT_TOKEN, make_tokens
from diorama.worlds.morphogenesis.streams import generator, stream_key


def test_digits_are_split_and_ordered_as_agreed() -> None:
    data = load_digits()

    assert data.train_inputs.shape == (1437, 1, 8, 8)
    assert data.val_inputs.shape == (360, 1, 8, 8)
    assert data.train_targets[:12].tolist() == [8, 8, 0, 9, 9, 6, 2, 8, 5, 3, 8, 0]
    assert data.val_targets[:12].tolist() == [2, 9, 1, 9, 1, 4, 3, 7, 7, 9, 1, 5]
    assert np.bincount(data.val_targets).tolist() == [33, 38, 28, 34, 44, 38, 29, 37, 34, 45]
    assert data.train_inputs.dtype == np.float32
    assert float(data.train_inputs.mean()) == pytest.approx(0.0, abs=0.01)
    assert len(data.first_validation(20).val_targets) == 20


def test_shapes_come_out_of_their_key() -> None:
    images, labels = make_shapes(4096, 11)
    _, val_labels = make_shapes(1024, 12)

    assert labels[:12].tolist() == [1, 1, 7, 4, 5, 6, 7, 0, 4, 1, 4, 9]
    assert val_labels[:12].tolist() == [6, 2, 9, 9, 0, 1, 1, 1, 5, 3, 4, 2]
    assert images[0, 0, 0, :4] == pytest.approx([0.30565, 0.67068, 1.12641, 1.60548], abs=1e-5)
    assert images.dtype == np.float32


@pytest.mark.parametrize("label", range(10))
def test_every_kind_of_shape_has_two_colors_without_noise(label: int) -> None:
    images, labels = make_shapes(100, 5, noise=0.0)

    for image in images[labels == label]:
        assert len(np.unique(image.reshape(3, -1), axis=1).T) == 2


def test_a_token_sequence_says_each_segment_twice() -> None:
    sequences = make_tokens(200, 21)

    assert sequences.shape == (200, 65)
    assert (make_tokens(3, 21) == sequences[:3]).all()
    for sequence in sequences.tolist():
        first = sequence.index(REPEAT_TOKEN)
        assert 4 <= first <= 12
        assert sequence[first + 1 : 2 * first + 1] == sequence[:first]
        assert sequence[2 * first + 1] == END_TOKEN


def _write_cifar(folder: Path, name: str, records: int) -> tuple[np.ndarray, np.ndarray]:
    draws = generator(len(name))
    labels = draws.integers(0, 10, records, dtype=np.uint8)
    images = draws.integers(0, 256, (records, 3, 32, 32), dtype=np.uint8)
    np.concatenate([labels[:, None], images.reshape(records, -1)], axis=1).tofile(folder / name)
    return images, labels


def test_a_cifar_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    images, labels = _write_cifar(tmp_path, "some.bin", 7)

    read_images, read_labels = cifar.read_records(tmp_path / "some.bin", records=7)

    assert (read_images == images).all()
    assert (read_labels == labels).all()
    scaled = cifar.normalize(read_images)
    assert scaled[3, 1, 5, 6] == pytest.approx((images[3, 1, 5, 6] / 255 - 0.4822) / 0.2435, rel=1e-4)


def test_cifar_files_that_are_missing_short_or_mislabeled_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetUnavailable, match="cifar-10-batches-bin"):
        cifar.load_cifar10(tmp_path)
    with pytest.raises(DatasetUnavailable, match="cannot be read: File name too long"):
        cifar.load_cifar10(tmp_path / ("a" * 300))
    folder = tmp_path / cifar.FOLDER
    folder.mkdir()
    with pytest.raises(DatasetUnavailable, match=r"data_batch_1\.bin"):
        cifar.load_cifar10(tmp_path)
    _write_cifar(folder, "data_batch_1.bin", 3)
    with pytest.raises(DatasetUnavailable, match="9219 bytes"):
        cifar.load_cifar10(tmp_path)
    np.full(cifar.RECORD_BYTES, 10, np.uint8).tofile(folder / "odd.bin")
    with pytest.raises(DatasetUnavailable, match="label 10"):
        cifar.read_records(folder / "odd.bin", records=1)


def test_the_pickled_form_of_cifar_is_never_read(tmp_path: Path) -> None:
    (tmp_path / cifar.PICKLED_FOLDER).mkdir()

    with pytest.raises(DatasetUnavailable, match="binary version"):
        cifar.load_cifar10(tmp_path)
    with pytest.raises(DatasetUnavailable, match="cifar_baseline"):
        load_data(task_named("cifar"))


class Trap:
    """Leaves a mark where it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


def test_a_pickled_data_set_runs_nothing(tmp_path: Path) -> None:
    folder, mark = tmp_path / cifar.PICKLED_FOLDER, tmp_path / "it ran"
    folder.mkdir()
    for name in ("data_batch_1", "test_batch", "batches.meta"):
        (folder / name).write_bytes(pickle.dumps({b"data": Trap(mark), b"labels": [1]}))

    for root in (tmp_path, folder):
        with pytest.raises(DatasetUnavailable, match="binary version"):
            cifar.load_cifar10(root)
    # The same bytes under the names of the binary form are no records either.
    binary = tmp_path / cifar.FOLDER
    binary.mkdir()
    (binary / cifar.TRAIN_FILES[0]).write_bytes((folder / "data_batch_1").read_bytes())
    with pytest.raises(DatasetUnavailable, match=r"data_batch_1\.bin has \d+ bytes"):
        cifar.load_cifar10(tmp_path)
    assert not mark.exists()


def test_a_data_set_in_the_real_layout_is_read_whole(tmp_path: Path) -> None:
    folder = tmp_path / cifar.FOLDER
    folder.mkdir()
    written = [_write_cifar(folder, name, 8) for name in (*cifar.TRAIN_FILES, cifar.TEST_FILE)]
    images, labels = (np.concatenate(parts) for parts in zip(*written[:-1], strict=True))

    for root in (tmp_path, folder):
        data = cifar.load_cifar10(root, records=8)
        assert data.train_inputs.shape == (40, 3, 32, 32)
        assert (data.train_inputs == cifar.normalize(images)).all()
        assert (data.train_targets == labels).all()
        assert (data.val_inputs == cifar.normalize(written[-1][0])).all()
        assert (data.val_targets == written[-1][1]).all()
    with pytest.raises(DatasetUnavailable, match="10000 records are 30730000 bytes"):
        cifar.load_cifar10(tmp_path)


def test_augmentation_shifts_and_mirrors_in_the_order_of_its_draws() -> None:
    images = generator(1).standard_normal((16, 3, 32, 32)).astype(np.float32)
    draws = generator(9)
    tops, lefts, flips = draws.integers(0, 9, 16), draws.integers(0, 9, 16), draws.random(16) < 0.5

    shifted = crop_flip(images, generator(9))

    black = (-cifar.MEAN / cifar.STD)[:, None, None]
    for index in range(16):
        padded = np.broadcast_to(black, (3, 40, 40)).copy()
        padded[:, 4:36, 4:36] = images[index]
        window = padded[:, tops[index] : tops[index] + 32, lefts[index] : lefts[index] + 32]
        assert (shifted[index] == (window[:, :, ::-1] if flips[index] else window)).all()


def test_minibatches_are_slices_of_one_permutation_without_the_rest() -> None:
    rows = minibatch_rows(1437, 64, generator(3))

    assert len(rows) == 22
    assert (np.concatenate(rows) == generator(3).permutation(1437)[: 22 * 64]).all()
    assert len(minibatch_rows(1437, 64, generator(3), max_batches=5)) == 5
    with pytest.raises(ConfigError, match="batch_size"):
        minibatch_rows(10, 11, generator(3))


def test_streams_have_keys_of_their_own() -> None:
    assert stream_key(42, "host_init", 0, 0) == int.from_bytes(sha256(b"42|host_init|0|0").digest()[:8], "little")
    assert len({stream_key(42, "data", 0, epoch) for epoch in range(50)}) == 50


def test_digits_without_their_package_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diorama.worlds.morphogenesis.data.digits.find_spec", lambda name: None)

    with pytest.raises(MissingExtra, match=r"digits needs the extra 'morphogenesis': pip install"):
        load_digits()
