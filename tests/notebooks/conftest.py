"""A lesson's module names its SOURCE and its MISTAKES; these run it once for all of the module's tests."""

from __future__ import annotations

import pytest

from tests.notebooks.executed import Executed, execute


@pytest.fixture(scope="module")
def lesson(request: pytest.FixtureRequest) -> Executed:
    return execute(request.module.SOURCE, request.module.MISTAKES)


@pytest.fixture(scope="module")
def told(lesson: Executed) -> str:
    return lesson.told
