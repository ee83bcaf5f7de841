"""Where Streamlit does otherwise than a served dashboard needs; each fails a test when Streamlit changes."""
