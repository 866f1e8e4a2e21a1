"""The sidebar's machine: which model is decoded, on which device, with how many threads."""

import streamlit as st
import torch

from apps.text import t
from apps.widgets.controls import Choice
from lab.device import DEVICES
from lab.models import zoo
from lab.models.loaded import LoadedModel, load_model


def model() -> str:
    """The name of the chosen model, as `lab.models.zoo` knows it."""
    return str(st.session_state.get("model", zoo.DEFAULT_MODEL))


def device() -> str:
    """The chosen device; `auto` leaves the choice to the lab."""
    return str(st.session_state.get("device", DEVICES[0]))


def choose() -> None:
    """Draw the choices of model and device.

    A link may name a model that this machine does not have. It stays chosen, so that a run says what is
    missing instead of running another model.
    """
    asked = st.session_state.get("model") or st.query_params.get("model") or zoo.DEFAULT_MODEL
    models = dict.fromkeys((*zoo.MODELS, *_installed(), asked))
    Choice("model", tuple(models)).draw("model")
    Choice("device", DEVICES).draw("device")
    st.caption(t("machine-threads", threads=torch.get_num_threads()))


def loaded() -> LoadedModel:
    """The chosen model on the chosen device, loaded once a process. Raises LabError where it is not here."""
    return _loaded(model(), device())


@st.cache_resource(max_entries=2, show_spinner=False)
def _loaded(name: str, place: str) -> LoadedModel:
    # A link must not start a download: what is missing is fetched on the command line.
    return load_model(name, place, download=False)


@st.cache_data(ttl=60, show_spinner=False)
def _installed() -> list[str]:
    return zoo.installed()
