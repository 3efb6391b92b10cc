"""Tests for partials and lambdas of layers: calls of the layers, and functions that stay."""

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import short_functions
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

HEAD = (
    "import functools\nimport tensorflow as tf\nact = tf.nn.relu\n\ndef body(x):\n    return x\n\n"
)


def _changed(lines):
    body = "\n".join(f"    {line}" for line in lines)
    file = SourceFile(f"{HEAD}def model_fn(x, units):\n{body}\n")
    draft = short_functions.without_short_functions(Draft.of(file, file.tree.body[-1]))
    lines = draft.file.text.split("\n")[draft.function.lineno :]
    return [line.strip() for line in lines if line]


@pytest.mark.parametrize(
    ("definition", "call", "expected"),
    [
        (
            "f = functools.partial(tf.layers.dense, activation=act, name='a')",
            "y = f(x, 8, name='b')",
            "y = tf.layers.dense(x, 8, name='b', activation=act)",
        ),
        ("f = functools.partial(tf.layers.dense, x)", "y = f(8)", "y = tf.layers.dense(x, 8)"),
        ("f = functools.partial(body, x)", "y = f(units=8)", "y = body(x, units=8)"),
        (
            "f = lambda a, n=4: act(tf.layers.dense(a, n))",
            "y = f(f(x, 8)) + f(n=units * 2, a=x)",
            "y = act(tf.layers.dense(act(tf.layers.dense(x, 8)), 4))"
            " + act(tf.layers.dense(x, (units * 2)))",
        ),
        (
            "f = lambda a: tf.layers.dense(a, 8) + a",
            "y = f(x) * 2",
            "y = (tf.layers.dense(x, 8) + x) * 2",
        ),
    ],
)
def test_a_call_becomes_one_of_the_layer(definition, call, expected):
    assert _changed([definition, call]) == [definition, expected]


@pytest.mark.parametrize(
    "lines",
    [
        ["f = functools.partial(tf.layers.dense, units=units)", "units = 4", "y = f(x)"],
        ["f = functools.partial(tf.layers.dense, units=body(3))", "y = f(x)"],
        ["f = functools.partial(tf.layers.dense, *units)", "y = f(x)"],
        ["f = functools.partial(tf.layers.dense, units=3)", "y = f(**x)"],
        ["for n in units:", "    f = functools.partial(tf.layers.dense, units=n)", "y = f(x)"],
        ["f = functools.partial(act, units)", "y = f(x)"],
        ["f = lambda a, b: tf.layers.dense(a, 8) + b", "y = f(x, body(x))"],
        ["f = lambda *a: tf.layers.dense(*a)", "y = f(x, 8)"],
        ["f = lambda a: tf.layers.dense(a, 8)", "y = f()"],
        ["f = lambda a: tf.layers.dense(a, units)", "def g(units):", "    return f(x)"],
        ["f = lambda a: tf.layers.dense(a, 8)", "if x:", "    f = act", "y = f(x)"],
    ],
)
def test_a_call_stays_if_its_meaning_could_change(lines):
    assert _changed(lines) == [line.strip() for line in lines]


def test_a_partial_without_other_uses_ends_with_its_model_fn():
    text = base_program.BASE.replace(
        "import other\n",
        "import functools\n\ndense = functools.partial(tf.layers.dense, activation=None)\n",
    ).replace(base_program.OUT, 'out = dense(net, params["units"])')
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "partial(" not in outcome.text
    assert 'Dense(params["units"], activation=None, name="dense")' in outcome.text
