"""Tests for receiver functions: rewritten ones, those that stay with the reason, and serving."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULES = tools.rule("modern", "serving_receivers")
HEAD = """\
import tensorflow as tf
from legacy import estimator as e
from modern import porting
placeholder = tf.compat.v1.placeholder
"""
END = "porting.export(job, folder, receive)\n"


def _function(*lines):
    return "".join(["def receive():\n", *(f"    {line}\n" for line in lines)])


def _check(before, after):
    outcome = fixed_point.rewrite(HEAD + before + END, RULES, plan=tools.plan(api="v2"))
    assert outcome.suggestions == ()
    body = outcome.text.partition("placeholder\n")[2].removesuffix(END)
    assert body == after
    again = fixed_point.rewrite(outcome.text, RULES, plan=tools.plan(api="v2"))
    assert again.text == outcome.text


def test_a_request_and_features_may_be_the_same():
    _check(
        "def receive() -> e.export.ServingInputReceiver:\n"
        "    a = placeholder(tf.string)\n"
        "    features = {'a': a}\n"
        "    return e.export.ServingInputReceiver(features, features)\n",
        "@tf.function(input_signature=[tf.TensorSpec(None, tf.string, name='a')])\n"
        "def receive(a):\n    features = {'a': a}\n    return features\n",
    )


def test_names_that_only_the_receiver_needed_go():
    _check(
        "SIZE = 3\n"
        + _function(
            "serialized = placeholder(tf.string, [None, SIZE], name='ignored')",
            "receiver_tensors = {'examples': serialized}",
            "features = tf.io.parse_example(serialized, spec)",
            "return e.export.ServingInputReceiver(",
            "    features=features, receiver_tensors=receiver_tensors)",
        ),
        "SIZE = 3\n@tf.function(input_signature=["
        "tf.TensorSpec([None, SIZE], tf.string, name='examples')])\n"
        "def receive(serialized):\n"
        "    features = tf.io.parse_example(serialized, spec)\n    return features\n",
    )


def test_one_tensor_is_named_as_an_estimator_named_it():
    _check(
        _function(
            "x = placeholder(tf.float32, [None])", "return e.export.ServingInputReceiver(x, x)"
        ),
        "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='input')])\n"
        'def receive(x):\n    return {"feature": x}\n',
    )
    _check(
        _function(
            "x = placeholder(tf.float32, [None])",
            "return e.export.TensorServingInputReceiver(x / 2, x)",
        ),
        "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='input')])\n"
        "def receive(x):\n    return x / 2\n",
    )


def test_parameters_have_names_that_nothing_else_has():
    _check(
        _function(
            "inputs = {'inputs': placeholder(tf.float32, []), 'class': placeholder(tf.int64, [2])}",
            "features = {key: value + 1 for key, value in inputs.items()}",
            "return e.export.ServingInputReceiver(features, inputs)",
        ),
        "@tf.function(\n    input_signature=[\n"
        "        tf.TensorSpec([], tf.float32, name='inputs'),\n"
        "        tf.TensorSpec([2], tf.int64, name='class'),\n    ]\n)\n"
        "def receive(inputs_, class_):\n"
        "    inputs = {'inputs': inputs_, 'class': class_}\n"
        "    features = {key: value + 1 for key, value in inputs.items()}\n    return features\n",
    )


ADD = "def add_to(tensors):\n    tensors['z'] = 1\n"
RETURN = "return e.export.ServingInputReceiver({'x': x}, {'x': x})"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["x = placeholder(tf.float32, [None, FLAGS.size])", RETURN], "may have another value"),
        (["n = 3", "x = placeholder(tf.float32, [n])", RETURN], "may have another value"),
        (["x = placeholder(tf.float32)", "x = x + 1", RETURN], "the value of x in it is unknown"),
        (["x = placeholder(*args)", RETURN], "*args or **kwargs"),
        (["with a:", "    x = placeholder(tf.float32)", RETURN], "the value of x in it is unknown"),
        (
            ["x = placeholder(tf.float32)", "y = placeholder(tf.float32)", RETURN],
            "differ from its receiver_tensors",
        ),
        (["x = tf.zeros([3])", RETURN], "may not be a placeholder"),
        (["x = tf.compat.v1.sparse_placeholder(tf.int64)", RETURN], "needs a graph"),
        (["x = placeholder(tf.float32)", "if a:", f"    {RETURN}", RETURN], "and only there"),
        (["x = placeholder(tf.float32)", RETURN.replace("'x'", "'a-b'")], "no argument can have"),
        (
            ["x = placeholder(tf.float32)", RETURN.replace("'x'", "name")],
            "names of its receiver_tensors are unknown",
        ),
        (["x = placeholder(tf.float32)", RETURN.replace("x})", "x}, {'y': x})")], "alternatives"),
        (["x = placeholder(tf.float32); y = 1", RETURN], "more than one statement"),
        (
            [
                "x = {'x': placeholder(tf.float32)}",
                "x['y'] = 1",
                "return e.export.ServingInputReceiver(x, x)",
            ],
            "the value of x in it is unknown",
        ),
        *(
            (
                [
                    "x = {'x': placeholder(tf.float32)}",
                    change,
                    "return e.export.ServingInputReceiver(x, x)",
                ],
                "the value of x in it is unknown",
            )
            for change in ("x.clear()", "x |= {}", "y = x; y.pop('x')", "add_to(x)")
        ),
        (
            [
                "x = {name: placeholder(tf.float32) for name in 'ab'}",
                "return e.export.ServingInputReceiver(x, x)",
            ],
            "in a loop",
        ),
    ],
)
def test_what_is_not_understood_stays_with_the_reason(lines, reason):
    text = HEAD + ADD + _function(*lines) + END
    outcome = tools.check_noop(text, RULES, unsafe=True, api="v2")
    (made, *_) = outcome.suggestions
    assert reason in made.reason
    assert not made.applicable


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("@cached\n" + _function("x = placeholder(tf.float32)", RETURN), "has a decorator"),
        (_function("x = placeholder(tf.float32)", RETURN) + "print(receive)\n", "other uses"),
        (
            "receive = e.export.build_parsing_serving_input_receiver_fn(a)\nf(receive)\n",
            "other uses",
        ),
        ("receive = e.export.build_raw_serving_input_receiver_fn(*a)\n", "*args or **kwargs"),
    ],
)
def test_what_is_used_otherwise_stays(text, reason):
    outcome = tools.check_noop(HEAD + text + END, RULES, unsafe=True, api="v2")
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("text", "reason", "facts"),
    [
        (
            _function(
                "x = placeholder(tf.float32)",
                "return e.export.ServingInputReceiver(make(x), {'x': x})",
            ),
            "may not be a dict",
            {},
        ),
        (_function("x = placeholder(tf.float32)", RETURN), "import it", {"is_shared": True}),
        (
            "receive = e.export.build_raw_serving_input_receiver_fn(a)\n",
            "may contain placeholders",
            {},
        ),
    ],
)
def test_what_may_be_something_else_is_only_suggested(text, reason, facts):
    outcome = tools.check_noop(HEAD + text + END, RULES, api="v2", **facts)
    (made,) = outcome.suggestions
    assert reason in made.reason
    assert made.applicable


def test_placeholders_of_raw_features_are_specs():
    text = "e.export.build_raw_serving_input_receiver_fn"
    features = "{'a': placeholder(tf.float32, [None, 2]), 'b': tf.zeros([3])}"
    outcome = fixed_point.rewrite(
        f"{HEAD}features = {features}\nporting.export(job, a, {text}(features, 5))\n", RULES
    )
    assert "features = {'a': tf.TensorSpec([None, 2], tf.float32), 'b': tf" in outcome.text
    assert outcome.text.endswith("porting.export(job, a, porting.raw(features, 5))\n")


def test_placeholders_of_raw_features_need_no_graph_for_an_estimator_either():
    text = (
        "from legacy import estimator as e\nimport tensorflow.compat.v1 as tf\n"
        "features = {'a': tf.placeholder(tf.float32, [None, 2], name='b'),\n"
        "            'c': tf.placeholder(shape=[None], dtype=tf.int64)}\n"
        "receive = e.export.build_raw_serving_input_receiver_fn(features)\n"
        "with tf.Graph().as_default():\n"
        "    found = receive()\n"
        "x = [[k, v.dtype.name, v.shape.as_list()] for k, v in sorted(found.features.items())]\n"
        "y = found.features['a'].name\n"
    )
    expected = text.replace(
        "tf.placeholder(tf.float32, [None, 2], name='b')",
        "tf.TensorSpec([None, 2], tf.float32, name='b')",
    ).replace("tf.placeholder(shape=[None], dtype=tf.int64)", "tf.TensorSpec([None], tf.int64)")
    tools.check_transformed(text, expected, RULES)
    (before,) = tools.run([text], "graph")
    (after,) = tools.run([expected], "eager")
    assert before == after
    assert before["x"] == [["a", "float32", [None, 2]], ["c", "int64", [None]]]


def test_nothing_is_said_of_a_function_that_an_estimator_takes():
    text = HEAD + _function("x = placeholder(tf.float32)", RETURN)
    outcome = tools.check_noop(text + "job.export_saved_model(folder, receive)\n", RULES)
    assert outcome.suggestions == ()


def test_a_job_that_becomes_a_keras_model_exports_with_it_and_finds_its_checkpoints():
    text = """\
def model_fn(features, labels, mode):
    outputs = tf.compat.v1.layers.dense(features["x"], 1)
    if mode == e.ModeKeys.PREDICT:
        return e.EstimatorSpec(mode, {"outputs": outputs})
    loss = tf.compat.v1.losses.mean_squared_error(labels, outputs)
    train = tf.compat.v1.train
    train_op = train.AdamOptimizer(0.1).minimize(loss, train.get_global_step())
    return e.EstimatorSpec(mode, loss=loss, train_op=train_op)
def receive():
    x = placeholder(tf.float32, [None, 2])
    return e.export.ServingInputReceiver({"x": x}, {"x": x})
def main():
    job = e.Estimator(model_fn, "model")
    job.export_saved_model("export", receive)
    return job.latest_checkpoint()
"""
    plan = tools.plan(api="v2")
    outcome = fixed_point.rewrite(HEAD + text, tools.TO_MODERN, unsafe=True, plan=plan)
    for part in (
        "name='x')])\ndef receive(x):\n    return {\"x\": x}\n",
        'porting.export(job, "export", receive)\n    return porting.latest_checkpoint("model")\n',
    ):
        assert part in outcome.text
    assert "legacy" not in outcome.text
