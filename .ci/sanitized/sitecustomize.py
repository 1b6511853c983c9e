"""Python that starts with this folder on its path loads the compiled module that $THRIFTWOOD_CORE names.

So do the processes it starts. Everything else comes from where it is installed.
"""

import os
import sys
from importlib.machinery import PathFinder


class NamedCore:
    """Finds `thriftwood._core` in the folder of $THRIFTWOOD_CORE, before the editable install does."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Return where the module is, or None: another module."""
        if name != "thriftwood._core":
            return None
        spec = PathFinder.find_spec(name, [os.environ["THRIFTWOOD_CORE"]])
        if spec is None:
            raise ImportError(f"No compiled module in THRIFTWOOD_CORE={os.environ['THRIFTWOOD_CORE']!r}.")
        return spec


sys.meta_path.insert(0, NamedCore)
