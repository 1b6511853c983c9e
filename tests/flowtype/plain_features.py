"""The 22 statistics again, in plain numpy and in doubles, as the definitions read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIZES = {"2k": 2048, "4k": 4096, "8k": 8192, "16k": 16384}
BANDS = [(1, 65), (65, 129), (129, 257), (257, 513)]
FLOOR = 1e-3  # an amplitude below this is rounding


def plain_features(content: bytes) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, size in SIZES.items():
        if len(content) >= size:
            values = np.frombuffer(content[:size], np.uint8).astype(float)
            found |= {f"{statistic}@{name}": value for statistic, value in _statistics(values).items()}
    return found


def _statistics(x: NDArray[np.float64]) -> dict[str, float]:
    gaps = x - x.mean()
    spread = (gaps**2).sum()
    shares = np.unique(x, return_counts=True)[1] / len(x)
    found = {
        "mean": x.mean(),
        "variance": x.var(),
        "autocorrelation": (gaps[:-1] * gaps[1:]).sum() / spread if spread else 0.0,
        "entropy": -(shares * np.log2(shares)).sum(),
        "skewness": _standardised(x, 3),
        "kurtosis": _standardised(x, 4),
    }
    segments = x.reshape(-1, 1024)
    power = (np.abs(np.fft.rfft(segments - segments.mean(axis=1, keepdims=True))) ** 2).mean(axis=0) / 1024
    for number, (begin, end) in enumerate(BANDS, start=1):
        amplitude = np.sqrt(power[begin:end])
        heard = amplitude.mean() >= FLOOR
        found[f"band{number}.log_power"] = np.log10(max(power[begin:end].mean(), FLOOR**2))
        found[f"band{number}.variation"] = amplitude.var() / amplitude.mean() ** 2 if heard else 0.0
        found[f"band{number}.skewness"] = _standardised(amplitude, 3) if heard else 0.0
    pairs = bicoherence(x)
    found["bicoherence.mean"] = pairs.mean()
    found["bicoherence.variance"] = pairs.var()
    found["bicoherence.skewness"] = _standardised(pairs, 3)
    found["bicoherence.kurtosis"] = _standardised(pairs, 4)
    return found


def _standardised(x: NDArray[np.float64], power: int) -> float:
    deviation = x.std()
    return float((((x - x.mean()) / deviation) ** power).mean()) if deviation else 0.0


def bicoherence(x: NDArray[np.float64]) -> NDArray[np.float64]:
    segments = x.reshape(-1, 128)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(128) / 128)
    X = np.fft.rfft((segments - segments.mean(axis=1, keepdims=True)) * window)
    heard = (np.abs(X) ** 2).mean(axis=0) >= 1e-3
    found = []
    for low in range(1, 33):
        for k in range(low, 65 - low):
            product = X[:, k] * X[:, low]
            triple = abs((product * X[:, k + low].conj()).sum())
            most = np.sqrt((np.abs(product) ** 2).sum() * (np.abs(X[:, k + low]) ** 2).sum())
            found.append(triple / most if heard[k] and heard[low] and heard[k + low] else 0.0)
    return np.array(found)
