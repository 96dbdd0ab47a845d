"""Which texts begin with the name of who says them."""

from __future__ import annotations

import pytest

from asterism.core.text.spoken import said_by


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann: I moved to Oslo.", "Ann"),
        ("Mary Ann O'Neil: yes", "Mary Ann O'Neil"),
        ("Éva: szia", "Éva"),
        ("MATT: You open the door.", "MATT"),
        ("user: where do I live?", "user"),
        ("Note: the cache is cold", ""),
        ("TODO: warm the cache", ""),
        ("https://example.org: a page", ""),
        ("Deploys fail: the cache is cold", ""),
        ("12:30 lunch", ""),
        ("2: two", ""),
        ("Ann:", ""),
        ("Ann:no space", ""),
        ("cache: cold", ""),
        ("", ""),
    ],
)
def test_a_text_is_said_by_the_name_it_begins_with(text: str, name: str) -> None:
    assert said_by(text) == name
