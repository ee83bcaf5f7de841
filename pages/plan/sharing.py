"""The plan in other hands: as a link, as a file, and back from either; a bad one gets a sentence."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from dpengine.errors import ScenarioError
from dpengine.scenario import LONGEST_LINK, Scenario
from pages import session
from pages.access import visit
from pages.widgets.escaping import code, unmarked

KEY, FILE_KEY, LINK_KEY = "share", "load_plan", "paste_link"
CUT_BY_MAIL = 2000
"""Letters beyond which some programs cut an address."""
IN_IT = (
    "**In it:** the table's name, what you declared, your questions with the values that you typed (a person's name, "
    "too), the epsilons that you kept, budget and targets. **Not in it:** any row, any exact value, any answer."
)


def corner() -> None:
    """The place to share, above the page at its right; filled once it is opened, with what is true at that moment."""
    with st.container(key="share_corner", width="content"):
        opened = st.popover("Share", key=KEY, on_change=_forget_what_was_said)
    if opened.open:
        with opened:
            _what_came_of_it()
            _link()
            _file()
            _another_plan()


def _link() -> None:
    plan = session.plan_to_share()
    link = plan.to_link()
    if len(link) > LONGEST_LINK:
        st.markdown("**This plan is too long for a link.** Save it as a file.")
        return
    address = f"{_page_address()}?plan={link}"
    st.markdown("**Everybody who opens this link sees your plan**")
    st.code(address, language=None, wrap_lines=True, height="content" if len(address) < 600 else 200)
    st.caption(_about(address, plan))
    st.markdown(IN_IT)


def _page_address() -> str:
    """The page as the browser calls it; empty where there is no browser."""
    return str(st.context.url or "").split("?")[0].split("#")[0]


def _about(address: str, plan: Scenario) -> str:
    """How long the link is, what its table is recognized by, and where it does not work."""
    parts = [f"{len(address):,} characters."]
    if len(address) > CUT_BY_MAIL:
        parts.append("Some mail and chat programs cut a link as long as this: send the file.")
    if not plan.built_in:
        parts.append(
            f"Declarations **{plan.declarations.fingerprint}**: to use the link, bring the rows on the Data page; "
            "your declarations are filled in there."
        )
    if urlsplit(address).hostname in visit.LOOPBACK:
        parts.append("It begins with the name of this machine: on another one, paste it below.")
    return " ".join(parts)


def _file() -> None:
    st.download_button(
        "Save the plan as a file",
        session.plan_to_share().to_json(),
        file_name="plan.json",
        mime="application/json",
        key="save_plan",
        on_click="ignore",
    )


def _another_plan() -> None:
    """A box and an uploader for a plan that somebody sent."""
    st.text_input("Open a plan: paste its link", key=LINK_KEY, on_change=_take_link)
    st.file_uploader("or bring its file", type=["json"], key=FILE_KEY, on_change=_take_file)


def _what_came_of_it() -> None:
    """At the top, where it is seen on a phone."""
    said = session.remembered("share_said", None)
    if said:
        st.error(unmarked(str(said)))
    elif session.remembered("share_opened", None):
        plan = session.scenario()
        count = len(plan.queries)
        st.success(f"Opened: {count} question{'' if count == 1 else 's'} about {code(plan.table_name)}.")


def _take_link() -> None:
    typed = str(session.widget_held(LINK_KEY) or "").strip()
    if typed:
        _take(lambda: Scenario.from_link(link_in(typed)))


def _take_file() -> None:
    file = session.widget_held(FILE_KEY)
    if file is not None:
        text: str = file.getvalue().decode("utf-8", errors="replace")  # type: ignore[attr-defined]
        _take(lambda: Scenario.from_json(text))


def _take(read: Callable[[], Scenario]) -> None:
    _forget_what_was_said()
    try:
        session.open_shared(read())
    except ScenarioError as error:
        session.remember("share_said", f"{error} The plan before is still in use.")
    else:
        session.remember("share_opened", value=True)


def _forget_what_was_said() -> None:
    session.remember("share_said", None)
    session.remember("share_opened", None)


def link_in(typed: str) -> str:
    """The plan in a whole address, or the text itself where somebody pasted no more than that.

    >>> link_in("http://127.0.0.1:8501/tradeoff?tour=2&plan=2.AbC"), link_in("2.AbC")
    ('2.AbC', '2.AbC')
    """
    if "plan=" not in typed:
        return typed
    try:
        return parse_qs(urlsplit(typed).query).get("plan", [""])[-1]
    except ValueError:
        raise ScenarioError("This is not the address of a plan.") from None
