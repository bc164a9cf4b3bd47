"""PQ-trees: all orders of some things in which each of many sets stays together.

A leaf is a thing. The children of a P node may be permuted in any way, those of a Q node (three or more) may only be
reversed as a whole. The leaves read from left to right, over all permitted rearrangements, are the orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weightlab._result import Frozen


class Node(Frozen):
    """A leaf (no children), a P node or a Q node; ``things`` has a bit set for each leaf below."""

    things: int
    fixed: bool = False
    """Whether the children's order is fixed up to reversal (a Q node)."""
    children: tuple[Node, ...] = ()


class PQTree(Frozen):
    """The orders of things 0 to ``size - 1`` that keep some sets together."""

    size: int
    root: Node

    def keeping(self, together: int) -> PQTree | None:
        """Return the tree of those orders that also keep a set (as bits) together, or None if there are none.

        Notes
        -----
        O(size) comparisons of bit sets. Only nodes that hold a part of the set, but not the whole node, change.

        References
        ----------
        Booth and Lueker, "Testing for the consecutive ones property", J. Comput. System Sci. 13 (1976). Here the
        tree is rebuilt along one path, which is simpler and costs a factor of the size.
        """
        path: list[tuple[Node, int]] = []
        node = self.root
        # Down to the lowest node with the whole set below it (the pertinent root of Booth and Lueker): above it all
        # orders keep the set together anyway.
        while (inside := _child_with(node, together)) is not None:
            path.append((node, inside))
            node = node.children[inside]
        changed = _kept_together(node, together)
        if changed is None:
            return None
        for parent, place in reversed(path):
            children = (*parent.children[:place], changed, *parent.children[place + 1 :])
            changed = Node(things=parent.things, fixed=parent.fixed, children=children)
        return PQTree(size=self.size, root=changed)

    @property
    def first(self) -> list[int]:
        """One of the orders: the leaves from left to right."""
        order, stack = [], [self.root]
        while stack:
            node = stack.pop()
            stack.extend(reversed(node.children))
            if not node.children:
                order.append(node.things.bit_length() - 1)
        return order


def pq_tree(size: int, sets: Iterable[int] = ()) -> PQTree | None:
    """Return the tree of all orders that keep each set together, or None if there are none.

    Parameters
    ----------
    size : int
        How many things there are, at least one.
    sets : iterable of int
        Each a set of things as bits.

    Examples
    --------
    >>> tree = pq_tree(4, [0b0011, 0b0110])
    >>> tree.first
    [3, 0, 1, 2]
    >>> pq_tree(3, [0b011, 0b110, 0b101]) is None
    True
    """
    leaves = [Node(things=1 << thing) for thing in range(size)]
    tree: PQTree | None = PQTree(size=size, root=_free(leaves))
    for together in sets:
        tree = tree and tree.keeping(together)
    return tree


def _child_with(node: Node, together: int) -> int | None:
    """Return which child holds the whole set, if one does."""
    for place, child in enumerate(node.children):
        if child.things & together:
            return place if child.things & together == together else None
    return None


def _kept_together(node: Node, together: int) -> Node | None:
    """Return the node rebuilt so that the set stays together, when no child of it holds the whole set."""
    if not node.children or node.things & together in (0, node.things):
        return node
    return _fixed_together(node, together) if node.fixed else _free_together(node, together)


def _free_together(node: Node, together: int) -> Node | None:
    empty, full, partial = _sorted_out(node.children, together)
    # An interval has two ends, and every child that is cut by the set needs one of them.
    if len(partial) > 2:
        return None
    # The children inside become one: they may be permuted among themselves, but nothing may come between them.
    whole = [_free(full)] if full else []
    if not partial:
        return _free([*empty, *whole])
    ends = [_lined_up(child, together) for child in partial]
    if any(end is None for end in ends):
        return None
    before, after = ends[0] or [], (ends[1] or [])[::-1] if len(ends) == 2 else []
    return _free([*empty, _fixed([*before, *whole, *after])])


def _fixed_together(node: Node, together: int) -> Node | None:
    # Along the fixed order: children outside, at most one cut, children inside, at most one cut, children outside.
    children = node.children
    touched = [place for place, child in enumerate(children) if child.things & together]
    first, last = touched[0], touched[-1]  # two children, as none holds the whole set
    # The first one turns its inside to the right, where the set goes on, the last one to the left.
    before, after = (_lined_up(children[place], together) for place in (first, last))
    between = children[first + 1 : last]
    if before is None or after is None or any(child.things & ~together for child in between):
        return None
    return _fixed([*children[:first], *before, *between, *after[::-1], *children[last + 1 :]])


def _lined_up(node: Node, together: int) -> list[Node] | None:
    """Return the parts of a node in a row, those outside the set first and those inside last, if that can be."""
    if not node.things & ~together:
        return [node]
    outside: list[Node] = []
    inside: list[Node] = []
    # The chain of cut children is unrolled: on each level at most one is cut, in the middle between outside and inside.
    current: Node | None = node
    while current is not None:
        empty, full, partial = _sorted_out(current.children, together)
        line, turned = [*empty, *partial, *full], [*full, *partial, *empty]
        children = list(current.children)
        if len(partial) > 1 or (current.fixed and children not in (line, turned)):
            return None
        if not current.fixed:
            empty, full = ([_free(some)] if some else [] for some in (empty, full))
        elif children != line:  # a Q node may be reversed
            empty, full = empty[::-1], full[::-1]
        outside += empty
        inside += full[::-1]
        current = partial[0] if partial else None
    return outside + inside[::-1]


def _sorted_out(children: Sequence[Node], together: int) -> tuple[list[Node], list[Node], list[Node]]:
    """Return the children outside the set, inside it, and partly inside."""
    empty = [child for child in children if not child.things & together]
    full = [child for child in children if child.things & together == child.things]
    partial = [child for child in children if child.things & together not in (0, child.things)]
    return empty, full, partial


def _free(children: Sequence[Node]) -> Node:
    return children[0] if len(children) == 1 else Node(things=_all_of(children), children=tuple(children))


def _fixed(children: Sequence[Node]) -> Node:
    # Two children may be swapped either way: that is a P node, and keeping it one leaves Q nodes three or more.
    return Node(things=_all_of(children), fixed=len(children) > 2, children=tuple(children))


def _all_of(children: Sequence[Node]) -> int:
    return sum(child.things for child in children)
