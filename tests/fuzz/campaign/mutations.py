"""Changes to what a file holds: to the object of a JSON file, and to text."""

import math

WHOLE = (
    *(0, 1, -1, 2, -2, 3, 7, 127, 128, 255, 256, 32767, 65535, 65536, 2**24, 2**31 - 1, -(2**31), 2**31),
    *(2**32, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64, 10**30, -(10**30)),
)
REAL = (
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    2.0,
    5e-324,
    1e-300,
    1e-9,
    1e9,
    1e300,
    -1e300,
    1.7976931348623157e308,
    math.inf,
)
WORDS = ("", "x", "nan", "1", "\u00e4", "\x00", "\ud800", "a" * 300, "Outlook", "age", "x0")
SETTLED = {"format", "version", "dtype", "regression", "width", "classes", "n_features", "payment", "kind"}
OTHERS = (None, True, False, [], {}, [[]], {"a": 1}, [1], [1.0], ["x"])


class FittingDigest(str):
    """A checksum that fits whatever was changed, as one that was computed again would."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


def with_fitting_digests(content):
    """Return the object of a model file with such checksums, wherever it has one."""
    if isinstance(content, dict):
        return {
            key: FittingDigest(value) if key == "sha256" else with_fitting_digests(value)
            for key, value in content.items()
        }
    return [with_fitting_digests(item) for item in content] if isinstance(content, list) else content


def mutated(content, rng, donor):
    """Return the object of a file with a few changes; what is not changed is shared with `content`.

    `donor` is another one, parts of which may be put in.
    """
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        if rng.random() < 0.05:
            content = _grafted(content, rng, donor)
        content = _edited(content, rng)
    return content


def _grafted(content, rng, donor):
    if not (isinstance(content, dict) and isinstance(donor, dict)):
        return donor
    keys = [key for key in content if key in donor and key != "sha256"]
    if not keys:
        return content
    key = rng.choice(keys)
    deeper = rng.random() < 0.6
    return {**content, key: _grafted(content[key], rng, donor[key]) if deeper else donor[key]}


def _edited(value, rng):
    """Change one place inside a value."""
    if isinstance(value, dict):
        keys = [key for key in value if key != "sha256"]
        if keys and rng.random() < 0.98:
            key = rng.choice(keys)
            if key in SETTLED and rng.random() < 0.9:  # what is refused at once teaches little
                key = rng.choice(keys)
            return {**value, key: _edited(value[key], rng)}
        return _edited_object(value, keys, rng)
    if isinstance(value, list):
        if value and rng.random() < 0.85:
            place = rng.randrange(len(value))
            own = rng.choice(value) if rng.random() < 0.3 else _edited(value[place], rng)
            return [*value[:place], own, *value[place + 1 :]]
        return _edited_list(value, rng)
    return _other(value, rng)


def _edited_object(value, keys, rng):
    change = rng.randrange(4)
    if not keys or change == 0:
        return {**value, rng.choice(("extra", "", "x0", "sha256")): rng.choice(OTHERS)}
    key = rng.choice(keys)
    if change == 1:
        return {other: item for other, item in value.items() if other != key}
    if change == 2:
        return {**value, key: value[rng.choice(keys)]}
    return {(f"{other}x" if other == key else other): item for other, item in value.items()}


def _edited_list(value, rng):
    if not value:
        return [_other(rng.choice((0, 0.0, "")), rng)]
    start, end = sorted((rng.randrange(len(value)), rng.randrange(len(value))))
    match rng.randrange(7):
        case 0:
            return value[:start] + value[start + 1 :]
        case 1:
            return value[: start + 1] + value[start:]
        case 2:
            return value[:end]
        case 3:
            return [*value, _other(value[-1], rng)]
        case 4:
            return [_other(value[0], rng)] * len(value)
        case 5:
            return value[:start] + value[start : end + 1][::-1] + value[end + 1 :]
    swapped = list(value)
    swapped[start], swapped[end] = value[end], value[start]
    return swapped


def _other(value, rng):
    """Give something in the place of a single value; mostly of its type, often near it."""
    if rng.random() < 0.06:
        return rng.choice(OTHERS)
    if isinstance(value, bool) or value is None:
        return rng.choice((True, False, None, 0, 1))
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2)) if rng.random() < 0.6 else rng.choice(WHOLE)
    if isinstance(value, float):
        return value * rng.choice((-1.0, 0.5, 2.0)) if rng.random() < 0.4 else rng.choice(REAL)
    return rng.choice(WORDS) if isinstance(value, str) else rng.choice(OTHERS)


NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "3",
    "1e308",
    "1e999",
    "-1e-320",
    "nan",
    "inf",
    "1_0",
    "0x10",
    "1,5",
    "9" * 40,
    "1e20",
)
PIECES = (
    *(
        "",
        " ",
        "\t",
        "\n",
        "\r",
        "\n\n",
        ",",
        ":",
        ";",
        "=",
        "#",
        "%",
        "x",
        '"',
        "'",
        "[",
        "]",
        "{",
        "}",
        "[[",
        "\\",
    ),
    *(
        "\x00",
        "\ufeff",
        "\u00e4",
        "\ud800",
        '"""',
        "errors",
        "tests",
        "[tests]\n",
        "price",
        "inf",
        "-",
        ".",
        "|",
    ),
    *NUMBERS,
)
NESTED = ("[" * 3000, "{a=" * 3000, "a." * 5000)


def mutated_text(text, rng):
    """Return a text with a few changes: to its words, its lines, its characters."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        match rng.randrange(8):
            case 0 | 1:
                words = text.split(" ")
                words[rng.randrange(len(words))] = rng.choice(PIECES)
                text = " ".join(words)
            case 2:
                lines = text.split("\n")
                one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                text = "\n".join(lines)
            case 3:
                lines = text.split("\n")
                place = rng.randrange(len(lines))
                lines[place : place + rng.randrange(2)] = [lines[rng.randrange(len(lines))]] * rng.randrange(
                    4
                )
                text = "\n".join(lines)
            case 4:
                place = rng.randrange(len(text) + 1)
                text = text[:place] + text[place + rng.randrange(6) :]
            case 5:
                text = _with_number(text, rng)
            case _:
                place = rng.randrange(len(text) + 1)
                piece = rng.choice(NESTED if rng.random() < 0.005 else PIECES)
                text = text[:place] + piece + text[place + rng.randrange(3) :]
    return text


def _with_number(text, rng):
    """Put another number in the place of one."""
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    if not digits:
        return text
    start = end = rng.choice(digits)
    while end < len(text) and text[end] in "0123456789.":
        end += 1
    return text[:start] + rng.choice(NUMBERS) + text[end:]
