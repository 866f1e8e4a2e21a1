from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.decode import prompt_set
from lab.decode.prompt_set import KINDS, Prompt, built_in, calibration_and_report, read_prompts
from lab.decode.prompts import NEIGHBOURS, PROMPTS
from lab.errors import LabError


def words(text: str) -> str:
    """The words alone: what is left of two texts that differ in case and punctuation only."""
    return " ".join(re.findall(r"\w+", text.lower()))


def kinds(prompts: tuple[Prompt, ...]) -> Counter[str]:
    return Counter(prompt.kind for prompt in prompts)


def test_there_are_32_of_each_kind() -> None:
    assert kinds(built_in()) == dict.fromkeys(KINDS, 32)


def test_no_text_comes_twice_here_or_in_the_first_experiment() -> None:
    texts = [words(text) for text in (*PROMPTS.values(), *NEIGHBOURS, *(p.text for p in built_in()))]
    assert len(set(texts)) == len(texts) == 128 + len(PROMPTS) + len(NEIGHBOURS)


def test_texts_have_5_to_40_words_and_every_kind_has_short_and_long_ones() -> None:
    for kind in KINDS:
        lengths = [len(prompt.text.split()) for prompt in built_in() if prompt.kind == kind]
        assert 5 <= min(lengths) <= 8
        assert 30 <= max(lengths) <= 40


def test_texts_are_plain() -> None:
    for prompt in built_in():
        assert prompt.text.isascii()
        assert prompt.text == " ".join(prompt.text.split())


def test_kinds_come_in_rounds_and_are_numbered_from_01() -> None:
    assert [p.name for p in built_in()] == [f"{kind}-{n:02}" for n in range(1, 33) for kind in KINDS]
    assert all(p.name.startswith(p.kind) for p in built_in())


@pytest.mark.parametrize("count", range(4, 129, 4))
def test_a_slice_of_whole_rounds_has_equal_shares(count: int) -> None:
    for start in range(0, 129 - count, 4):
        assert kinds(built_in()[start : start + count]) == dict.fromkeys(KINDS, count // 4)


def test_numbers_follow_the_file() -> None:
    stories = [p.text for p in built_in() if p.kind == "story"]
    path = Path(prompt_set.__file__).parent / "prompts.jsonl"
    written = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert stories == [entry["text"] for entry in written if entry["kind"] == "story"]
    assert {frozenset(entry) for entry in written} == {frozenset({"kind", "text"})}


def test_built_in_is_found_from_any_folder_and_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = built_in()
    monkeypatch.chdir(tmp_path)
    built_in.cache_clear()
    assert built_in() == before
    assert built_in() is built_in()


def test_halves_are_the_even_and_the_odd_rounds() -> None:
    rounds = [built_in()[at : at + 4] for at in range(0, 128, 4)]
    calibration, report = calibration_and_report(built_in())
    assert calibration == tuple(p for round_ in rounds[::2] for p in round_)
    assert report == tuple(p for round_ in rounds[1::2] for p in round_)
    assert kinds(calibration) == kinds(report) == dict.fromkeys(KINDS, 16)


@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=12))
def test_halves_of_any_set_are_disjoint_and_balanced(given_kinds: list[str]) -> None:
    prompts = tuple(Prompt(str(at), kind, "text") for at, kind in enumerate(given_kinds))
    first, second = calibration_and_report(prompts)
    assert sorted(first + second, key=prompts.index) == list(prompts)
    assert first == tuple(p for p in prompts if p in first)
    assert second == tuple(p for p in prompts if p in second)
    assert len(first) - len(second) in (0, 1)
    assert all(abs(kinds(first)[kind] - kinds(second)[kind]) <= 1 for kind in "abc")


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_prompts_have_no_halves(count: int) -> None:
    with pytest.raises(LabError, match=f"A set of {count} cannot be split") as caught:
        calibration_and_report(built_in()[:count])
    assert caught.value.remedy == "Give at least two prompts."


def written(folder: Path, content: str | bytes, name: str = "own.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_text_has_one_prompt_a_line(tmp_path: Path, end: str, mark: str) -> None:
    path = written(tmp_path, mark + end.join(["  Why? ", "", "\t", "چرا؟ {", "Why?"]), "own.txt")
    assert read_prompts(path) == (
        Prompt("line-1", "own", "Why?"),
        Prompt("line-4", "own", "چرا؟ {"),
        Prompt("line-5", "own", "Why?"),
    )


@pytest.mark.parametrize("name", ["own.jsonl", "OWN.JSONL"])
def test_jsonl_has_one_object_a_line(tmp_path: Path, name: str) -> None:
    lines = [
        '{"text": " Two\\nlines ", "kind": "code"}',
        "",
        '{"text": "A\u2028B", "name": "b", "answer": 7}',
        '{"text": "C", "name": null}',
    ]
    assert read_prompts(written(tmp_path, "\ufeff" + "\r\n".join(lines), name)) == (
        Prompt("line-1", "code", "Two\nlines"),
        Prompt("b", "own", "A\u2028B"),
        Prompt("line-4", "own", "C"),
    )


GOOD = '{"text": "Why?"}\n'


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (GOOD + "\n{'text': 'Why?'}", 3, "Invalid JSON"),
        (GOOD + "Why?", 2, "Invalid JSON"),
        (GOOD + '{"text": "Wh', 2, "Invalid JSON"),
        (GOOD + '{"text": "\\ud800"}', 2, "Invalid JSON"),
        (GOOD + '["Why?"]', 2, "Input should be an object"),
        (GOOD + '"Why?"', 2, "Input should be an object"),
        ('{"prompt": "Why?"}', 1, "text: Field required"),
        (GOOD + '{"text": ""}', 2, "text: String should have at least 1 character"),
        (GOOD + '{"text": " \\n"}', 2, "text: String should have at least 1 character"),
        (GOOD + '{"text": 7}', 2, "text: Input should be a valid string"),
        (GOOD + '{"text": null}', 2, "text: Input should be a valid string"),
        (GOOD + '{"text": "Why?", "name": ""}', 2, "name: String should have at least 1 character"),
        (GOOD + '{"text": "Why?", "kind": 3}', 2, "kind: Input should be a valid string"),
    ],
)
def test_a_line_that_is_no_prompt_is_refused(tmp_path: Path, content: str, line: int, reason: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(LabError) as caught:
        read_prompts(path)
    assert caught.value.what.startswith(f"{path}, line {line} is not a prompt (")
    assert reason in caught.value.what
    assert caught.value.remedy.startswith("Write one JSON object a line")


def test_the_remedy_is_itself_a_prompt(tmp_path: Path) -> None:
    with pytest.raises(LabError) as caught:
        read_prompts(written(tmp_path, "{"))
    example = caught.value.remedy.partition("such as ")[2].removesuffix(".")
    assert read_prompts(written(tmp_path, example)) == (Prompt("cats", "own", "Why do cats purr?"),)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"text": "A", "name": "x"}\n\n{"text": "B", "name": " x"}', "x"),
        ('{"text": "A", "name": "line-3"}\n\n{"text": "B"}', "line-3"),
    ],
)
def test_a_name_may_not_come_twice(tmp_path: Path, content: str, name: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(LabError) as caught:
        read_prompts(path)
    assert caught.value.what == f"{path}, line 3: the name {name!r} is already that of line 1."
    assert caught.value.remedy == "Give every prompt a name of its own."


@pytest.mark.parametrize("name", ["own.txt", "own.jsonl"])
@pytest.mark.parametrize("content", ["", " \n\n\t\r\n", "\ufeff"])
def test_a_file_without_prompts_is_refused(tmp_path: Path, name: str, content: str) -> None:
    path = written(tmp_path, content, name)
    with pytest.raises(LabError) as caught:
        read_prompts(path)
    assert caught.value.what == f"{path} has no prompts."
    assert "at least one" in caught.value.remedy


@pytest.mark.parametrize("name", ["own.txt", "own.jsonl"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path, name: str, mark: bytes) -> None:
    path = written(tmp_path, mark + GOOD.encode() + b'{"text": "caf\xe9"}\n', name)
    with pytest.raises(LabError) as caught:
        read_prompts(path)
    assert caught.value.what == f"{path}, line 2 is not UTF-8 text."
    assert caught.value.remedy == "Save the file as UTF-8."


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(LabError) as caught:
            read_prompts(path)
        assert caught.value.what.startswith(f"{path} cannot be read: ")
        assert caught.value.remedy == "Check the file's name."
