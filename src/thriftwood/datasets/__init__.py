"""Data sets by name, and generators of artificial ones.

The walk of one name: ``load`` finds it (``builtin``, then a ``folder``, then ``openml``), its ``columns``
become a frame (``frames``), ``published`` adds the known prices, and the result is a ``Dataset``. A table of
the user's own comes from ``files``.
"""

from thriftwood.datasets.dataset import Dataset, DatasetInfo
from thriftwood.datasets.files import read_table
from thriftwood.datasets.generators import MIXED_VALUES, make_counts, make_dense, make_mixed, make_small
from thriftwood.datasets.load import list_datasets, load_dataset
from thriftwood.datasets.openml import DownloadError
from thriftwood.datasets.scans import Scan, scan
from thriftwood.datasets.synthetic import make_led, make_monks, make_waveform

__all__ = [
    "MIXED_VALUES",
    "Dataset",
    "DatasetInfo",
    "DownloadError",
    "Scan",
    "list_datasets",
    "load_dataset",
    "make_counts",
    "make_dense",
    "make_led",
    "make_mixed",
    "make_monks",
    "make_small",
    "make_waveform",
    "read_table",
    "scan",
]
