"""A second page whose parameter shares a name with the first."""

import streamlit as st

from apps.widgets import Controls, Number, title

title("demo-other")
CONTROLS = Controls("demo-other", Number("tokens", 5, 1, 8))
st.write(f"tokens={CONTROLS.draw('tokens')}")
