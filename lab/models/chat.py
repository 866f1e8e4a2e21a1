"""Chat templates: a conversation written as the one text that a model was trained to continue.

A template is a small program that comes with a model, often from a stranger. It runs in Jinja's
immutable sandbox (no attribute that starts with an underscore, no mutation) and under a budget of
loop steps, calls and output. The budget bounds time, not memory: a hostile template can still build
a large string.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NoReturn

from jinja2 import TemplateError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from lab.errors import LabError

MAX_STEPS = 100_000  # loop steps and calls in one rendering
MAX_OUTPUT = 4_000_000  # characters

# Some templates print the date. A fixed one keeps the same prompt the same tokens on every day.
PROMPT_DATE = datetime.datetime(2025, 1, 1)

# The ChatML format: turns between marks, and no system turn unless one is given.
CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

_steps_left: ContextVar[list[int]] = ContextVar("steps_left")


class ChatTemplate:
    """One model's template, compiled. `special` are the named tokens that it may print (`bos_token` …).

    Raises LabError when the template does not parse.
    """

    def __init__(self, source: str, special: Mapping[str, str]) -> None:
        self.source = source
        self._special = dict(special)
        environment = _Sandbox(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", _Generation]
        )
        environment.globals.pop("lipsum")
        environment.globals |= {
            "namespace": _Namespace,
            "raise_exception": _raise,
            "strftime_now": PROMPT_DATE.strftime,
        }
        environment.filters |= {"tojson": _to_json, "counted": _counted}
        try:
            tree = _CountLoops().visit(environment.parse(source))
            self._template = environment.from_string(tree)
        except TemplateError as error:
            raise _failed(error) from error

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The text of a conversation, ending where the assistant's answer begins.

        `messages` have a `role` and a `content`. Raises LabError when the template fails or runs too long.
        """
        token = _steps_left.set([MAX_STEPS])
        chunks, size = [], 0
        try:
            for chunk in self._template.generate(
                messages=[dict(message) for message in messages],
                add_generation_prompt=True,
                tools=None,
                documents=None,
                **self._special,
            ):
                chunks.append(chunk)
                size += len(chunk)
                if size > MAX_OUTPUT:
                    raise SecurityError(f"it writes more than {MAX_OUTPUT} characters")
        except Exception as error:  # a template can raise anything that Python can
            raise _failed(error) from error
        finally:
            _steps_left.reset(token)
        return "".join(chunks)


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"*", "**"})

    def call(self, /, *args: Any, **kwargs: Any) -> Any:
        _spend()
        return super().call(*args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        sizes = [len(side) if hasattr(side, "__len__") else side for side in (left, right)]
        if operator == "**" or any(size > MAX_OUTPUT for size in sizes) or sizes[0] * sizes[1] > MAX_OUTPUT:
            raise SecurityError(f"the result of {operator} may be too large")
        return super().call_binop(context, operator, left, right)


class _CountLoops(NodeTransformer):
    """Rewrites `for x in items` as `for x in items | counted`."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802 - the name is Jinja's protocol
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "counted", [], [], None, None, lineno=node.lineno)
        node.iter.environment = node.environment
        return node


class _Generation(Extension):
    """`{% generation %}…{% endgeneration %}` marks the assistant's words for training; it prints its body."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Namespace(Namespace):
    """Jinja's namespace without names that begin with an underscore."""

    def __init__(self, /, **values: Any) -> None:
        super().__init__()
        for name, value in values.items():
            self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"a namespace cannot hold {name!r}")
        super().__setitem__(name, value)


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        _spend()
        yield item


def _spend() -> None:
    budget = _steps_left.get()
    budget[0] -= 1
    if budget[0] < 0:
        raise SecurityError(f"it takes more than {MAX_STEPS} steps")


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)


def _to_json(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, sort_keys: bool = False
) -> str:
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent and min(indent, 16), sort_keys=sort_keys
    )


def _failed(error: Exception) -> LabError:
    return LabError(
        f"The model's chat template failed: {error}.",
        "Send the text without a chat template, or choose another model.",
    )
