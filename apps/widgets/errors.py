"""Bad input as a message: what was refused and what to do, never a traceback."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from apps.text import has_text, t
from apps.text.catalogue import LEFT_TO_RIGHT, POP
from lab.errors import LabError
from sims.errors import InputError


def show(error: Exception) -> None:
    """What was refused, in a box: in the reader's language where the error names its message.

    Other errors say it in their own sentences, which are English, left to right, everywhere.
    """
    if isinstance(error, InputError) and error.key and has_text(f"input-{error.key}"):
        values = {
            name: f"{value:,}" if isinstance(value, int) else literal(str(value))
            for name, value in error.values.items()
        }
        told = t(f"input-{error.key}", **values)
    else:
        told = f"**{t('error-title')}**\n\n{LEFT_TO_RIGHT}{error}{POP}"
    st.error(told, icon=":material/error:")


def literal(text: str) -> str:
    """What a reader typed, as it stands: none of it is read as Markdown, and no line is broken."""
    return re.sub(r"([\\`*_{}\[\]()#+!|<>~$:&-])", r"\\\1", " ".join(text.split()))


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
