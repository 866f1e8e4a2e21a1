"""An experiment's parameters, declared once: widgets bound to the address, so that a link is an experiment.

    CONTROLS = Controls("sum", Number("terms", 8, 2, 64), Choice("format", ("bf16", "fp32")))
    terms, format = CONTROLS.row("terms", "format")

A parameter's key is `<page>-<name>`: it stands in the address (`/sum?sum-terms=16`), and it is the id of the
label; `.help` is its help, and `<page>-<name>-<option>` the label of a choice's option (an option without one
is a technical name and shown as it is). Pages never share a key, so Streamlit keeps each page's experiment
while the reader is elsewhere and puts it back into the address on return.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from apps.text import has_text, t


class Parameter(ABC):
    """One number, text or choice that defines an experiment."""

    name: str
    default: Any

    @abstractmethod
    def draw(self, key: str) -> Any:
        """Draw the widget under this key and return its value."""

    def value(self, key: str) -> Any:
        """The value in force; the default where the widget is not drawn yet."""
        return st.session_state.get(key, self.default)


def _label(key: str) -> dict[str, Any]:
    return {"label": t(key), "help": t(f"{key}.help") if has_text(f"{key}.help") else None}


@dataclass(frozen=True)
class Number(Parameter):
    """An integer or a float (as the default is) between two bounds, on a slider or in a field."""

    name: str
    default: float
    low: float
    high: float
    step: float = 1
    look: Literal["slider", "field"] = "slider"
    format: str | None = None
    """How the widget writes its value, printf-like; None: Streamlit's way, a float with two decimals."""

    def draw(self, key: str) -> Any:
        widget: Callable[..., Any] = st.slider if self.look == "slider" else st.number_input
        number = type(self.default)
        return widget(
            **_label(key),
            min_value=number(self.low),
            max_value=number(self.high),
            value=self.default,
            step=number(self.step),
            format=self.format,
            key=key,
            bind="query-params",
        )


@dataclass(frozen=True)
class Toggle(Parameter):
    """A switch that is on or off."""

    name: str
    default: bool = False

    def draw(self, key: str) -> bool:
        return st.toggle(**_label(key), value=self.default, key=key, bind="query-params")


@dataclass(frozen=True)
class Text(Parameter):
    """A line or a paragraph that the reader types, at most `limit` characters."""

    name: str
    default: str = ""
    limit: int = 2000
    look: Literal["line", "paragraph"] = "line"

    def draw(self, key: str) -> str:
        widget: Callable[..., Any] = st.text_input if self.look == "line" else st.text_area
        return str(
            widget(**_label(key), value=self.default, max_chars=self.limit, key=key, bind="query-params")
        )


@dataclass(frozen=True)
class Held(Parameter):
    """A text of the address that the page sets, by a click or a drag; the reader sees no field for it."""

    name: str
    default: str = ""

    def draw(self, key: str) -> str:
        with st.container(key=f"address-{key}"):
            return str(st.text_input(key, value=self.default, key=key, bind="query-params"))


_TOO_LONG = "…"  # stands in the address for a text that does not fit there


@dataclass(frozen=True)
class LongText(Parameter):
    """A paragraph of any length that the reader types or pastes.

    A field with a limit drops a longer paste without a word. This one takes it, so that the page can say
    what is wrong with it; up to `limit` characters stand in the address.
    """

    name: str
    default: str = ""
    limit: int = 8_000

    def value(self, key: str) -> str:
        held = str(st.session_state.get(key, self.default))
        return str(st.session_state.get(f"{key}-seen", held)) if held == _TOO_LONG else held

    def draw(self, key: str) -> str:
        held, seen = Held(self.name, self.default).draw(key), f"{key}-seen"
        if held != _TOO_LONG:
            st.session_state[seen] = held

        def keep() -> None:
            typed = st.session_state[seen]
            st.session_state[key] = typed if len(typed) <= self.limit else _TOO_LONG

        st.text_area(**_label(key), key=seen, on_change=keep)
        return self.value(key)


@dataclass(frozen=True)
class Choice(Parameter):
    """One of a few named options; the first is the default unless another is named.

    `texts`: whose messages name the options, where other than the parameter's own. `picked` is called
    after the reader has chosen: a preset sets other parameters there.
    """

    name: str
    options: tuple[str, ...]
    initial: str = ""
    look: Literal["select", "segments"] = "select"
    texts: str = ""
    picked: Callable[[], None] | None = None

    @property
    def default(self) -> str:
        return self.initial or self.options[0]

    def value(self, key: str) -> str:
        held = st.session_state.get(key)
        return held if held in self.options else self.default

    def draw(self, key: str) -> str:
        """Streamlit writes the *label* of a bound choice into the address, and labels change with the
        language. So the address is bound to an unseen text field that holds the option's own name, and the
        choice that the reader sees is a view of it.
        """
        Held(self.name, self.default).draw(key)
        seen = f"{key}-seen"
        st.session_state[seen] = self.value(key)

        def keep() -> None:
            # Segments can be unselected; the choice then stays what it was.
            st.session_state[key] = st.session_state[seen] or st.session_state[key]
            if self.picked:
                self.picked()

        labels = _option_labels(self.options, self.texts or key)
        widgets: dict[str, Callable[..., Any]] = {"select": st.selectbox, "segments": st.segmented_control}
        widgets[self.look](
            **_label(key), options=self.options, format_func=labels.__getitem__, key=seen, on_change=keep
        )
        return self.value(key)


@dataclass(frozen=True)
class Several(Parameter):
    """Any number of a few named options, as they were chosen; held in the address as `one,another`."""

    name: str
    options: tuple[str, ...]
    initial: tuple[str, ...] = ()
    texts: str = ""

    @property
    def default(self) -> str:
        return ",".join(self.initial)

    def value(self, key: str) -> tuple[str, ...]:
        held = str(st.session_state.get(key, self.default)).split(",")
        return tuple(dict.fromkeys(option for option in held if option in self.options))

    def draw(self, key: str) -> tuple[str, ...]:
        """As with a choice, the address holds names and the reader sees labels."""
        Held(self.name, self.default).draw(key)
        seen = f"{key}-seen"
        st.session_state[seen] = list(self.value(key))

        def keep() -> None:
            st.session_state[key] = ",".join(st.session_state[seen])

        labels = _option_labels(self.options, self.texts or key)
        st.multiselect(
            **_label(key), options=self.options, format_func=labels.__getitem__, key=seen, on_change=keep
        )
        return self.value(key)


def _option_labels(options: tuple[str, ...], owner: str) -> dict[str, str]:
    names = {option: f"{owner}-{option}" for option in options}
    return {option: t(name) if has_text(name) else option for option, name in names.items()}


@dataclass(frozen=True)
class Try:
    """A *Try this*: the message that says what to do, and the parameters that it sets."""

    message: str
    changes: dict[str, Any]


class Controls:
    """The parameters of one page, by name."""

    def __init__(self, page_id: str, *parameters: Parameter) -> None:
        self.page_id = page_id
        self.parameters = {parameter.name: parameter for parameter in parameters}

    def draw(self, name: str) -> Any:
        """Draw one parameter's widget here and return its value."""
        return self.parameters[name].draw(self._key(name))

    def row(self, *names: str) -> list[Any]:
        """Draw the named parameters side by side (one below the other on a phone); return their values."""
        values = []
        for column, name in zip(st.columns(len(names)), names, strict=True):
            with column:
                values.append(self.draw(name))
        return values

    @property
    def values(self) -> dict[str, Any]:
        """The values in force, by name."""
        return {name: parameter.value(self._key(name)) for name, parameter in self.parameters.items()}

    def keyed(self, **values: Any) -> dict[str, Any]:
        """The values under the keys that they have in the address; raises KeyError for an unknown name."""
        return {self._key(name): value for name, value in values.items()}

    def try_this(self, *ideas: Try) -> None:
        """Two or three experiments worth making; each sets the controls, and so the address, at a press."""
        st.subheader(t("try-this"), anchor=False)
        with st.container(key="try-this"):
            for idea in ideas:
                st.button(
                    t(idea.message),
                    key=f"try-{idea.message}",
                    type="tertiary",
                    icon=":material/arrow_forward:",
                    on_click=st.session_state.update,
                    args=(self.keyed(**idea.changes),),
                )

    def _key(self, name: str) -> str:
        if name not in self.parameters:
            raise KeyError(f"{self.page_id} has no parameter {name!r}.")
        return f"{self.page_id}-{name}"
