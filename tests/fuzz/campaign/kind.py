"""What a kind of cases is."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of cases."""

    group: str
    name: str
    run: Callable[[int], bool]
    """Tries the case of a seed; tells whether the library took it, and raises if it failed."""
    share: float
    """Of the time, beside others."""

    def prepare(self):
        """Make whatever is made once, and see that the kind works at all."""
        for seed in range(5):
            with suppress(Exception):  # found and told when its turn comes
                self.run(seed)


def check_words(refusal):
    """See that an error says something."""
    assert str(refusal).strip(), f"{type(refusal).__name__} without a word"
