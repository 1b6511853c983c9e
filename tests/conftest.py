"""Settings for the whole suite."""

from hypothesis import settings

# Times vary with whatever else the machine does; a slow example is no failure.
settings.register_profile("thriftwood", deadline=None)
settings.load_profile("thriftwood")
