"""What a list to choose from says of each option: the words are what a browser sends back, so no two may be alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import TypeVar

T = TypeVar("T")


def apart(options: Iterable[T], words: Callable[[T], str]) -> Callable[[T], str]:
    """The words of each option, with a number behind those that an earlier one has already.

    >>> [apart("xyz", {"x": "a", "y": "b", "z": "a"}.__getitem__)(one) for one in "xyz"]
    ['a', 'b', 'a (2)']
    """
    own = {option: words(option) for option in options}
    taken, written = set(own.values()), dict[str, T]()
    for option, text in own.items():
        others = (f"{text} ({number})" for number in count(2))
        mine = next(other for other in others if other not in taken) if text in written else text
        taken.add(mine)
        written[mine] = option
    said = {option: mine for mine, option in written.items()}
    return lambda option: said[option] if option in said else words(option)
