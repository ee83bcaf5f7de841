"""Inputs, outputs, wording, and in `session` the only room that touches st.session_state."""
