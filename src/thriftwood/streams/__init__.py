"""Streams of cases: trees that learn as cases arrive, and what they cost meanwhile.

Words
-----
stream
    Cases in the order they arrive, without an end.
prequential
    Each case is answered first and learnt from afterwards, so every case is a test and a lesson.
window
    The latest cases, which alone are kept.
drift
    What is to be learnt changes as the stream goes by; its *concept* is what holds at a time.
refit
    Learning again from the cases that are kept.
"""

from thriftwood.streams.evaluating import evaluate_stream
from thriftwood.streams.generators import Agrawal, Hyperplane, Led, Rbf, Sea, Stream, Waveform, make_stream
from thriftwood.streams.history import StreamHistory
from thriftwood.streams.hoeffding import HoeffdingTreeClassifier
from thriftwood.streams.incremental import IncrementalTreeClassifier
from thriftwood.streams.streaming_tree import StreamingTree

__all__ = [
    "Agrawal",
    "HoeffdingTreeClassifier",
    "Hyperplane",
    "IncrementalTreeClassifier",
    "Led",
    "Rbf",
    "Sea",
    "Stream",
    "StreamHistory",
    "StreamingTree",
    "Waveform",
    "evaluate_stream",
    "make_stream",
]
