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


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("return {'x': tf.layers.dense(x, 2)}", "tf.layers.dense in line 4"),
        ("return embedded(x)", "tf.feature_column.input_layer in line 7"),
        ("return tf.data.Dataset.range(3).map(embedded)", "input_layer in line 7"),
    ],
)
def test_an_input_function_that_makes_variables_stays(body, place):
    text = (
        "import tensorflow.compat.v1 as tf\n"
        "def input_fn():\n    x = tf.train.batch([tf.constant(1.0)], 2)\n"
        f"    {body}\n"
        "def embedded(x):\n    column = tf.feature_column.embedding_column('a', 2)\n"
        "    return tf.feature_column.input_layer({'a': x}, [column])\n"
        "job.train(input_fn)\n"
    )
    file = SourceFile(text)
    data = input_functions.dataset_of(file, file.tree.body[-1].value.args[0], "train", "")
    assert "its input_fn makes variables" in data.by_hand
    assert place in data.by_hand


MAKER = """\
import tensorflow as tf
def make(n):
    def input_fn(params):
        return tf.data.Dataset.range(n)
    return input_fn, n
"""


def _of_maker(statements, argument, always=False):
    file = SourceFile(f"{MAKER}{statements}job.train({argument})\n")
    node = file.tree.body[-1].value.args[0]
    return input_functions.dataset_of(file, node, "train", "settings", always=always)


@pytest.mark.parametrize(
    ("statements", "argument"),
    [
        ("", "FUNCTIONS['train']"),
        ("fns = [make(3)[0]]\nfns.append(other)\n", "fns[0]"),
        ("fns = {'train': make(3)[0]}\nfns['train'] = other\n", "fns['train']"),
        ("fns = {'train': make(3)[0]}\n", "fns[MODE]"),
        ("fn, *others = make(3)\n", "fn"),
    ],
)
def test_an_unknown_function_may_take_params(statements, argument):
    data = _of_maker(statements, argument)
    assert data.by_hand == "its input_fn may be input_fn, which takes params"
    assert not _of_maker(statements, argument, always=True).by_hand


@pytest.mark.parametrize(
    ("statements", "argument"),
    [
        ("", "make(3)[0]"),
        ("fn, n = make(3)\n", "fn"),
        ("fns = {'train': make(3)[0]}\n", "fns['train']"),
        ("fns = (None, make(3)[0])\n", "fns[-1]"),
    ],
)
def test_an_element_of_a_tuple_or_dictionary_takes_params(statements, argument):
    data = _of_maker(statements, argument)
    assert data == input_functions.Input(f"{argument}(params=settings)")


def test_an_input_layer_without_an_embedding_makes_no_variables():
    text = (
        "import tensorflow.compat.v1 as tf\n"
        "def input_fn():\n"
        "    return tf.feature_column.input_layer({}, [tf.feature_column.numeric_column('a')])\n"
        "job.train(input_fn)\n"
    )
    file = SourceFile(text)
    data = input_functions.dataset_of(file, file.tree.body[-1].value.args[0], "train", "")
    assert data.by_hand == ""


MAKERS = """\
import tensorflow as tf
def make_input_fn(params, shuffle):
    def input_fn({}):
        return tf.data.Dataset.range(params["n"])
    return input_fn
def get_train(params):
    return make_input_fn(params, True)
fn = get_train(settings)
job.train({})
"""


@pytest.mark.parametrize("argument", ["fn", "get_train(settings)"])
def test_a_maker_of_input_functions_may_call_another_one(argument):
    file = SourceFile(MAKERS.format("", argument))
    node = file.tree.body[-1].value.args[0]
    data = input_functions.dataset_of(file, node, "train", "")
    assert data == input_functions.Input(f"{argument}()", "")
    file = SourceFile(MAKERS.format("mode", argument))
    node = file.tree.body[-1].value.args[0]
    data = input_functions.dataset_of(file, node, "train", "")
    assert data.text == f'{argument}(mode="train")'


def test_makers_that_call_each_other_are_unknown():
    text = MAKERS.replace("return input_fn\n", "return get_train(params)\n")
    file = SourceFile(text.format("", "fn"))
    data = input_functions.dataset_of(file, file.tree.body[-1].value.args[0], "train", "")
    assert "takes params" in data.by_hand
