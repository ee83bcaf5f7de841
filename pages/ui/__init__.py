"""Session state, inputs, outputs and wording; the only room that touches st.session_state."""
