"""What do you want to know, and how far can one person move each answer?"""

from __future__ import annotations

from pages import session
from pages.explore.queries import query_builder, query_list
from pages.plan import entry
from pages.widgets import outputs

entry.require_curator()
scenario = session.scenario()
outputs.finding(
    query_list.title(scenario),
    "By how much one person can change each answer (sensitivity), and why. No row is read on this page.",
)
query_builder.show(scenario)
query_list.show(scenario)
