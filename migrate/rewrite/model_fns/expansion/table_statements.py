"""Gives each lookup table of a model_fn a name.

draft = with_statements(draft)

For example, `ids = tf.contrib.lookup.index_table_from_file("words.txt").lookup(words)` becomes
`table = tf.contrib.lookup.index_table_from_file("words.txt")` and `ids = table.lookup(words)`.
"""

from __future__ import annotations

import ast

from migrate.rewrite.model_fns.analysis import lookup_tables
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining

_MAX_TABLES = 60


@expansion
def with_statements(draft: Draft) -> Draft:
    """Returns a copy of a file in which a statement makes each lookup table.

    Args:
      draft: The copy of the file.
    """
    for _ in range(_MAX_TABLES):
        call = next(iter(_inner_tables(draft)), None)
        if call is None:
            break
        statement = draft.file.statement(call)
        draft = inlining.with_own_statement(draft, statement, call, "table")
    return draft


def _inner_tables(draft: Draft) -> list[ast.Call]:
    """Returns the calls that make tables inside larger statements that run at most once."""
    statements = [*inlining.statements_of(draft.function.body)]
    return [
        call
        for call in lookup_tables.calls(draft.file, draft.function)
        if (statement := draft.file.statement(call)) in statements
        and getattr(statement, "value", None) is not call
    ]
