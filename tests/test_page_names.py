"""Tests that the names of this package in the pages exist, after modules moved, too."""

import importlib
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
# Not the changelog, which names modules where they were.
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + sorted(
    [*ROOT.glob("docs/**/*.md"), *ROOT.glob("migrate/recipes/**/*.md")]
)
NAME = re.compile(r"`((?:benchmarks|legacy|migrate|modern)(?:\.\w+)+)`")


def exists(name):
    """Says whether a dotted name is a module, or an attribute of one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found is not None
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_in_a_page_exist(page):
    assert [name for name in set(NAME.findall(page.read_text())) if not exists(name)] == []


def test_names_that_have_moved_are_told():
    assert exists("modern.optimizers.classic.Momentum")
    assert not exists("migrate.bridge.optimizers.arithmetic")
