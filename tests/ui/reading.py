"""What is written on a page of the dashboard, as a person reads it."""

from __future__ import annotations

import re
from typing import TypeVar

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Button, NumberInput, Toggle, Widget, WidgetList

from dpengine.scenario import Scenario

One = TypeVar("One", bound=Widget)


def texts(page: AppTest) -> str:
    """Every title, paragraph, warning and error, without the backslashes that keep names harmless."""
    elements = (*page.title, *page.markdown, *page.warning, *page.error, *page.info)
    return "\n".join(element.value for element in elements).replace("\\", "")


def read_in(block: Block) -> str:
    """All that a person reads in a part of a page: headings, paragraphs, captions, labels, helps and choices."""
    said = (*block.title, *block.markdown, *block.caption, *block.warning, *block.error, *block.info, *block.success)
    asked = (*block.button, *block.number_input, *block.selectbox, *block.radio, *block.toggle, *block.checkbox)
    chosen = (*block.pills, *block.segmented_control, *block.select_slider, *block.slider, *block.expander)
    words = [str(element.value) for element in said]
    for element in (*asked, *chosen, *block.text_input, *block.text_area):
        options = getattr(element, "options", None) or ()
        words += [element.label, str(getattr(element, "help", "") or ""), *(str(one) for one in options)]
    return "\n".join(words).replace("\\", "")


def number_box(page: AppTest, label: str) -> NumberInput:
    """The first number box whose label begins so."""
    return next(box for box in page.number_input if box.label.startswith(label))


def moved(widgets: WidgetList[One], name: str) -> One:
    """The widget of this name, however often the page itself has moved it."""
    return next(one for one in widgets if re.fullmatch(rf"{name}(_\d+)?", one.key or ""))


def travelled(page: AppTest) -> Scenario:
    """The plan as the address holds it."""
    link = page.query_params["plan"]
    return Scenario.from_link(link if isinstance(link, str) else link[0])


def button(page: AppTest, name: str) -> Button:
    """The button of this name about the plan at hand: on other terms it is another one."""
    (found,) = (one for one in page.button if str(one.key).startswith(name))
    return found


def switch(page: AppTest, name: str) -> Toggle:
    """The switch of this name about the table or the file at hand: each has one of its own."""
    (found,) = (one for one in page.toggle if str(one.key).startswith(name))
    return found
