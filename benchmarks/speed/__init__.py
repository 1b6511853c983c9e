"""Our times beside those of other tree libraries, in one interleaved run.

`python -m benchmarks.speed` runs every case of `cases.py`, each in a process of its own (`worker.py`),
prints the table and writes it with the raw figures to `results/`.
"""
