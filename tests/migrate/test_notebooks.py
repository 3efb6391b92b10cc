"""Tests for reading notebooks: positions, and Python without IPython syntax such as `%time`."""

import ast
import json

import pytest

from migrate import notebooks


def notebook(*cells):
    made = [{"cell_type": kind, "source": text.splitlines(keepends=True)} for kind, text in cells]
    return json.dumps({"cells": made, "nbformat": 4})


def test_code_cells_with_their_places():
    read = notebooks.read(notebook(("markdown", "# x"), ("code", "a = 1\nb = 2"), ("code", "c")))
    assert read.text == "a = 1\nb = 2\nc\n"
    assert [read.place(line) for line in (1, 2, 3)] == [(2, 1), (2, 2), (3, 1)]


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline\nx", "pass\nx\n"),
        ("if x:\n    !ls -l\ny", "if x:\n    pass\ny\n"),
        ("!pip install \\\n  tensorflow\nx", "pass\n\nx\n"),
        ("files = !ls\nx", "pass\nx\n"),
        ("tf.layers?\nx", "pass\nx\n"),
        ("%%bash\nrm -r /\n", "\n\n"),
        ("%time x.f()", "pass; x.f()\n"),
        ("for y in x:\n    %timeit -n 3 -r1 y", "for y in x:\n    pass;            y\n"),
        ("x = 'a\x0cb\u2028c'\ny", "x = 'a\x0cb\u2028c'\ny\n"),
        ("%%time\nx = 1", "pass\nx = 1\n"),
        ("x = (a\n     % b)", "x = (a\n     % b)\n"),
        ("x = '%d' % 3\ny != 2", "x = '%d' % 3\ny != 2\n"),
    ],
)
def test_what_only_ipython_reads_is_left_out(cell, python):
    read = notebooks.read(notebook(("code", cell)))
    assert read.text == python
    ast.parse(read.text)


def test_files_that_it_writes_are_programs_of_their_own():
    read = notebooks.read(
        notebook(
            ("code", "%%writefile a/x.py\nimport y"),
            ("code", "z"),
            ("code", "%%file -a a/x.py\ny.f()"),
            ("code", "%%writefile notes.txt\nno Python"),
        )
    )
    assert read.text == "z\n\n\n"
    (file,) = read.files
    assert file.text == "\nimport y\n\ny.f()\n"
    assert file.place(4) == (3, 2)


def test_without_the_cells_that_are_wrong():
    read = notebooks.read(notebook(("code", "a"), ("code", "b\nc"), ("code", "d")))
    rest = notebooks.without(read, lambda text: text == "b\nc")
    assert rest.text == "a\n\n\nd\n"
    assert rest.places == read.places


def test_an_old_notebook_has_worksheets():
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["a\n", "b"]}]}]}
    assert notebooks.read(json.dumps(old)).text == "a\nb\n"


@pytest.mark.parametrize(
    "text",
    [
        *("", "[1]", "{}", '{"cells": 3}', '{"worksheets": 1}', '{"cells": [[]]}'),
        '{"cells": [{"cell_type": "code", "source": 1}]}',
        '{"cells": [{"cell_type": "code", "source": ["a", null]}]}',
        '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
    ],
)
def test_what_is_no_notebook(text):
    with pytest.raises(notebooks.NotANotebook, match="not a notebook"):
        notebooks.read(text)
