"""Which table is this about, and what may be known about it without looking?"""

from __future__ import annotations

from pages import session
from pages.plan import entry
from pages.plan.table import file_choices, loading_panel, saved_declaration, table_facts, upload_form
from pages.widgets import outputs

entry.require_curator()
loading_panel.take_finished()
scenario = session.scenario()
if upload_form.anything_waits():
    outputs.finding("Declare what may be known about your table", "without looking at its rows")
else:
    outputs.finding(table_facts.title(scenario), table_facts.detail())

now, doors = upload_form.places()
brought = None
with doors, outputs.sentences_for_errors():
    brought = upload_form.doors()
with now, outputs.sentences_for_errors():
    if brought is None:
        loading_panel.show()
        table_facts.show(scenario)
    else:
        read = file_choices.previewed(brought)
        upload_form.first_rows(brought, read)
        saved_declaration.load(read)
        upload_form.use_button(brought, read)
