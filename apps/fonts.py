"""The Arabic and Persian font: from its package to the folder that Streamlit serves, once.

The browser then loads it like any file: when a page first shows a letter of its range, and from its own
cache after that. Latin fonts come with Streamlit.
"""

import logging
import os
import shutil
import tempfile
from pathlib import Path

import fontpkg  # type: ignore[import-untyped]

FAMILY = "Noto Sans Arabic"
FILE_NAME = "NotoSansArabic.ttf"  # the name in .streamlit/config.toml


def install(folder: Path) -> None:
    """Copy the font file into `folder`, unless it is there; a folder that refuses it only costs the font."""
    source, target = fontpkg.path(FAMILY), folder / FILE_NAME
    if target.exists() and target.stat().st_size == source.stat().st_size:
        return
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as copy, source.open("rb") as original:
            shutil.copyfileobj(original, copy)
        os.chmod(copy.name, 0o644)
        os.replace(copy.name, target)  # two sessions may start at once; each sees a whole file or none
    except OSError as error:
        logging.getLogger(__name__).warning("No %s: %s. The system's font stands in.", FAMILY, error)
