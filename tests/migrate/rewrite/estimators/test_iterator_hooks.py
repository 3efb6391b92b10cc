"""Tests for hooks that initialize the iterators of an input function."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head

PROGRAM = f"""{head.HEAD}
class Hook(tf.compat.v1.train.SessionRunHook):
    def __init__(self):
        self.run = None
    def after_create_session(self, session, coord):
        self.run(session)

def inputs(path):
    hook = Hook()
    def read():
        iterator = tf.compat.v1.data.make_initializable_iterator(tf.data.TextLineDataset(path))
        hook.run = lambda session: session.run(iterator.initializer)
        return iterator.get_next()
    return read, hook

read, hook = inputs("a.csv")
job = tf_estimator.Estimator(m)
job.train(read, hooks=[hook])
job.evaluate(read, hooks=[hook])
"""


def rewritten(text):
    return fixed_point.rewrite(text, head.ESTIMATORS, unsafe=True, plan=tools.plan(api="v2"))


def test_the_hook_initializes_the_dataset():
    text = rewritten(PROGRAM).text
    assert "job.fit(as_estimator.graph_dataset(read, hooks=[hook]), " in text
    assert "job.evaluate(as_estimator.graph_dataset(read, hooks=[hook]), verbose=2)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("session.run(iterator.initializer)", "saver.restore(session)"),
        (
            "    def __init__",
            "    def after_run(self, context, values):\n        pass\n    def __init__",
        ),
        ("read, hook = inputs", "read, hook, other = inputs.all"),
    ],
)
def test_a_hook_with_other_work_stays_a_hook(old, new):
    assert old in PROGRAM
    text = PROGRAM.replace(old, new).replace("job.evaluate(read, hooks=[hook])", "")
    assert "*as_estimator.run_hooks([hook])" in rewritten(text).text
    text = PROGRAM.replace(old, new)
    (made,) = rewritten(text).suggestions
    assert "the hooks of evaluate" in made.reason
