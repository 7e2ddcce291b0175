"""Pictures written with the standard library are read back by others as they were."""

from __future__ import annotations

import io

import pytest

from assay import InputError
from assay.perception.png import png

np = pytest.importorskip("numpy")


def test_a_picture_is_read_back_as_it_was():
    image = pytest.importorskip("PIL.Image")
    frame = np.random.default_rng(0).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    assert (np.asarray(image.open(io.BytesIO(png(frame)))) == frame).all()


def test_only_pictures_in_colour():
    with pytest.raises(InputError, match=r"height x width x 3 bytes, not \(5, 7\)"):
        png(np.zeros((5, 7), np.uint8))
    with pytest.raises(InputError, match="float"):
        png(np.zeros((5, 7, 3)))
