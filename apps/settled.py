"""Keep what pages have loaded out of the garbage collector's way.

Streamlit collects garbage after every run, also that of a fragment behind a slider. With torch and Plotly
loaded the collector looks at hundreds of thousands of objects that never go, and the picture waits for it:
0.17 s on a two-core machine. Frozen objects are passed over. Reference counting still frees them.
"""

import gc

import streamlit as st


@st.cache_resource(show_spinner=False)
def settle(page: str) -> None:
    """Freeze what is loaded, after the first run of `page` in this process; later calls do nothing."""
    gc.collect()
    gc.freeze()
