"""Streams: accuracy, bill and speed of learners that learn as cases arrive, ours, river's and MOA's."""

from thriftwood.experiments.streams.experiment import Streams

__all__ = ["Streams"]
