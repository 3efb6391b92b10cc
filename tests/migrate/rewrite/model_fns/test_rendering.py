"""Tests for statements with replaced parts, at another indent."""

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


def test_bytes_in_a_model_fn_are_kept():
    text = base_program.BASE.replace(
        base_program.OUT,
        base_program.OUT.replace("(net,", "(tf.io.decode_raw(b'\\x01', tf.float32) + net,"),
    )
    assert text != base_program.BASE
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "b'\\x01'" in outcome.text


def test_replaced_parts_comments_and_indent():
    file = SourceFile("if x:\n  # Above.\n  y = net(a,  # all\n          b)  # behind\n")
    statement = file.tree.body[0].body[0]
    rendered = rendering.Rendered(file)
    rendered.replace(statement.value.func, "self.net")
    assert rendered.statement(statement, "    ") == (
        "    # Above.\n    y = self.net(a,  # all\n            b)  # behind"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = 1; b = 2\n", "there is more than one statement in line 1"),
        ('a = """x\ny"""\n', "a string in line 1 spans several lines"),
    ],
)
def test_statements_that_an_indent_would_change_are_refused(text, reason):
    file = SourceFile(text)
    with pytest.raises(NotUnderstood, match=reason):
        rendering.Rendered(file).statement(file.tree.body[0], "    ")


def test_a_long_call_has_a_line_for_each_argument():
    assert rendering.call("f", ["a", "b=1"], "    ", "x = ") == "x = f(a, b=1)"
    parts = ["a" * 50, "b" * 50]
    assert rendering.call("f", parts, "  ", after=".g") == (
        f"f(\n      {parts[0]},\n      {parts[1]},\n  ).g"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cnn_model_fn", "CnnModel"), ("_model_fn", "Model"), ("fn", "Model"), ("net", "Net")],
)
def test_a_class_is_named_after_its_function(name, expected):
    file = SourceFile(f"def {name}(features):\n  pass\n")
    assert rendering.class_name(file, file.tree.body[0]) == expected
