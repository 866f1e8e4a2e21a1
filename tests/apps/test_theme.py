"""The theme reads well: contrast by WCAG 2 (4.5:1 for text, 3:1 for marks), in light and in dark."""

import tomllib
from typing import Any

import pytest

from apps.registry import APPS
from apps.widgets.figure import AGREE, FLIP, FLIP_MARKER

CONFIG = tomllib.loads((APPS.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> dict[str, Any]:
    return CONFIG["theme"][request.param]


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


def test_text_and_links_are_readable_on_every_surface(theme: dict[str, Any]) -> None:
    surfaces = [
        theme["backgroundColor"],
        theme["secondaryBackgroundColor"],
        theme["sidebar"]["backgroundColor"],
    ]
    for surface in surfaces:
        assert contrast(theme["textColor"], surface) >= 7
        assert contrast(theme["linkColor"], surface) >= 4.5


def test_the_run_button_is_readable(theme: dict[str, Any]) -> None:
    assert contrast("#FFFFFF", theme["primaryColor"]) >= 4.5


def test_agree_and_flip_are_the_first_two_colours_and_can_be_seen(theme: dict[str, Any]) -> None:
    assert theme["chartCategoricalColors"][:2] == [AGREE, FLIP]
    assert contrast(AGREE, theme["backgroundColor"]) >= 3
    outline = FLIP_MARKER["line"]["color"]
    assert max(contrast(FLIP, theme["backgroundColor"]), contrast(outline, theme["backgroundColor"])) >= 3


def test_the_lab_talks_to_this_machine_only() -> None:
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["client"]["showErrorDetails"] == "type"
    assert CONFIG["server"]["maxUploadSize"] <= 5
