"""Many small choices out of one draw: hypothesis spends most of an example's time on single draws."""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle

from hypothesis import strategies as st


class Dice:
    """Choices read off drawn bytes, one after the other; bytes that are 0 choose the first and simplest of all."""

    def __init__(self, drawn):
        self._bytes = cycle(drawn)

    def below(self, count):
        """Return an integer from 0 to ``count - 1``, each as likely."""
        rolled, reach = 0, 1
        while reach < 64 * count:
            rolled, reach = rolled * 256 + next(self._bytes), reach * 256
        return rolled % count

    def between(self, least, most):
        """Return an integer between two, ends included."""
        return least + self.below(most - least + 1)

    def ratio(self, bound, most_parts):
        """Return a fraction of at most so many parts between ``-bound`` and ``bound``, ends included."""
        parts = self.between(1, most_parts)
        return Fraction(self.between(-bound * parts, bound * parts), parts)

    def flag(self):
        """Return true or false."""
        return next(self._bytes) % 2 == 1

    def one_of(self, options):
        """Return one of the options."""
        return options[self.below(len(options))]

    def many_of(self, options, count):
        """Return that many options, repeated at will."""
        return [self.one_of(options) for _ in range(count)]

    def some_of(self, options):
        """Return a part of the options, in their order: none, some or all."""
        return [one for one in options if self.flag()]

    def shuffled(self, items):
        """Return the items in any order."""
        order = list(items)
        for place in range(len(order) - 1):
            other = place + self.below(len(order) - place)
            order[place], order[other] = order[other], order[place]
        return order


DICE = st.binary(min_size=192, max_size=192).map(Dice)
