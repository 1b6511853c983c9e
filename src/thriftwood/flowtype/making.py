"""Files of eight types made from one bundle of sources: pictures, sounds, texts and whatever else lies there.

Which source becomes which file depends on names alone, so the same packages give the same files.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import itertools
import tempfile
import wave
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from thriftwood.flowtype.chunk import CHUNK_BYTES
from thriftwood.flowtype.corpus import HEADER_BYTES
from thriftwood.flowtype.debian import require, run

MIN_BYTES = HEADER_BYTES + 3 * CHUNK_BYTES  # 53,248: three chunks that do not overlap
MOST_READ = 1_000_000
PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tga", ".webp"}
SOUNDS = {".ogg", ".wav", ".mp3", ".flac", ".opus", ".oga"}
CLIP_SECONDS, SKIP_SECONDS = 7, 10
RATES = ((44100, 2), (22050, 1), (44100, 1), (22050, 2), (32000, 2))
FRAME, FRAMES_PER_SECOND, SCENE_FRAMES, SCENES = (352, 288), 25, 50, 3
CIPHERS = (("-aes-256-cbc", 32, 16), ("-aes-128-ctr", 16, 16), ("-chacha20", 32, 16))


class Sources:
    """The files of a bundle by what can be made of them, each list shuffled by a hash of the names."""

    def __init__(self, folder: Path) -> None:
        files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
        files.sort(key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest())
        self.all = [path for path in files if path.stat().st_size > 0]
        self.pictures = [path for path in self.all if path.suffix.lower() in PICTURES]
        self.sounds = [path for path in self.all if path.suffix.lower() in SOUNDS]


def check_tools() -> None:
    """Say what is missing before anything is downloaded."""
    require("ffmpeg", "lame", "openssl")
    _pillow()


def make_files(sources: Path, into: Path, bundle: str, count: int) -> dict[str, int]:
    """Make `count` files of every type below ``into/TYPE/bundle``; return how many there are of each.

    Fewer than `count` where the sources do not suffice. Files that are there stay.
    """
    found = Sources(sources)
    made = {}
    for kind, maker in _MAKERS.items():
        folder = into / kind / bundle
        folder.mkdir(parents=True, exist_ok=True)
        if len(list(folder.iterdir())) < count:
            contents = maker(found, bundle)
            for number, content in zip(range(count), _large(contents), strict=False):
                (folder / f"{number:02d}.{kind.lower()}").write_bytes(content)
        made[kind] = min(count, len(list(folder.iterdir())))
    return made


def _large(contents: Iterator[bytes]) -> Iterator[bytes]:
    return (content for content in contents if len(content) >= MIN_BYTES)


# Pictures


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise ValueError(
            "Pictures are converted by Pillow, which is not installed: pip install pillow."
        ) from None
    return Image


def _opened(paths: list[Path], least: int) -> Iterator[Any]:
    Image = _pillow()
    for path in paths:
        try:
            with Image.open(path) as picture:
                if picture.width * picture.height < least or picture.width * picture.height > 40_000_000:
                    continue
                ready = picture.convert("RGBA").convert("RGB")  # a palette may have clear colours
        except (OSError, SyntaxError, ValueError):  # what Pillow says of a file that is no picture after all
            continue
        ready.thumbnail((1024, 768))
        yield ready


def _bitmaps(sources: Sources, bundle: str) -> Iterator[bytes]:
    for picture in _opened(sources.pictures, MIN_BYTES // 3):
        yield _saved(picture, "BMP")


def _photographs(sources: Sources, bundle: str) -> Iterator[bytes]:
    qualities = itertools.cycle((90, 80, 95, 85))
    for picture in _opened(sources.pictures[::-1], 40_000):
        yield _saved(picture, "JPEG", quality=next(qualities))


def _saved(picture: Any, kind: str, **settings: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **settings)
    return file.getvalue()


# Sounds


def _clips(sounds: list[Path], first: int) -> Iterator[bytes]:
    """WAV files of some seconds: pieces of the sounds in turn, short sounds joined; rates from `first` on."""
    kinds = itertools.cycle(RATES[first:] + RATES[:first])
    rate, channels = next(kinds)
    joined = b""
    left, start = list(sounds), 0
    while left:
        going_on = []
        for path in left:
            piece = _decoded(path, start, rate, channels)
            if len(piece) >= 2 * channels * rate * CLIP_SECONDS * 0.9:
                going_on.append(path)  # there may be more of it
            joined += piece
            if len(joined) >= 2 * channels * rate * CLIP_SECONDS * 0.7:
                yield _wave(joined, rate, channels)
                rate, channels = next(kinds)
                joined = b""
        left, start = going_on, start + SKIP_SECONDS


def _decoded(path: Path, start: int, rate: int, channels: int) -> bytes:
    try:
        return run(
            "ffmpeg", "-v", "error", "-ss", str(start), "-t", str(CLIP_SECONDS), "-i", str(path),
            "-map", "0:a:0", "-f", "s16le", "-ar", str(rate), "-ac", str(channels), "-",
        )  # fmt: skip
    except ValueError:  # a sound this ffmpeg cannot read is no source
        return b""


def _wave(samples: bytes, rate: int, channels: int) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(samples)
    return file.getvalue()


def _recordings(sources: Sources, bundle: str) -> Iterator[bytes]:
    return _clips(sources.sounds, 0)


def _songs(sources: Sources, bundle: str) -> Iterator[bytes]:
    bitrates = itertools.cycle((128, 192, 96, 160))
    for clip in _clips(sources.sounds[::-1], 1):
        yield run("lame", "--quiet", "-b", str(next(bitrates)), "-", "-", given=clip)


def _films(sources: Sources, bundle: str) -> Iterator[bytes]:
    """Some pictures, the camera passing over each, with sound."""
    codecs = itertools.cycle((("mpeg2video", 1500), ("mpeg1video", 1150), ("mpeg2video", 3000)))
    large = _opened(sources.pictures[::-1], 250 * 250)
    for clip in _clips(sources.sounds[1::2] + sources.sounds[::2], 2):
        scenes = list(itertools.islice(large, SCENES))
        if len(scenes) < SCENES:
            return
        codec, bitrate = next(codecs)
        yield _film(b"".join(map(_scene, scenes)), clip, codec, bitrate)


def _scene(picture: Any) -> bytes:
    width, height = FRAME
    scale = max(1.3 * width / picture.width, 1.3 * height / picture.height)
    scaled = picture.resize((round(picture.width * scale), round(picture.height * scale)))
    right, down = scaled.width - width, scaled.height - height
    frames = []
    for number in range(SCENE_FRAMES):
        x, y = right * number // SCENE_FRAMES, down * number // SCENE_FRAMES
        frames.append(scaled.crop((x, y, x + width, y + height)).tobytes())
    return b"".join(frames)


def _film(frames: bytes, clip: bytes, codec: str, bitrate: int) -> bytes:
    with tempfile.TemporaryDirectory() as place:  # ffmpeg has one standard input, and the frames come by it
        sound = Path(place) / "sound.wav"
        sound.write_bytes(clip)
        return run(
            "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{FRAME[0]}x{FRAME[1]}",
            "-r", str(FRAMES_PER_SECOND), "-i", "-", "-i", str(sound), "-c:v", codec, "-b:v", f"{bitrate}k",
            "-c:a", "mp2", "-ar", "44100", "-b:a", "128k", "-shortest", "-threads", "1", "-f", "mpeg", "-",
            given=frames,
        )  # fmt: skip


# Texts, archives, secrets


def _texts(sources: Sources, bundle: str) -> Iterator[bytes]:
    for path in sources.all:
        if path.suffix.lower() in PICTURES | SOUNDS:
            continue
        content = _beginning(path)
        if len(content) >= MIN_BYTES and _is_text(content):
            yield content


def _beginning(path: Path) -> bytes:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return file.read(MOST_READ)
    except (OSError, EOFError):
        return b""


def _is_text(content: bytes) -> bool:
    control = sum(content[:20_000].count(bytes([code])) for code in {*range(32)} - {9, 10, 12, 13, 27})
    return control == 0


def _mixtures(sources: Sources) -> Iterator[list[Path]]:
    """Groups of files of all kinds, each of some hundred kilobytes together."""
    group: list[Path] = []
    size = 0
    for path in itertools.chain(sources.all, sources.all[1::2]):
        if path.stat().st_size > MOST_READ:
            continue
        group.append(path)
        size += path.stat().st_size
        if size >= 400_000:
            yield group
            group, size = [], 0


def _archives(sources: Sources, bundle: str) -> Iterator[bytes]:
    for group in _mixtures(sources):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, path in enumerate(group):
                name = zipfile.ZipInfo(
                    f"{number}/{path.name}"
                )  # two may have one name; no time of day is kept
                archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
        yield file.getvalue()


def _secrets(sources: Sources, bundle: str) -> Iterator[bytes]:
    for number, group in enumerate(_mixtures(sources)):
        cipher, key_bytes, start_bytes = CIPHERS[number % len(CIPHERS)]
        key = hashlib.sha512(f"{bundle} {number}".encode()).digest()
        plain = b"".join(path.read_bytes() for path in group)
        yield run(
            "openssl", "enc", cipher, "-K", key[:key_bytes].hex(), "-iv", key[32 : 32 + start_bytes].hex(),
            given=plain,
        )  # fmt: skip


_MAKERS: dict[str, Callable[[Sources, str], Iterator[bytes]]] = {
    "BMP": _bitmaps,
    "ENC": _secrets,
    "JPG": _photographs,
    "MP3": _songs,
    "MPG": _films,
    "TXT": _texts,
    "WAV": _recordings,
    "ZIP": _archives,
}
