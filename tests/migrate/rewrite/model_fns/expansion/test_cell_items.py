"""Tests for loops that set the cells of a list, which become comprehensions."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import cell_items
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = "import tensorflow as tf\nrnn = tf.nn.rnn_cell\n\ndef model_fn(a, b):\n"
NEW = "cells[i] = rnn.GRUCell(a[i])"
WRAP = "    cells[i] = rnn.DropoutWrapper(cells[i], b)"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = cell_items.without_items(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            ["cells = [None] * len(a)", "for i in range(len(a)):", f"    {NEW}"],
            ["cells = [rnn.GRUCell(a[i]) for i in range(len(a))]"],
        ),
        (
            ["cells = [0 for _ in range(2)]", "for i in range(len(cells)):", f"    {NEW}"],
            ["cells = [rnn.GRUCell(a[i]) for i in range(2)]"],
        ),
        (
            [
                "cells = [None] * b",
                *("for i in range(b):", "    size = a[i]", "    if size is None:"),
                *("        cells[i] = rnn.GRUCell(3)", "    else:"),
                "        cells[i] = rnn.GRUCell(size)",
            ],
            [
                "cells = [rnn.GRUCell(3) if a[i] is None else rnn.GRUCell(a[i]) for i in range(b)]",
            ],
        ),
        (
            ["cells = [rnn.GRUCell(n) for n in a]", "for i in range(len(cells)):", WRAP],
            [
                "cells = [rnn.GRUCell(n) for n in a]",
                "cells = [rnn.DropoutWrapper(cell, b) for cell in cells]",
            ],
        ),
        (
            [
                "cells = [rnn.GRUCell(3)] + [rnn.GRUCell(4)]",
                "for i, one in enumerate(cells):",
                "    cells[i] = rnn.DropoutWrapper(one, b[i])",
            ],
            [
                "cells = [rnn.GRUCell(3)] + [rnn.GRUCell(4)]",
                "cells = [rnn.DropoutWrapper(one, b[i]) for i, one in enumerate(cells)]",
            ],
        ),
    ],
)
def test_loops_become_comprehensions(body, expected):
    assert lines(*body) == expected


@pytest.mark.parametrize(
    "body",
    [
        ["cells = [None] * b", "for i in range(a):", f"    {NEW}"],
        ["cells = [None] * b", "b = 3", "for i in range(b):", f"    {NEW}"],
        ["cells = [None] * b", "same = cells", "for i in range(b):", f"    {NEW}"],
        ["cells = same = [None] * b", "for i in range(b):", f"    {NEW}"],
        ["cells = [None] * b", "for i in range(b):", f"    {NEW}", "return i"],
        ["cells = [None] * b", "for i in range(b):", "    if i:", f"        {NEW}"],
        ["cells = [None] * b", "for i in range(b):", "    print(i)", f"    {NEW}"],
        ["cells = [None] * b", "for i in range(b):", WRAP],
        [
            "cells = [None] * b",
            "for i in range(b):",
            "    cells[i] = cells[i - 1] if i else rnn.GRUCell(3)",
        ],
        ["cells = [rnn.GRUCell(n) for n in a]", "for i in range(2):", WRAP],
        ["cells = a", "for i in range(len(cells)):", WRAP],
    ],
)
def test_other_loops_stay(body):
    assert lines(*body) == body
