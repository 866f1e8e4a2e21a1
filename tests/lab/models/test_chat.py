"""Templates render as transformers renders them, and a hostile one is stopped."""

import datetime
import time

import pytest
from transformers.utils.chat_template_utils import render_jinja_template

from lab.errors import LabError
from lab.models.chat import CHATML, PROMPT_DATE, ChatTemplate

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}
USER = [{"role": "user", "content": "  two words\n"}]
CHAT = [{"role": "system", "content": "Be brief."}, *USER]

TEMPLATES = {
    "chatml": CHATML,
    "default system turn": (
        "{% if messages[0]['role'] != 'system' %}<sys>be kind</sys>{% endif %}"
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>\n{% endfor %}"
    ),
    "trimmed content and first turn": (
        "{{ bos_token }}{% for m in messages %}\n"
        "    {% set content = m['content'] | trim %}\n"
        "    {% if loop.first %}[first]{% endif %}{{ content }}{{ eos_token if loop.last else '|' }}\n"
        "{% endfor %}"
    ),
    "namespace, index, length": (
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}"
        "{{ loop.index }}/{{ loop.length }}:{{ loop.revindex }};{% endfor %}{{ ns.n }}"
    ),
    "break and continue": (
        "{% for m in messages %}{% if m.role == 'system' %}{% continue %}{% endif %}"
        "{{ m.content }}{% break %}{% endfor %}"
    ),
    "generation marks": (
        "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
        "{% if add_generation_prompt %}GO{% endif %}"
    ),
    "macro and json": (
        "{% macro show(m) %}{{ m | tojson }}{% endmacro %}{% for m in messages %}{{ show(m) }}{% endfor %}"
        "{{ {'é': '<x>'} | tojson(indent=2) }}"
    ),
    "undefined tools, reversed, nested": (
        "{% if tools %}T{% endif %}{% if documents is defined and documents %}D{% endif %}"
        "{% for m in messages[::-1] %}{% for c in m.content %}{{ c }}{{ '-' * 2 }}{% endfor %}{% endfor %}"
    ),
    "filtered loop with else": (
        "{% for m in messages if m.role == 'tool' %}{{ m.content }}{% else %}none{% endfor %}"
    ),
}


@pytest.mark.parametrize("messages", [USER, CHAT], ids=["user", "system and user"])
@pytest.mark.parametrize("source", TEMPLATES.values(), ids=TEMPLATES.keys())
def test_renders_as_transformers_does(source: str, messages: list) -> None:
    reference, _ = render_jinja_template(
        [messages], chat_template=source, add_generation_prompt=True, **SPECIAL
    )
    assert ChatTemplate(source, SPECIAL).render(messages) == reference[0]


def test_the_date_is_the_same_on_every_day() -> None:
    shown = ChatTemplate("{{ strftime_now('%d %b %Y') }}", {}).render(USER)
    assert datetime.datetime.strptime(shown, "%d %b %Y") == PROMPT_DATE


def test_a_template_may_refuse_a_conversation() -> None:
    template = ChatTemplate("{{ raise_exception('turns must alternate') }}", {})
    with pytest.raises(LabError, match="turns must alternate"):
        template.render(USER)


@pytest.mark.parametrize(
    "reach",
    [
        "''|attr('__class__')",
        "raise_exception.__globals__",
        "strftime_now.__self__",
        "namespace.__init__",
        "dict.__subclasses__",
    ],
)
def test_private_attributes_are_undefined(reach: str) -> None:
    template = ChatTemplate("{{ " + reach + " }}{{ (" + reach + ") is defined }}", {})
    assert template.render(USER) == "False"


HOSTILE = {
    "attributes of a class": "{{ ''.__class__.__mro__ }}",
    "format string": "{{ '{0.__class__.__mro__}'.format(messages) }}",
    "mutation": "{% set x = messages.append(1) %}{{ messages.append(1) }}",
    "private names in a namespace": "{% set ns = namespace(__class__=1) %}{{ ns }}",
    "private names set later": "{% set ns = namespace() %}{% set ns._x = 1 %}",
    "file": "{% include '/etc/passwd' %}",
    "nested loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "a loop hidden in a recursive one": (
        "{% for i in range(9) recursive %}{% for j in range(99999) %}{{ '' }}{% endfor %}"
        "{{ loop(range(99999)) }}{% endfor %}"
    ),
    "recursive macros": "{% macro f(n) %}{{ f(n) }}{{ f(n) }}{% endmacro %}{{ f(1) }}",
    "doubling macros": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}"
    ),
    "huge range": "{{ range(10 ** 9) | list }}",
    "huge string": "{{ 'a' * 10000000000 }}",
    "huge number": "{{ 9 ** 9 ** 9 }}",
    "huge output": "{% for i in range(9999) %}{{ 'a' * 9999 }}{% endfor %}",
    "division by zero": "{{ 1 // 0 }}",
    "not a string": "{{ messages[0].content + 1 }}",
    "an undefined value": "{{ nothing.at.all }}",
    "a strange date": "{{ strftime_now(1) }}",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_and_broken_templates_end_in_a_clear_message(source: str) -> None:
    start = time.perf_counter()
    rendered = None
    with pytest.raises(LabError, match="chat template"):
        rendered = ChatTemplate(source, {}).render(USER)
    assert rendered is None
    assert time.perf_counter() - start < 20


def test_a_budget_is_for_one_rendering() -> None:
    template = ChatTemplate("{% for i in range(60000) %}{% endfor %}done", {})
    assert [template.render(USER) for _ in range(3)] == ["done"] * 3


@pytest.mark.parametrize("source", ["{% for %}", "{{ unclosed", "{% endfor %}", "{{ x | no_such_filter }}"])
def test_a_template_that_does_not_parse_is_refused_at_once(source: str) -> None:
    with pytest.raises(LabError, match="chat template"):
        ChatTemplate(source, {})
