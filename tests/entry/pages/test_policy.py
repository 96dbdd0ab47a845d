"""Every page that is written says what may run in it: its own code by hash, nothing that was filled in, no address."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from asterism.entry.pages.template import template


@pytest.mark.parametrize("name", ["heatmap.html", "transcript_page.html"])
def test_a_template_lets_its_own_code_run_and_no_other(name: str) -> None:
    text = template(name)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        own = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        hashes = [f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in own]
        assert own
        assert rules[rule].split() == hashes
    assert "http" not in policy
    assert not re.search(r"\son[a-z]+=", text)
