"""Numbers as they are printed: exact ones, thresholds, money."""

from __future__ import annotations

_LONG, _EXACT = 1e6, 1e15  # thresholds that are printed with their whole part: floats count exactly so far


def number_text(number: float) -> str:
    """Print a number so that reading it gives the same number, without a needless ``.0``.

    Examples
    --------
    >>> [number_text(x) for x in (75.0, 0.1, -2.5, 1e300)]
    ['75', '0.1', '-2.5', '1e+300']
    """
    text = repr(float(number))
    return text.removesuffix(".0")


def cut_text(cut: float) -> str:
    """Print a threshold for a reader: seven digits, without the noise of binary fractions.

    The exact number decides, and files keep it; this is how it is shown. From a million up the whole part is
    printed in full, with one decimal.

    Examples
    --------
    >>> [cut_text(x) for x in (0.14200000000000002, -0.0037611760063045703, 75.0, 20240115.5, 3000000000.0)]
    ['0.142', '-0.003761176', '75', '20240115.5', '3000000000']
    """
    if not _LONG <= abs(cut) < _EXACT:
        return f"{cut + 0.0:.7g}"  # adding turns -0.0 into 0.0
    return f"{cut:.1f}".removesuffix(".0")


def amount_text(amount: float) -> str:
    """Print money or weight: ten digits, so that sums of prices do not end in ``...0000001``.

    Examples
    --------
    >>> [amount_text(x) for x in (7.0, 5.17 + 2.1, 1 / 3, 1234567.5)]
    ['7', '7.27', '0.3333333333', '1234567.5']
    """
    return f"{amount:.10g}"


def rounded_text(amount: float) -> str:
    """Print money in a column: four decimals, or four digits of what is small.

    Examples
    --------
    >>> [rounded_text(x) for x in (7.0, 5.17 + 2.1, 1 / 3, 1234567.5, 0.00123456)]
    ['7', '7.27', '0.3333', '1234567.5', '0.001235']
    """
    return amount_text(round(amount, 4)) if abs(amount) >= 0.1 else f"{amount:.4g}"
