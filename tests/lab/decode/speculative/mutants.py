"""Mutants: the project's own source with one text replaced, put in place of the original everywhere."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType

import pytest

from lab.decode.speculative import rounds, walks
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.walks import Rule

PACKAGE = "lab.decode.speculative."
Mutation = tuple[ModuleType, str, str]
"""The module, and what stands in it in place of what."""


def mutated(monkeypatch: pytest.MonkeyPatch, mutation: Mutation) -> ModuleType:
    """The mutant; every loaded module of the package that has a name of the original gets the mutant's."""
    module, old, new = mutation
    source = inspect.getsource(module)
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {module.__name__}"
    mutant = ModuleType(f"{module.__name__}_mutant")
    monkeypatch.setitem(sys.modules, mutant.__name__, mutant)
    exec(compile(source.replace(old, new), mutant.__name__, "exec"), mutant.__dict__)
    own = {key: value for key, value in vars(module).items() if _of(value, module)}
    others = [each for name, each in sys.modules.items() if name.startswith(PACKAGE)]
    for other in others:
        for key in own.keys() & vars(other).keys():
            if vars(other)[key] is own[key] and other not in (module, mutant):
                monkeypatch.setattr(other, key, getattr(mutant, key))
    return mutant


def _of(value: object, module: ModuleType) -> bool:
    return getattr(value, "__module__", None) == module.__name__


def loop_of(mutant: ModuleType) -> type[Speculation]:
    """The loop: the mutant's own, if the loop is what is mutated."""
    return mutant.Speculation if mutant.__name__.startswith(rounds.__name__) else Speculation


def rule_of(mutant: ModuleType, rule: Rule) -> Rule:
    """The rule: the mutant's own, if rules are what is mutated."""
    return getattr(mutant, type(rule).__name__)() if mutant.__name__.startswith(walks.__name__) else rule
