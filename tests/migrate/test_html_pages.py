"""Tests for pages: texts are escaped, and a variable without a value is an error."""

import jinja2
import pytest

from migrate import html_pages


@pytest.fixture
def template(tmp_path):
    path = tmp_path / "page.html.j2"
    path.write_text("{% if text %}\n<p>{{ text | loud }}</p>\n{% endif %}\n")
    return path


def test_a_text_is_escaped_and_tags_leave_no_lines(template):
    page = html_pages.rendered(template, {"text": "a<b"}, {"loud": str.upper})
    assert page == "<p>A&lt;B</p>\n"


def test_a_variable_without_a_value_is_an_error(template):
    with pytest.raises(jinja2.UndefinedError, match="'text' is undefined"):
        html_pages.rendered(template, {}, {"loud": str.upper})
