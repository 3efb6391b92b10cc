"""Tests for reading files: columns, cells, and files that do not parse."""

import json

import pytest

from tests.migrate.scan import scans
from tests.migrate.scan.scans import write

__all__ = ["write"]  # a fixture


def test_columns_are_characters(tmp_path, write):
    write("job.py", "import tensorflow as tf\nx = 'äöü€😀', tf.log(1)")
    (finding,) = scans.scan(tmp_path).findings
    assert (finding.column, finding.end_column) == (14, 20)


def test_a_notebook_says_cell_and_line(tmp_path):
    cells = [
        {"cell_type": "code", "source": "import tensorflow as tf\n%time 1"},
        {"cell_type": "code", "source": "x = 1\ny = tf.layers.dense(x)"},
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    (finding,) = scans.scan(tmp_path).findings
    assert (finding.cell, finding.line, finding.column, finding.symbol.name) == (
        2,
        2,
        5,
        "tf.layers.dense",
    )


def test_a_cell_that_does_not_parse_hides_no_other(tmp_path):
    cells = ["import tensorflow as tf", "print 'x'", "tf.log(x)", "%%writefile x.py\ntf.log(y)"]
    content = [{"cell_type": "code", "source": source} for source in cells]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": content}))
    done = scans.scan(tmp_path)
    assert [(f.cell, f.line) for f in done.findings] == [(3, 1), (4, 2)]
    (bad,) = done.unread
    assert (bad.error, bad.error_line) == ("cell 2: this is Python 2", 1)


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        (b"x = 1\nprint 'x'\n", "this is Python 2", 2),
        (b"x = (\n", "SyntaxError", 1),
        (b"x = '\xff'\n", "is not Python source", None),
        (b"x = 1\0\n", "source", None),
        (b"x = " + b"(" * 500 + b")" * 500, "", None),
    ],
)
def test_a_file_that_does_not_parse_is_reported_and_the_rest_goes_on(tmp_path, text, said, line):
    (tmp_path / "bad.py").write_bytes(text)
    (tmp_path / "good.py").write_text("import tensorflow as tf\ntf.log(x)")
    done = scans.scan(tmp_path)
    (bad,) = done.unread
    assert said in bad.error
    assert line is None or bad.error_line == line
    assert [f.symbol.name for f in done.findings] == ["tf.log"]


def test_new_syntax_is_read(tmp_path, write):
    write(
        "job.py",
        """
        import tensorflow as tf
        match tf.estimator.ModeKeys.EVAL:
            case tf.estimator.ModeKeys.TRAIN:
                pass
        if (n := tf.log(1)):
            pass
        """,
    )
    assert [name for _, name in scans.found(tmp_path)] == [
        "tf.estimator.ModeKeys.EVAL",
        "tf.estimator.ModeKeys.TRAIN",
        "tf.log",
    ]
