"""Tests that the page lists the rules as they are."""

import pytest

from migrate.rewrite.rules import page
from tests.migrate.rewrite import tools

PAGE = tools.ROOT / "docs" / "rules.md"


def test_the_page_lists_the_rules_as_they_are():
    text = PAGE.read_text()
    assert page.render(text) == text, "run: python -m migrate.rewrite.rules.page docs/rules.md"
    for rule in (*tools.TO_LEGACY, *tools.TO_MODERN):
        assert f"### {rule.name}\n" in text
    assert "# migrate rewrite --" not in text


def test_a_page_without_the_mark_is_refused():
    with pytest.raises(ValueError, match="From here on"):
        page.render("# Rewriting\n")
