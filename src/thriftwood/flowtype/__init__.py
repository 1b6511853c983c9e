"""The type of a byte stream (text, picture, sound, ...) told from priced statistics of a few kilobytes.

Words
-----
chunk
    Up to 16 KB of a stream, drawn away from where a header would be.
statistic, feature
    22 statistics, each at four sizes (of the first 2, 4, 8 and 16 KB): 88 features such as ``entropy@2k``.
step
    Work that several statistics of one size need and that is done once, such as the spectrum of 8 KB. A step
    is a shared resource of the price list; a feature `needs` its steps.
price
    Microseconds of computing.
source
    Where a file of a corpus comes from. Learning and judging are split by source: pieces of one origin on
    both sides would make the judgement too kind.
"""

from thriftwood.flowtype.captures import (
    CaptureError,
    PacketCounts,
    SortedStream,
    capture_corpus,
    classify_capture,
    read_streams,
)
from thriftwood.flowtype.chunk import FEATURES, Chunk, features
from thriftwood.flowtype.classifying import Classification, StreamClassifier, classify
from thriftwood.flowtype.corpus import TYPES, Corpus, index_folders
from thriftwood.flowtype.debian_corpus import build_corpus
from thriftwood.flowtype.learning import FeatureTable, feature_table, named_columns, split_by_source
from thriftwood.flowtype.measuring import measure_sureness
from thriftwood.flowtype.pricing import price_list
from thriftwood.flowtype.sureness import UNKNOWN, Sureness

__all__ = [
    "FEATURES",
    "TYPES",
    "UNKNOWN",
    "CaptureError",
    "Chunk",
    "Classification",
    "Corpus",
    "FeatureTable",
    "PacketCounts",
    "SortedStream",
    "StreamClassifier",
    "Sureness",
    "build_corpus",
    "capture_corpus",
    "classify",
    "classify_capture",
    "feature_table",
    "features",
    "index_folders",
    "measure_sureness",
    "named_columns",
    "price_list",
    "read_streams",
    "split_by_source",
]
