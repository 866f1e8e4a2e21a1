"""The table under a picture: the same numbers, readable and downloadable."""

import json

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from apps.text import has_text, t


def table(frame: pd.DataFrame, owner: str, name: str) -> None:
    """Show `frame` and offer it as CSV and JSONL under the file name `name`.

    A column is headed by the message `<owner>-column-<column>` where there is one; the files keep the
    columns' own names, so that they read the same in every language.
    """
    headings = {
        column: t(f"{owner}-column-{column}")
        for column in map(str, frame.columns)
        if has_text(f"{owner}-column-{column}")
    }
    shown = frame.rename(columns=headings)
    floats = shown.select_dtypes("float").columns
    digits = {column: st.column_config.NumberColumn(format="%.7g") for column in floats}
    st.dataframe(shown, hide_index=True, column_config=digits)
    with st.container(horizontal=True):
        st.download_button(
            t("download-csv"),
            frame.to_csv(index=False),
            f"{name}.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            t("download-jsonl"),
            jsonl(frame),
            f"{name}.jsonl",
            "application/jsonl",
            icon=":material/download:",
            on_click="ignore",
        )


def jsonl(frame: pd.DataFrame) -> str:
    """One JSON object a row; NaN becomes null."""
    records = json.loads(frame.to_json(orient="records"))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
