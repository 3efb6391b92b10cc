"""Tests for reasons why results may differ."""

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.plan import Decisions
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("from data import f\njob = tf_estimator.Estimator(m)\njob.train(f)", "Dataset"),
        (
            "def f():\n  data = tf.data.Dataset.range(3)\n  if a:\n    data = None\n  return data\n"
            "job = tf_estimator.Estimator(m)\njob.train(f)",
            "Dataset",
        ),
        (
            "def f():\n  step = tf.train.get_global_step()\n  return tf.data.Dataset.range(step)\n"
            "job = tf_estimator.Estimator(m)\njob.train(f)",
            "tf.train.get_global_step",
        ),
        ("import os\nc = os.environ['TF_CONFIG']\njob = tf_estimator.Estimator(m)", "TF_CONFIG"),
        ("tf.compat.v1.disable_v2_behavior()\njob = tf_estimator.Estimator(m)", "TensorFlow 2"),
        (
            "c = tf_estimator.RunConfig('model', tf_random_seed=1)\n"
            "job = tf_estimator.Estimator(m, config=c)",
            "tf_random_seed",
        ),
        ("def f(config):\n  job = tf_estimator.Estimator(m, config=config)", "RunConfig"),
        (
            "def m(features, labels, mode):\n  a = b(features)\n"
            "  tf.compat.v1.summary.scalar('a', a)\n"
            "  return tf_estimator.EstimatorSpec(mode, loss=a)\njob = tf_estimator.Estimator(m)",
            "its summaries (line 7) are lost",
        ),
        (
            "tf.compat.v1.disable_v2_behavior()\njob = tf_estimator.Estimator(m)\n"
            "log = tf.compat.v1.train.LoggingTensorHook(['a'], 9)\n"
            "job.train(input_fn, hooks=[log])",
            "may fail; its output is lost",
        ),
        (
            "job = tf_estimator.Estimator(m, 'model')\nwhile True:\n  job.evaluate(input_fn)",
            "evaluation loop",
        ),
    ],
)
def test_what_may_compute_something_else_is_only_suggested(text, reason):
    made = head.said(text)
    assert reason in made.reason
    assert made.applicable


def test_a_program_of_tensorflow_1_is_only_rewritten_with_unsafe():
    assert "TensorFlow 2" in head.said("job = tf_estimator.Estimator(m)", api="v1").reason


@pytest.mark.parametrize("problem", ["", "tf.Session in line 3 needs a graph in data.py"])
def test_a_session_of_another_file_keeps_an_estimator(problem):
    text = "job = tf_estimator.Estimator(m)\njob.train(input_fn)\n"
    plan = tools.plan("v2", decisions=Decisions(sessions_elsewhere=problem))
    outcome = fixed_point.rewrite(head.HEAD + text, head.ESTIMATORS, unsafe=True, plan=plan)
    assert ("job.train(" in outcome.text) == bool(problem)
    assert [suggestion.reason for suggestion in outcome.suggestions] == [problem] * bool(problem)


def test_session_code_next_to_an_estimator_gets_a_graph():
    text = (
        "tf.compat.v1.disable_v2_behavior()\njob = tf_estimator.Estimator(m)\njob.train(input_fn)\n"
        "def f():\n    x = tf.ones(2)\n    return tf.compat.v1.Session().run(x)\n"
    )
    outcome = fixed_point.rewrite(
        head.HEAD + text, head.ESTIMATORS, unsafe=True, plan=tools.plan("v2")
    )
    assert "job.fit(" in outcome.text
    assert "Graph().as_default():\n        x = tf.ones(2)" in outcome.text
    (change,) = outcome.changes
    assert "gets a graph of its own" in change.reason


def test_each_reason_is_said():
    text = (
        "a = tf_estimator.Estimator(m, 'model', tf_estimator.RunConfig(tf_random_seed=1))\n"
        "b = tf_estimator.Estimator(m, 'model')\n"
    )
    outcome = tools.check_noop(head.HEAD + text, head.ESTIMATORS, api="v1")
    first, second = (made.reason for made in outcome.suggestions)
    for reason in ("TensorFlow 2", "same model_dir", "tf_random_seed"):
        assert reason in first
        assert (reason in second) == (reason != "tf_random_seed")


def test_two_estimators_with_one_folder_are_only_suggested():
    text = (
        head.HEAD
        + "a = tf_estimator.Estimator(m, 'model')\nb = tf_estimator.Estimator(n, 'model')\n"
    )
    outcome = tools.check_noop(text, head.ESTIMATORS, api="v2")
    assert ["model_dir" in made.reason for made in outcome.suggestions] == [True, True]


def test_an_estimator_that_another_file_may_import_is_only_suggested():
    text = "job = tf_estimator.Estimator(m)\n"
    assert "import it" in head.said(text, is_shared=True).reason
    made = f"{head.HEAD}def main():\n    {text}"
    found = fixed_point.rewrite(made, head.ESTIMATORS, plan=tools.plan(api="v2", is_shared=True))
    assert found.changes
