"""Bad input as a message: what was refused and what to do, never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from apps.text import t
from lab.errors import LabError


def show(error: Exception) -> None:
    """The error's own sentences, in a box; they are English in every language of the lab."""
    st.error(f"**{t('error-title')}**\n\n{error}", icon=":material/error:")


@contextmanager
def shown(*kinds: type[Exception]) -> Iterator[None]:
    """Show a LabError, or an error of the given kinds, in place and end what stands inside the `with`.

    The simulations refuse input with ValueError: `with shown(ValueError):` around a computation on what a
    reader typed. Anything else is a mistake in the lab and goes on to Streamlit.
    """
    refusals: tuple[type[Exception], ...] = (LabError, *kinds)
    try:
        yield
    except refusals as error:
        show(error)
