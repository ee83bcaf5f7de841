"""The least that Streamlit can do: one dial, one title, one chart. The peer of dial_speed."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

epsilon = st.slider("Epsilon", 0.1, 10.0, 1.0, step=0.1, key="dial")
st.title(f"95% of answers fall within ±{3 / epsilon:.3f}")

errors = np.linspace(-10.0, 10.0, 200)
density = epsilon / 2 * np.exp(-epsilon * np.abs(errors))
st.plotly_chart(go.Figure(go.Scatter(x=errors, y=density, mode="lines")), theme=None, key="one_chart")
