"""The catalogues: the same ids in three languages, the field's terms, digits, plurals, isolates."""

import ast
import csv
import re
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax import ast as ftl
from hypothesis import given, strategies

from apps.registry import APPS
from apps.text import catalogue
from apps.text.catalogue import FIRST_STRONG, LANGUAGES, POP, bundle, text, written

TEXT = APPS / "text"
AR, EN, FA = LANGUAGES["ar"], LANGUAGES["en"], LANGUAGES["fa"]


@cache
def entries(code: str) -> dict[str, ftl.Message]:
    """Every message of one language; a message's file must stand at the same place in the others."""
    found: dict[str, ftl.Message] = {}
    for path in sorted((TEXT / code).glob("*.ftl")):
        resource = FluentParser().parse(path.read_text(encoding="utf-8"))
        junk = [entry.content for entry in resource.body if isinstance(entry, ftl.Junk)]
        assert not junk, f"{path}: Fluent cannot read {junk}"
        for entry in resource.body:
            if isinstance(entry, ftl.Message):
                assert entry.id.name not in found, f"{path}: {entry.id.name} is defined twice"
                found[entry.id.name] = entry
    return found


def ids(code: str) -> set[str]:
    attributes = {f"{m.id.name}.{a.id.name}" for m in entries(code).values() for a in m.attributes}
    return attributes | set(entries(code))


def variables(message: ftl.Message) -> set[str]:
    return set(re.findall(r"\{ ?(?:NUMBER\()?\$([a-z_]+)", FluentSerializer().serialize_entry(message)))


@pytest.mark.parametrize("code", ["ar", "fa"])
def test_each_language_has_the_same_ids(code: str) -> None:
    assert ids(code) == ids("en")
    assert {p.name for p in (TEXT / code).glob("*.ftl")} == {p.name for p in (TEXT / "en").glob("*.ftl")}


@pytest.mark.parametrize("code", ["ar", "fa"])
def test_translations_take_the_same_arguments(code: str) -> None:
    for name, message in entries(code).items():
        extra = variables(message) - variables(entries("en")[name])
        assert not extra, f"{code}/{name} uses {extra}, which English is not given"


def used_ids(path: Path) -> set[str]:
    """The first arguments of `t(…)` in a script; an f-string's inserted parts become `*`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "t":
            first = node.args[0]
            if isinstance(first, ast.Constant):
                found.add(str(first.value))
            elif isinstance(first, ast.JoinedStr):
                parts = [str(v.value) if isinstance(v, ast.Constant) else "*" for v in first.values]
                found.add("".join(parts))
    return found


def test_every_id_that_a_script_names_exists() -> None:
    known = ids("en")
    optional = {"*-column-*"}  # a column without a heading keeps its own name
    for path in APPS.rglob("*.py"):
        for name in used_ids(path) - optional:
            pattern = re.escape(name).replace(r"\*", ".+")
            assert any(re.fullmatch(pattern, one) for one in known), f"{path} uses {name}: no such text"


def glossary() -> list[dict[str, str]]:
    with (TEXT / "glossary.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("code", ["ar", "fa"])
def test_translations_use_the_terms_of_the_glossary(code: str) -> None:
    """Where an English message has a term, its translation has the term's stem (terms inflect)."""
    missing = []
    serializer = FluentSerializer()
    for term in glossary():
        if not term[f"{code}_stem"]:
            continue
        english = re.compile(rf"\b{re.escape(term['en'].split(' (')[0])}s?\b")
        for name, message in entries("en").items():
            if english.search(_prose(serializer.serialize_entry(message))) and not re.search(
                term[f"{code}_stem"], serializer.serialize_entry(entries(code)[name])
            ):
                missing.append(f"{name}: {term['en']} → {term[code]}")
    assert not missing, "\n".join(missing)


def _prose(source: str) -> str:
    """A message without its own id, its placeables, code and formulas."""
    return re.sub(r"^[\w-]+ =|\{[^}]*\}|`[^`]*`|\$[^$]*\$", " ", source)


@pytest.mark.parametrize("code", ["ar", "fa"])
def test_prose_uses_the_digits_of_its_language(code: str) -> None:
    """Latin digits stand only in names such as BF16, in code and in formulas."""
    for name, message in entries(code).items():
        prose = _prose(FluentSerializer().serialize_entry(message))
        assert not re.search(r"(?<![A-Za-z0-9])[0-9]", prose), f"{code}/{name}: {prose}"


def test_numbers_are_written_in_the_digits_of_the_language() -> None:
    expected = f"الخطوة {FIRST_STRONG}١٬٢٣٤{POP} من {FIRST_STRONG}٢٬٠٠٠{POP}"
    assert text(AR, "run-progress", done=1234, total=2000) == expected
    assert text(FA, "run-progress", done=5, total=48).count("۴۸") == 1
    assert (
        text(EN, "run-progress", done=5, total=48) == f"{FIRST_STRONG}5{POP} of {FIRST_STRONG}48{POP} steps"
    )


def test_names_keep_their_digits() -> None:
    sentence = text(
        AR, "origin", model="SmolLM2-135M", machine="x86", date="2026-11-29 10:00", code="0.1.0+a1"
    )
    assert "SmolLM2-135M" in sentence
    assert "2026-11-29 10:00" in sentence
    assert "0.1.0+a1" in sentence


@pytest.mark.parametrize(
    ("threads", "sentence"), [(1, "بخيط واحد"), (2, "بخيطين"), (3, "٣"), (11, "خيطًا"), (100, "خيطًا")]
)
def test_arabic_plurals(threads: int, sentence: str) -> None:
    assert sentence in text(AR, "machine-threads", threads=threads)


def test_unknown_ids_and_missing_arguments_are_errors() -> None:
    with pytest.raises(KeyError, match="no-such-text"):
        text(EN, "no-such-text")
    with pytest.raises(KeyError, match=r"run\.help"):
        text(EN, "run.help")
    with pytest.raises(ValueError, match="run-progress"):
        text(EN, "run-progress", done=1)


@given(strategies.integers(-(10**9), 10**9))
def test_written_digits_read_back(number: int) -> None:
    for language in LANGUAGES.values():
        digits = written(f"{number:,}", language)
        assert int(digits.replace(language.numerals[10], "")) == number
        assert all(d not in digits for d in "0123456789") or language is EN


def test_a_language_is_read_once() -> None:
    assert bundle("en") is bundle("en")
    assert catalogue.has_text("model.help")
    assert not catalogue.has_text("lang.nothing")
    assert not catalogue.has_text("nothing")
