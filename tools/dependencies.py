"""What Asterism is used with: the licences page and the bill of materials, from requirements.lock.

    python -m tools.dependencies write     docs/licences.md and sbom.cdx.json, by the metadata of what is installed
    python -m tools.dependencies check     that both tell of what the lock holds, version by version

A wheel carries no code of others. The bill (CycloneDX) lists what it needs and may use, in the versions it is tested
with; the build puts it into the wheel's .dist-info/sboms (PEP 770).
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
LOCK, PROJECT = ROOT / "requirements.lock", ROOT / "pyproject.toml"
PAGE, BILL = ROOT / "docs/licences.md", ROOT / "sbom.cdx.json"
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;]+)")
VIA = re.compile(r"^    # +(?:via )?([A-Za-z0-9_.-]+)")
UNKNOWN = "not installed here"
HEAD = """\
# Licences of what Asterism is used with

Asterism itself is under the Apache License 2.0; its wheel carries no code of others. It needs numpy, click and rich;
everything else is an extra, or a tool of those who develop it. These are the versions of `requirements.lock`, by what
each package says of itself. `make licences` writes this page, and the bill of materials (`sbom.cdx.json`, CycloneDX)
that every wheel carries under `.dist-info/sboms`.

| package | version | licence | used |
|---|---|---|---|
"""


class Package(NamedTuple):
    """One package of the lock."""

    name: str
    version: str
    used_by: tuple[str, ...]  # packages that need it; "asterism" is we


def locked(text: str) -> dict[str, Package]:
    """Read the lock: packages by name, each with those that need it."""
    found: dict[str, Package] = {}
    name = ""
    for line in text.splitlines():
        if pinned := PINNED.match(line):
            name = pinned[1].lower()
            found[name] = Package(name, pinned[2], ())
        elif name and (via := VIA.match(line)) and via[1] != "via":
            found[name] = found[name]._replace(used_by=(*found[name].used_by, via[1].lower()))
    return found


def scopes(packages: dict[str, Package], project: dict[str, object]) -> dict[str, str]:
    """Say what each package is for: required, optional (an extra of users), or development."""
    about = project["project"]
    assert isinstance(about, dict)
    extras: dict[str, list[str]] = about["optional-dependencies"]
    used = [each for extra, needs in extras.items() if extra not in ("dev", "all") for each in needs]
    found = dict.fromkeys(packages, "development")
    found |= dict.fromkeys(_reached(packages, map(_named, used)), "optional")
    return found | dict.fromkeys(_reached(packages, map(_named, about["dependencies"])), "required")


def _named(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9_.-]", requirement)[0].lower()


def _reached(packages: dict[str, Package], first: Iterable[str]) -> set[str]:
    """Give packages, and all that they need."""
    reached, left = set[str](), [name for name in first if name in packages]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += [each.name for each in packages.values() if name in each.used_by]
    return reached


def licence_of(name: str) -> str:
    """Give the licence that an installed package says it has."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return UNKNOWN
    said = "".join(about.get_all("License-Expression") or ())
    if said:
        return said
    classified = [each.split(" :: ")[-1] for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    said = "".join(about.get_all("License") or ())
    first = said.strip().partition("\n")[0].strip()
    if first and len(first) <= 60:
        return first
    return "; ".join(each for each in classified if each != "OSI Approved") or "see its files"


def page_of(packages: dict[str, Package], used: dict[str, str], licences: dict[str, str]) -> str:
    """Write the page."""
    order = ("required", "optional", "development")
    rows = sorted(packages.values(), key=lambda each: (order.index(used[each.name]), each.name))
    return HEAD + "".join(
        f"| {each.name} | {each.version} | {licences[each.name]} | {used[each.name]} |\n" for each in rows
    )


def bill_of(packages: dict[str, Package], used: dict[str, str], licences: dict[str, str], version: str) -> str:
    """Write the bill of materials; the same lock gives the same bytes."""
    shown = [each for each in sorted(packages.values()) if used[each.name] != "development"]
    components = [
        {
            "type": "library",
            "bom-ref": _purl(each),
            "name": each.name,
            "version": each.version,
            "purl": _purl(each),
            "scope": used[each.name],
            **_licensed(licences[each.name]),
        }
        for each in shown
    ]
    us = Package("asterism", version, ())
    needs = {
        parent: sorted(_purl(each) for each in shown if parent in each.used_by)
        for parent in ("asterism", *(each.name for each in shown))
    }
    refs = {"asterism": _purl(us)} | {each.name: _purl(each) for each in shown}
    told: dict[str, object] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": _purl(us),
                "name": us.name,
                "version": version,
                "purl": _purl(us),
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": components,
        "dependencies": [{"ref": refs[name], "dependsOn": needs[name]} for name in refs],
    }
    told["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(told, sort_keys=True))}"
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


def _purl(package: Package) -> str:
    return f"pkg:pypi/{package.name}@{package.version}"


def _licensed(licence: str) -> dict[str, object]:
    if licence == UNKNOWN:
        return {}
    return {"licenses": [{"license": {"name": licence}}]}


def told_licences(page: str) -> dict[str, str]:
    """Read the licences that the page tells."""
    rows = [line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {row[0]: row[2] for row in rows[1:] if len(row) == 4}


def pages(licences: dict[str, str], packages: dict[str, Package]) -> dict[Path, str]:
    """Give both files as they should be with these licences."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    used = scopes(packages, project)
    version = str(project["project"]["version"])
    return {PAGE: page_of(packages, used, licences), BILL: bill_of(packages, used, licences, version)}


def main(word: str) -> int:
    """Write both files, or say which of them is not as the lock has it."""
    packages = locked(LOCK.read_text(encoding="utf-8"))
    before = told_licences(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    here = {name: licence_of(name) for name in packages}
    if word == "check":  # what is installed depends on the platform; what the page tells does not
        right = pages({name: before.get(name, UNKNOWN) for name in packages}, packages)
        wrong = [path for path, text in right.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        for path in wrong:
            print(f"{path.relative_to(ROOT)} is not what requirements.lock holds: make licences")
        return len(wrong)
    merged = {name: before.get(name, said) if said == UNKNOWN else said for name, said in here.items()}
    for path, text in pages(merged, packages).items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "check"))
