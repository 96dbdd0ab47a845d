"""Options and fixtures that every test may use."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must find what a quiet one finds: nothing is judged by how long an example takes or how it is drawn.
settings.register_profile(
    "anywhere",
    max_examples=50,
    derandomize=True,  # the same examples everywhere; --hypothesis-profile=anew looks for new ones
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,  # the kind of store is one for all examples, and is meant to be
    ],
)
settings.register_profile("anew", settings.get_profile("anywhere"), derandomize=False, max_examples=200)
settings.load_profile("anywhere")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rounds", type=int, default=6, help="rounds of each fault test")


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--rounds"))
