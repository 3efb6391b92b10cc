"""Tests for input functions, called as an Estimator calls them."""

import ast

import pytest

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head


@pytest.mark.parametrize(
    ("input_fn", "call"),
    [
        ("make(3)", "make(3)()"),
        ("lambda: make(3)()", "make(3)()"),
        ("functions", 'functions(mode="train", params=settings)'),
        ("lambda: (tf.data.Dataset\n .range(3))", "(tf.data.Dataset\n .range(3))"),
    ],
)
def test_input_functions_are_called_as_an_estimator_calls_them(input_fn, call):
    text = head.HEAD + (
        "def make(count):\n    def made():\n        return tf.data.Dataset.range(count)\n"
        "    return made\n"
        "def functions(params, mode):\n    return tf.data.Dataset.range(params)\n"
        "settings = 3\n"
        "job = tf_estimator.Estimator(f, params=settings)\n"
    )
    outcome = fixed_point.rewrite(
        f"{text}job.train({input_fn})\n", head.ESTIMATORS, plan=tools.plan(api="v2")
    )
    assert f"\njob.fit({call}, callbacks=as_estimator.callbacks(job), verbose=2)\n" in outcome.text
    assert outcome.suggestions == ()


@pytest.mark.parametrize(
    ("text", "may_change"),
    [
        ("x = load()\nuse(x)", False),
        ("x = 1\nx = load()\nuse(x)", True),
        ("for x in data:\n    use(x)", True),
        ("async def f():\n    async for x in data:\n        use(x)", True),
        ("[use(x) for x in data]", True),
        ("{use(x) for x in data}", True),
        ("{use(x): 1 for x in data}", True),
        ("list(use(x) for x in data)", True),
        ("from data import x\nx += 1\nuse(x)", True),
        ("from data import x\nx = 1\nuse(x)", True),
        ("def f(x):\n    use(x)", False),
    ],
)
def test_a_dataset_reads_arrays_later_and_they_may_have_changed(text, may_change):
    file = SourceFile(text)
    (array,) = [
        node.args[0]
        for node in file.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "use"
    ]
    arguments = {"x": array, "shuffle": ast.Constant(False)}
    problem = input_functions.problem_of_arrays(file, arguments)
    assert ("may have changed" in problem) is may_change
