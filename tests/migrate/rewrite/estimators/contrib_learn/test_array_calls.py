"""Tests for calls on Estimators of contrib.learn that get arrays."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "learn_estimators")
PLAN = tools.plan(api="v1")
ARRAYS = """\
import numpy as np
from legacy.contrib import learn
import tensorflow.compat.v1 as tf

def model_fn(features, labels, mode):
    out = tf.get_variable("scale", initializer=1.0) * features[:, 0]
    loss = tf.losses.mean_squared_error(tf.cast(labels, tf.float32), out)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return learn.ModelFnOps(mode, {"out": out}, loss, train_op)

data = np.array([1, 2, 3], np.float32)
target = np.array([[2], [4], [6]])
job = learn.Estimator(model_fn, "model")
job.fit(data, target, steps=3)
"""


def _rewritten(text):
    return fixed_point.rewrite(text, RULE, unsafe=True, plan=PLAN)


def _last_line(call, head=ARRAYS):
    outcome = _rewritten(head + call)
    assert not outcome.suggestions
    return outcome.text.splitlines()[-1]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("job.fit(data, target, None, 9)", "job.train({'data, target, ' + SHUFFLED}, steps=9)"),
        (
            "job.partial_fit(data, target, batch_size=2)",
            "job.train({'data, target, batch_size=2, ' + SHUFFLED}, steps=1)",
        ),
        (
            "job.fit(x={'a': data}, max_steps=3, monitors=hooks)",
            """job.train({"{'a': data}, " + SHUFFLED}, max_steps=3, hooks=hooks)""",
        ),
        ("job.evaluate(data, name='e')", "job.evaluate({'data'}, name='e')"),
        ("job.evaluate(data, target, steps=None)", "job.evaluate({'data, target'})"),
        ("job.predict(data, outputs=['out'])", "job.predict({'data'}, predict_keys=['out'])"),
        (
            "x = job.predict(data, as_iterable=False)['out']",
            "x = porting.concatenated(job.predict({'data'}, yield_single_examples=False))['out']",
        ),
        (
            "learn.SKCompat(job).fit(data, target, steps=3)",
            "job.train({'data, target, batch_size=128, ' + SHUFFLED}, steps=3)",
        ),
        (
            "learn.SKCompat(estimator=job).predict(data, batch_size=None)",
            "porting.concatenated(job.predict({'data'}, yield_single_examples=False))",
        ),
    ],
)
def test_arrays_become_the_dataset_of_an_input_fn(call, expected):
    start, rest = expected.split("{", 1)
    inner, end = rest.rsplit("}", 1)
    options = eval(inner, {"SHUFFLED": "shuffle=True, repeat=True"})
    text = f"{start}input_fn=lambda: porting.array_dataset({options}){end}"
    assert _last_line(call) == text


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("job.fit(*data)", "fit in line 15 is called with"),
        ("job.fit(None, None, input_fn)", "other arguments than input_fn and x"),
        ("job.fit(iter(data), iter(target))", "gets x from an iterator"),
        ("rows = (row for row in data)\njob.predict(x=rows)", "gets x from an iterator"),
        (
            "v = learn.preprocessing.VocabularyProcessor(9)\njob.predict(v.transform(data))",
            "gets x from an iterator",
        ),
        (
            "def rows():\n    yield data[0]\njob.predict(x=rows())",
            "gets x from an iterator",
        ),
        ("job.fit(data, (t := target))", "a lambda cannot compute"),
        ("job.predict(data, as_iterable=flag)", "known only at run time"),
        ("job.predict(data, iterate_batches=True)", "has arrays and the argument iterate_batches"),
        ("job.evaluate(data, target, feed_fn=f)", "has arrays and the argument feed_fn"),
        ("job.evaluate(data, hooks=[h])", "has arrays and the argument hooks"),
        (
            "job.fit(data, monitors=[learn.monitors.ValidationMonitor(data)])",
            "turn them into hooks first",
        ),
        ("job.score(data, target)", "no counterpart"),
        ("learn.SKCompat(job).get_params()", "no counterpart"),
        ("job.predict(list(job.predict(data)))", "inside of another"),
    ],
)
def test_other_data_stay_with_the_reason(call, reason):
    outcome = _rewritten(ARRAYS + call)
    assert outcome.text == ARRAYS + call
    assert reason in outcome.suggestions[0].reason


def test_data_of_predict_that_change_are_noted():
    (record, *_) = _rewritten(ARRAYS + "for part in data:\n    job.predict(part)\n").changes
    assert "may have changed by then" in record.reason
    (record, *_) = _rewritten(ARRAYS + "job.predict(data)\n").changes
    assert "may have changed by then" not in record.reason
