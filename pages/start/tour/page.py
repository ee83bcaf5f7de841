"""What is the shortest way through all of this?"""

from __future__ import annotations

import streamlit as st

from pages.lesson.check import ask
from pages.plan import entry
from pages.tour import bar, progress
from pages.tour.steps import CHECK, CHECK_KEY, PAGE, STEPS
from pages.widgets import outputs

entry.require_curator()
now = progress.on_tour()
if now is not None and now.number == len(STEPS):
    outputs.finding("One question to check yourself", "The tour ends here.")
    ask(CHECK, key=CHECK_KEY)
    st.page_link("pages/explore/data/page.py", label="Bring a table of your own →")
else:
    outputs.finding(
        f"From one dial to one released answer, in {len(STEPS)} short steps",
        "Each step is a real page. A bar below it says what to try and what to notice. You may leave and resume.",
    )
    bar.ways_in(PAGE, key="tour")
    tried = progress.tried()
    lines = (
        f"{number}. **{step.name}**{' ✓' if number in tried else ''}: {step.try_this} :gray[{step.notice}]"
        for number, step in enumerate(STEPS, 1)
    )
    st.markdown("\n".join(lines))
