import gzip
import hashlib
import struct
from pathlib import Path

import numpy as np
import pytest

from coterie.datasets import mnist
from coterie.datasets._files import DataFile
from coterie.datasets.mnist import FILES, fetch_mnist

PARTS = {"train": ([[[0, 255, 51]], [[1, 2, 3]]], [7, 2]), "test": ([[[255, 0, 0]]], [9])}


def idx(values: list) -> bytes:
    array = np.array(values, dtype=np.uint8)
    header = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}i", *array.shape)
    return gzip.compress(header + array.tobytes())


@pytest.fixture
def digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two training images of one row and three columns, and one test image."""
    files = {}
    for part, arrays in PARTS.items():
        files[part] = []
        for name, values in zip(("images", "labels"), arrays, strict=True):
            contents = idx(values)
            (tmp_path / f"{part}-{name}.gz").write_bytes(contents)
            checksum = hashlib.sha256(contents).hexdigest()
            files[part].append(DataFile(f"{part}-{name}.gz", (checksum,), "this test"))
    monkeypatch.setenv("COTERIE_DATA", str(tmp_path))
    monkeypatch.setattr(mnist, "FILES", files)


def test_pixels_are_columns_between_zero_and_one(digits):
    train = fetch_mnist()
    assert train.data.dtype == np.float32
    np.testing.assert_allclose(train.data, [[0, 1, 0.2], [1 / 255, 2 / 255, 3 / 255]], rtol=1e-6)
    assert train.target.tolist() == [7, 2]
    assert train.feature_names == ["0_0", "0_1", "0_2"]
    assert train.image_shape == (1, 3)
    assert train.groups is None


def test_all_is_train_then_test(digits):
    assert fetch_mnist(subset="test").target.tolist() == [9]
    whole = fetch_mnist(subset="all")
    assert whole.target.tolist() == [7, 2, 9]
    assert whole.data[2].tolist() == [1, 0, 0]


def test_a_wrong_subset_is_named():
    with pytest.raises(ValueError, match=r"subset must be one of .*; got 'valid'"):
        fetch_mnist(subset="valid")


@pytest.mark.parametrize(("subset", "n_images"), [("train", 60000), ("test", 10000)])
def test_the_published_digits(published, subset, n_images):
    for file in FILES[subset]:
        published(file.name)
    bunch = fetch_mnist(subset=subset)
    assert bunch.data.shape == (n_images, 784)
    assert (bunch.data.min(), bunch.data.max()) == (0, 1)
    assert set(bunch.target) == set(range(10))
