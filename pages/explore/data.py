"""Which table is this about, and what may be known about it without looking?"""

from __future__ import annotations

import streamlit as st

from pages.ui import file_in_hand, outputs, saved_declaration, schema_form, session, table_facts, upload_form
from pages.ui.names import unmarked

scenario = session.scenario()
if file_in_hand.waiting() is None:
    outputs.finding(table_facts.title(scenario), table_facts.detail())
else:
    outputs.finding("Declare what may be known about your table", "without looking at its rows")

now, doors = upload_form.places()
with doors, outputs.sentences_for_errors():
    upload = upload_form.file_door()
    if upload is None:
        upload_form.practice_tables()
with now, outputs.sentences_for_errors():
    if upload is None:
        table_facts.show(scenario)
    else:
        read = upload_form.previewed(upload)
        upload_form.first_rows(read)
        saved_declaration.load(read)
        declared = schema_form.declaration(read, suggested_name=upload.suggested_name)
        pressed = st.button("Use this table", key="use_table", type="primary")
        if isinstance(declared, str):
            (st.error if pressed else st.info)(unmarked(declared))
        elif pressed:
            upload_form.take(upload, declared)
