"""Tests for dictionaries of a model_fn whose entries become variables."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import records
from migrate.rewrite.model_fns.expansion.draft import Draft


def _without(body):
    text = f"def model_fn(a, b):\n    {body}\n".replace("; ", "\n    ")
    file = SourceFile(text)
    draft = records.without_records(Draft.of(file, file.tree.body[0]))
    return "; ".join(line.strip() for line in draft.file.text.splitlines()[1:])


def test_entries_become_variables():
    assert _without("d = {'x': a, 'b': 2}; return d['x'] + d['b']") == (
        "x = a; d_b = 2; return x + d_b"
    )
    assert _without("d = {'x': a}; d['y'] = d['x']; return d['y']") == ("x = a; y = x; return y")


@pytest.mark.parametrize(
    "body",
    [
        "d = {'x': a}; return d",
        "d = {'x': a}; d.update(b); return d['x']",
        "d = {'x': a}; return d[b]",
        "d = {a: b}; return d['x']",
        "d = f(a); return d['x']",
        "d = {'x': a}; if d['x']: return b",
    ],
)
def test_other_dictionaries_stay(body):
    assert _without(body) == body
