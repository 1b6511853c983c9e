"""Streams that are drawn: Agrawal, SEA, LED, waveform, hyperplane, RBF, with drift; `make_stream` by name."""

from thriftwood.streams.generators.agrawal import Agrawal
from thriftwood.streams.generators.making import STREAMS, make_stream
from thriftwood.streams.generators.moving import Hyperplane, Rbf
from thriftwood.streams.generators.simple import Led, Sea, Waveform
from thriftwood.streams.generators.stream import Stream

__all__ = ["STREAMS", "Agrawal", "Hyperplane", "Led", "Rbf", "Sea", "Stream", "Waveform", "make_stream"]
