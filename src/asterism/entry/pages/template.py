"""A page's template: its own styles and scripts may run, by their hashes; nothing that was filled in can."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from importlib import resources

STYLES, SCRIPTS = re.compile(r"<style>(.*?)</style>", re.DOTALL), re.compile(r"<script>(.*?)</script>", re.DOTALL)
HEAD = '<head><meta charset="utf-8">'


def template(name: str) -> str:
    """Give a template of this folder, with a policy for what is in it now and nothing else.

    >>> "script-src 'sha256-" in template("heatmap.html")
    True
    """
    text = resources.files("asterism.entry.pages").joinpath(name).read_text(encoding="utf-8")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src {_hashes(STYLES, text)}",
            "style-src-attr 'unsafe-inline'",  # colours and widths that are computed
            f"script-src {_hashes(SCRIPTS, text)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    assert HEAD in text  # a template of ours begins so
    return text.replace(HEAD, f'{HEAD}<meta http-equiv="Content-Security-Policy" content="{policy}">', 1)


def _hashes(parts: re.Pattern[str], text: str) -> str:
    found = [b64encode(sha256(part.encode()).digest()).decode() for part in parts.findall(text)]
    return " ".join(f"'sha256-{each}'" for each in found)
