"""Turns a replay into an animated picture, drawn by its world."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diorama.contracts.errors import ConfigError
from diorama.engine.venue import Venue
from diorama.runs.replays.captions import caption
from diorama.runs.replays.reader import ReplayReader
from diorama.runs.replays.recording import Progress
from diorama.runs.replays.verify import replay_venue
from diorama.storage.atomic_files import replace_file

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS: Final = {".gif": "GIF", ".webp": "WEBP"}
_CAPTION_HEIGHT: Final = 22
_CAPTION_SIZE: Final = 12
_CAPTION_PAPER: Final = (8, 11, 24)
_CAPTION_INK: Final = (190, 200, 226)
_LAST_FRAME_SECONDS: Final = 2.0
_FREQUENT_COLORS: Final = 160
_RARE_COLORS: Final = 96  # together what a GIF can hold
_COLOR_SAMPLES: Final = 8
_SETTINGS: Final[dict[str, dict[str, int]]] = {"GIF": {}, "WEBP": {"quality": 80, "method": 2}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """How a replay is shown.

    Attributes:
        start: The first frame.
        stop: The frame after the last; None for all.
        stride: Every so manieth frame is shown; the last one always is.
        frames_per_second: Pace of the pictures.
    """

    start: int = 0
    stop: int | None = None
    stride: int = 1
    frames_per_second: float = 10.0

    def __post_init__(self) -> None:
        """Refuse what shows nothing."""
        if self.stride < 1:
            raise ConfigError(f"stride is {self.stride}; use 1 or more")
        if not 0.0 < self.frames_per_second <= 50.0:
            raise ConfigError(f"frames per second is {self.frames_per_second}; use more than 0 and at most 50")

    def shown(self, frame_count: int) -> list[int]:
        """Return the frames that are shown of a replay.

        Raises:
            ConfigError: There are none.
        """
        stop = frame_count if self.stop is None else self.stop
        if not 0 <= self.start < stop <= frame_count:
            raise ConfigError(
                f"frames {self.start}..{stop - 1} are not part of this replay; it has 0..{frame_count - 1}"
            )
        frames = list(range(self.start, stop, self.stride))
        return frames if frames[-1] == stop - 1 else [*frames, stop - 1]


def stride_for(frame_count: int, most: int) -> int:
    """Return the smallest stride that shows about `most` frames at most."""
    return max(1, -(-frame_count // most))


def check_target(path: Path) -> str:
    """Return Pillow's name of the format of a file.

    Raises:
        ConfigError: It is not one we write.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigError(f"{path.name!r} is no animated picture; end it in {' or '.join(FORMATS)}")
    return FORMATS[path.suffix.lower()]


def export_replay(
    reader: ReplayReader, path: Path, options: ExportOptions, *, progress: Progress = lambda: None
) -> int:
    """Write a replay as an animated GIF or WebP and return the number of pictures in it.

    Args:
        reader: The replay.
        path: Ends in `.gif` or `.webp`.
        options: Which frames, how fast.
        progress: Told about every picture.

    Raises:
        ConfigError: The world draws no pictures, or a value makes no sense.
        StorageError: The disk refuses.
    """
    kind, indices = check_target(path), options.shown(reader.frame_count)
    venue = replay_venue(reader.sidecar)
    frame_ms = 1000.0 / options.frames_per_second
    durations = [round(frame_ms)] * (len(indices) - 1) + [round(frame_ms + 1000.0 * _LAST_FRAME_SECONDS)]
    pictures = _pictures(reader, venue, indices, progress)
    file = BytesIO()
    if kind == "GIF":
        colors = _common_colors(list(_pictures(reader, venue, _spread(indices), lambda: None)))
        pictures = (_indexed(picture, colors) for picture in pictures)
    next(pictures).save(
        file, kind, save_all=True, append_images=pictures, duration=durations, loop=0, **_SETTINGS[kind]
    )
    replace_file(path, file.getvalue())
    return len(indices)


def _pictures(reader: ReplayReader, venue: Venue, indices: list[int], progress: Progress) -> "Iterator[Image]":
    draw = venue.world.draw
    if draw is None:
        raise ConfigError(f"{venue.world.id!r} draws no pictures")
    wanted = set(indices)
    for frame in reader.frames(indices[0], indices[-1] - indices[0] + 1):
        if frame.frame_index in wanted:
            words = caption(venue.spec, frame, reader.frame_count)
            yield _captioned(draw(frame.render_state, frame.events), words)
            progress()


def _captioned(picture: "Image", words: str) -> "Image":
    from PIL import Image, ImageDraw, ImageFont

    sheet = Image.new("RGB", (picture.width, picture.height + _CAPTION_HEIGHT), _CAPTION_PAPER)
    sheet.paste(picture, (0, 0))
    place = _CAPTION_SIZE, picture.height + _CAPTION_HEIGHT // 2
    font = ImageFont.load_default(_CAPTION_SIZE)
    ImageDraw.Draw(sheet).text(place, words, fill=_CAPTION_INK, font=font, anchor="lm")
    return sheet


def _spread(indices: list[int]) -> list[int]:
    """Return a few of the frames, evenly spread."""
    return indices[:: max(1, len(indices) // _COLOR_SAMPLES)]


def _common_colors(pictures: "list[Image]") -> "Image":
    """Return one palette for all pictures, so that what does not move does not flicker."""
    from PIL import Image

    width, height = pictures[0].size
    mosaic = Image.new("RGB", (width, height * len(pictures)))
    for row, picture in enumerate(pictures):
        mosaic.paste(picture, (0, row * height))
    # The first kind follows what fills the pictures, such as gradients, the second what is rare, such as small marks.
    methods = ((Image.Quantize.MEDIANCUT, _FREQUENT_COLORS), (Image.Quantize.MAXCOVERAGE, _RARE_COLORS))
    chosen = [mosaic.quantize(count, method).getpalette() or [] for method, count in methods]
    colors = Image.new("P", (1, 1))
    colors.putpalette([channel for part in chosen for channel in part])
    return colors


def _indexed(picture: "Image", colors: "Image") -> "Image":
    from PIL import Image

    return picture.quantize(palette=colors, dither=Image.Dither.NONE)
