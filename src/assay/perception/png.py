"""An array of pixels as a PNG file, with the standard library alone."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from assay.errors import InputError


def png(frame: Any) -> bytes:
    """The PNG of an array of bytes: height x width x 3 colours."""
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype.itemsize != 1:
        raise InputError(f"a picture is height x width x 3 bytes, not {frame.shape} of {frame.dtype}")
    height, width, _ = frame.shape
    return encode(width, height, frame.tobytes())


def encode(width: int, height: int, pixels: bytes) -> bytes:
    """The PNG of pixels row by row, three bytes each: red, green, blue."""
    row = 3 * width
    lines = b"".join(b"\0" + pixels[at : at + row] for at in range(0, row * height, row))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
