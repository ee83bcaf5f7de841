"""A page that was opened once, as often as it is needed: sessions that have come as far as another one."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from streamlit.runtime import state
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest, app_test, element_tree

_Kept = TypeVar("_Kept")


def twin(page: AppTest) -> AppTest:
    """A session of its own in the state of this one, with the page that it shows; neither sees what the other does.

    Containers are copied, and what stands in them is not: a page that holds more than values has no twin.
    """
    other = _shallow(page)
    other.__dict__.update({name: _copied(value) for name, value in page.__dict__.items()})
    other._session_state = SafeSessionState(_copied(page._session_state._state), lambda: None)
    other.session_state = app_test._AppTestSessionState(other._session_state)
    other._fragment_storage = _shallow(page._fragment_storage)
    other._fragment_storage.__dict__.update(
        {name: _copied(value) for name, value in page._fragment_storage.__dict__.items()}
    )
    other._tree = _replanted(page._tree)
    other._tree._runner = other
    return other


def _shallow(one: _Kept) -> _Kept:
    """The same object again, without asking it: elements look into their message for whatever they lack."""
    other = object.__new__(type(one))
    other.__dict__.update(one.__dict__)
    return other


def _copied(value: Any) -> Any:
    """Containers, and those of a session's state, all the way down."""
    if type(value) is dict:
        return {key: _copied(one) for key, one in value.items()}
    if type(value) in (list, set):
        return type(value)(map(_copied, value))
    if is_dataclass(value) and type(value).__module__.startswith(state.__name__):
        other = object.__new__(type(value))
        for one in fields(value):
            object.__setattr__(other, one.name, _copied(getattr(value, one.name)))
        return other
    return value


def _replanted(tree: element_tree.ElementTree) -> element_tree.ElementTree:
    """The same elements again, below a root of their own."""
    root = _shallow(tree)
    blocks: list[element_tree.Block] = [root]
    while blocks:
        block = blocks.pop()
        block.children = {place: _shallow(child) for place, child in block.children.items()}
        for child in block.children.values():
            child.root = root
            if isinstance(child, element_tree.Block):
                blocks.append(child)
    return root
