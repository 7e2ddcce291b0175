"""Pictures with words below them, side by side and one after the other; drawn with Pillow.

Every function takes PNG files and returns one file, the same for the same input. `ImportError` says that
Pillow is not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw, ImageFont

SMALLEST, LARGEST = 240, 360
"""Pixels of the longer side: smaller pictures are enlarged by whole numbers, larger ones reduced."""
NARROWEST = 320
"""Pixels in which a caption can be read."""
EDGE, BAND, FONT, LINES = 10, 5, 13, 6
PAPER, INK = (255, 255, 255), (34, 38, 42)
BANDS = {"asked": (90, 96, 103), "ran": (43, 97, 57), "refused": (176, 42, 26)}
COLOURS = 64

Frame = tuple[bytes, str, str]
"""A picture, what kind of moment it shows, and its caption."""


def reduced(picture: bytes) -> bytes:
    """The picture at a size for reading, in a few colours."""
    return _png(_coloured(_sized(picture)))


def animation(frames: Sequence[Frame]) -> bytes:
    """A GIF that shows each frame for as long as its caption takes to read, again and again."""
    images = _captioned(frames)
    palette = _coloured(_stacked(images))  # one for all, so that only what changes is stored
    drawn = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    out = BytesIO()
    drawn[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=drawn[1:],
        duration=[1200 + 25 * len(caption) for _, _, caption in frames],
        loop=0,
        optimize=True,
    )
    return out.getvalue()


def side_by_side(columns: Sequence[Sequence[Frame]]) -> bytes:
    """A PNG with a column for each sequence of frames, all of one length."""
    images = iter(_captioned([frame for column in columns for frame in column]))
    rows = [[next(images) for _ in column] for column in columns]
    width, height = rows[0][0].size
    sheet = Image.new("RGB", (len(rows) * (width + EDGE) - EDGE, len(rows[0]) * height), PAPER)
    for across, column in enumerate(rows):
        for down, image in enumerate(column):
            sheet.paste(image, (across * (width + EDGE), down * height))
    return _png(_coloured(sheet))


def _captioned(frames: Sequence[Frame]) -> list[Any]:
    """The frames as images of one size."""
    font = _font()
    pictures = [_sized(picture) for picture, _, _ in frames]
    width = max(NARROWEST, *(p.width for p in pictures))
    height = max(p.height for p in pictures)
    texts = [_wrapped(caption, font, width - 2 * EDGE) for _, _, caption in frames]
    line = FONT + 5
    strip = BAND + 2 * EDGE + line * max(map(len, texts))
    drawn = []
    for picture, (_, kind, _), lines in zip(pictures, frames, texts, strict=True):
        image = Image.new("RGB", (width, height + strip), PAPER)
        image.paste(picture, ((width - picture.width) // 2, (height - picture.height) // 2))
        pen = ImageDraw.Draw(image)
        pen.rectangle((0, height, width, height + BAND - 1), fill=BANDS[kind])
        for number, text in enumerate(lines):
            pen.text((EDGE, height + BAND + EDGE + number * line), text, fill=INK, font=font)
        drawn.append(image)
    return drawn


def _sized(picture: bytes) -> Any:
    image = Image.open(BytesIO(picture)).convert("RGB")
    longer = max(image.size)
    if longer > LARGEST:
        size = tuple(max(1, round(side * LARGEST / longer)) for side in image.size)
        return image.resize(size, Image.Resampling.LANCZOS)
    times = -(-SMALLEST // longer)
    return image.resize((image.width * times, image.height * times), Image.Resampling.NEAREST)


def _stacked(images: Sequence[Any]) -> Any:
    width, height = images[0].size
    tower = Image.new("RGB", (width, height * len(images)))
    for number, image in enumerate(images):
        tower.paste(image, (0, number * height))
    return tower


def _coloured(image: Any) -> Any:
    """Few colours, but those of small things too."""
    return image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def _wrapped(text: str, font: Any, width: int) -> list[str]:
    """The text in lines that fit; what is left after the last one is left out."""
    if not isinstance(font, ImageFont.FreeTypeFont):
        text = text.encode("latin-1", "replace").decode("latin-1")  # all that the simple font has
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) > LINES:
        lines[LINES - 1 :] = [f"{lines[LINES - 1]} ..."]
    return lines


def _font() -> Any:
    """Pillow's own font; before 10.1 it had none of this size."""
    try:
        return ImageFont.load_default(FONT)
    except TypeError:
        try:
            return ImageFont.truetype("DejaVuSans.ttf", FONT)
        except OSError:
            return ImageFont.load_default()


def _png(image: Any) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
