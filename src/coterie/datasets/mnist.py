"""MNIST: handwritten digits, from the four original files."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from coterie.datasets._files import DataFile, find_data_file
from coterie.datasets._options import SUBSETS, check_choice


def _file(name: str, *sha256: str) -> DataFile:
    return DataFile(
        name=f"mnist/{name}",
        sha256=sha256,
        source="any mirror of LeCun's MNIST",
        url=f"https://storage.googleapis.com/cvdf-datasets/mnist/{name}",
    )


# Images, then labels. The contents are the same under both checksums: the first is that of the
# mirrors' files, the second that of the same bytes packed anew.
FILES = {
    "train": (
        _file(
            "train-images-idx3-ubyte.gz",
            "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            "0b367032e93c5d0cea0925647cfdb18614af8ee15f83e6f2fc2ad904a6835971",
        ),
        _file(
            "train-labels-idx1-ubyte.gz",
            "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            "1787548bbe0bff1ec2ecdc0ef292b02df999e2d1a6002d27500982c652b17203",
        ),
    ),
    "test": (
        _file(
            "t10k-images-idx3-ubyte.gz",
            "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            "1a1a05eab793c14bb050b398624a11b0ffd1a2953baed553b1b9bd079e2a20be",
        ),
        _file(
            "t10k-labels-idx1-ubyte.gz",
            "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
            "b91679a0acfe4ba0e50a2437a903084cba1f5f92592b016a25a7dfd00455798b",
        ),
    ),
}


def fetch_mnist(*, subset: str = "train") -> Bunch:
    """Load the handwritten digits as rows of pixels.

    Parameters
    ----------
    subset : {"train", "test", "all"}
        60,000 training images, 10,000 test images, or the ones after the others.

    Returns
    -------
    Bunch
        ``data``, shape (images, 784), float32 in [0, 1], an image's rows one after the other;
        ``target``, shape (images,), the digit; ``feature_names`` ("row_column", from 0),
        ``image_shape`` (28, 28) and ``groups``, None, for the true ones are not known.

    Examples
    --------
    >>> fetch_mnist(subset="test").data.shape  # doctest: +SKIP
    (10000, 784)
    """
    check_choice("subset", subset, SUBSETS)
    parts = FILES.values() if subset == "all" else [FILES[subset]]
    images = np.concatenate([_read_idx(find_data_file(images)) for images, _ in parts])
    digits = np.concatenate([_read_idx(find_data_file(labels)) for _, labels in parts])
    _, height, width = images.shape
    return Bunch(
        data=np.divide(images.reshape(len(images), -1), 255, dtype=np.float32),
        target=digits.astype(np.int64),
        feature_names=[f"{row}_{column}" for row in range(height) for column in range(width)],
        groups=None,
        image_shape=(height, width),
    )


def _read_idx(path: Path) -> NDArray[np.uint8]:
    """Read an array of bytes in the IDX format.

    Two zero bytes, the type (8 for unsigned bytes), the number of axes, each axis's length as a
    big-endian 32-bit integer, then the values.
    """
    with gzip.open(path, "rb") as stream:
        contents = stream.read()
    n_axes = contents[3]
    lengths = np.frombuffer(contents, dtype=">i4", count=n_axes, offset=4)
    return np.frombuffer(contents, dtype=np.uint8, offset=4 + 4 * n_axes).reshape(lengths)
