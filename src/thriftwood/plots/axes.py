"""Axes to draw on, and the width of words."""

from __future__ import annotations

from typing import Any


def new_axes(width: float, height: float) -> Any:
    """Make a figure of a size in inches, and return its axes.

    Raises
    ------
    ImportError
        If matplotlib is not installed; it says how to get it.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "Drawing needs matplotlib, which is not installed. Get it by: pip install matplotlib"
        ) from None
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def check_drawn(given: Any, kind: type, what: str, made_by: str) -> None:
    """Raise unless what is to be drawn is of the kind that a function of the library returns.

    Examples
    --------
    >>> check_drawn(3, str, "A bill", "tw.bill(model, X, y)")
    Traceback (most recent call last):
    TypeError: A bill is drawn of what tw.bill returns. Got int. Make it first: tw.bill(model, X, y).
    """
    if not isinstance(given, kind):
        function = made_by.partition("(")[0]
        came = type(given).__name__
        raise TypeError(f"{what} is drawn of what {function} returns. Got {came}. Make it first: {made_by}.")


def size_in_points(ax: Any) -> tuple[float, float]:
    """Return the width and height of axes in points, as they are now."""
    box = ax.get_window_extent()
    scale = 72 / ax.figure.dpi
    return float(box.width * scale), float(box.height * scale)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text in points; a dollar sign is a dollar sign."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return 1.06 * float(width)  # letters are rounded to whole pixels when they are drawn small


def shortened(text: str, longest: int) -> str:
    """Cut a long text in the middle, where names differ least.

    Examples
    --------
    >>> shortened("mean texture", 20), shortened("number of times 90 days late", 16)
    ('mean texture', 'number o…ys late')
    """
    if len(text) <= longest:
        return text
    head = longest // 2
    return text[:head] + "…" + text[-(longest - head - 1) :]
