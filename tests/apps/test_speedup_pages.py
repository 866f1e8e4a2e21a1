"""The pages of speedups without a browser: dials, views, a loss with its reason, filters, a recording."""

from __future__ import annotations

import pytest

from tests.apps import measure_records
from tests.apps.opening import facts, open_page, told


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = measure_records.measured()
    monkeypatch.setattr("apps.measured.recorded", lambda: measured)


@pytest.fixture
def no_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.measured.recorded", lambda: None)


@pytest.mark.usefixtures("no_recording")
def test_dials_without_a_recording() -> None:
    at = open_page("speedup", dial="machine")
    assert not at.exception
    assert any("No measurement has been recorded" in info.value for info in at.info)
    assert any("python -m lab measure --out" in code.value for code in at.code)
    assert "2.80×" in facts(at)


def test_a_loss_is_told_with_its_reason() -> None:
    at = open_page("speedup", alpha="0.02")
    assert "Here speculation loses" in told(at)
    assert "Corollary 3.9" in told(at)
    at = open_page("speedup", dial="roofline", batch="256", gamma="3")
    assert "The reason is verification" in told(at)
    assert "0.71×" in facts(at)


def test_a_device_sets_the_roofline() -> None:
    at = open_page("speedup", dial="roofline")
    at.selectbox(key="speedup-device-seen").select("cpu").run()
    assert not at.exception
    assert at.number_input(key="speedup-bandwidth").value == 20
    assert at.session_state["speedup-bytes"] == "4"
    assert any("15" in caption.value and "dense pass" in caption.value for caption in at.caption)  # rows


@pytest.mark.parametrize("process", ["independent", "position", "streaks"])
def test_simulated_rounds(process: str) -> None:
    at = open_page("speedup", show="simulation", process=process, rounds="2000")
    assert not at.exception
    assert at.slider(key="speedup-rounds").value == 2000
    assert any("±" in html.value for html in at.html)


def test_plain_decoding_can_be_simulated_too() -> None:
    at = open_page("speedup", show="simulation", gamma="0")
    assert not at.exception


def test_lenience_is_labelled_approximate() -> None:
    at = open_page("speedup", show="lenience")
    assert "Approximate" in at.warning[0].value
    assert list(at.dataframe[0].value["lenience l"]) == [1.0, 0.5, 0.3, 0.1]


def test_operations_and_reads() -> None:
    at = open_page("speedup", show="price", gamma="4", size="0.05")
    assert "1.55" in told(at)  # operations factor
    assert "36" in told(at)  # per cent of the weight reads


@pytest.mark.usefixtures("recording")
def test_picking_measured_runs_sets_the_dials() -> None:
    at = open_page("speedup")
    at.selectbox(key="speedup-runs-seen").select("stories · story · T=0").run()
    assert not at.exception
    assert at.slider(key="speedup-alpha").value == 0.62
    assert at.slider(key="speedup-c").value == 0.06
    assert at.session_state["speedup-dial"] == "machine"
    assert 'class="origin recorded"' in "".join(html.value for html in at.html)


@pytest.mark.usefixtures("recording")
def test_this_machines_table_is_filtered() -> None:
    at = open_page("paper-results", **{"own-draft": "bigram"})
    assert not at.exception
    assert "4" in next(m.value for m in at.markdown if "Mean distance of the prediction" in m.value)
    frames = [frame.value for frame in at.dataframe if "with v" in frame.value.columns]
    assert set(frames[0]["draft"]) == {"bigram"}


@pytest.mark.usefixtures("no_recording")
def test_the_papers_tables_are_filtered() -> None:
    at = open_page("paper-results", draft="T5-large", temperature="1")
    assert not at.exception
    assert len(at.dataframe[0].value) == 2
    assert any("No measurement has been recorded" in info.value for info in at.info)
    at = open_page("paper-results", task="dialog")
    assert any("Nothing of this table" in info.value for info in at.info)
