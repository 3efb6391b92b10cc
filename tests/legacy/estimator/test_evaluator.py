"""Tests of the evaluation of checkpoints, and of the mark that ends it."""

import pytest
import tensorflow as tf

from legacy.estimator import evaluator as evaluator_lib
from tests.legacy.estimator.evaluations import Stops, eval_spec, evaluated, new
from tests.legacy.estimator.models import dataset

tf1 = tf.compat.v1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("evaluated", {}), ValueError, "should never return empty metrics"),
        (("evaluated", 5), TypeError, "should return dict"),
        (("evaluated", {"loss": 1}), ValueError, "should have `global_step`"),
        (("evaluated", {"global_step": 1}), ValueError, "checkpoint_path"),
        (("missing checkpoint", {"a": 1}), ValueError, "must be `None` if status"),
    ],
)
def test_wrong_results_of_an_evaluation(arguments, error, message):
    with pytest.raises(error, match=message):
        evaluator_lib.EvalResult(*arguments)


def test_the_evaluator_is_told_to_stop(tmp_path):
    run = new(tmp_path)
    run.train(dataset, max_steps=5)
    listener = Stops(before=False)
    spec = eval_spec(start_delay_secs=0)
    evaluator_lib.watch(evaluator_lib.Evaluator(run, spec, 1000), listener)
    assert evaluated(tmp_path) == [5]


def test_evaluator_ends_at_the_checkpoint_of_max_steps(tmp_path):
    run = new(tmp_path)
    run.train(dataset, max_steps=10)
    watcher = evaluator_lib.Evaluator(run, eval_spec(start_delay_secs=0, throttle_secs=600), 10)
    evaluator_lib.watch(watcher, evaluator_lib.ContinuousEvalListener())
    assert evaluated(tmp_path) == [10]


def test_evaluator_believes_the_mark_that_comes_while_it_watches(tmp_path):
    class MarkAfterEvaluation(tf1.train.SessionRunHook):
        def end(self, session):
            evaluator_lib.mark_over(str(tmp_path))

    run = new(tmp_path)
    run.train(dataset, max_steps=10)
    evaluator_lib.mark_over(str(tmp_path))  # The mark of an earlier run, which it ignores.
    spec = eval_spec(start_delay_secs=0, hooks=[MarkAfterEvaluation()])
    watcher = evaluator_lib.Evaluator(run, spec, 1000)
    evaluator_lib.watch(watcher, evaluator_lib.ContinuousEvalListener())
    assert evaluated(tmp_path) == [10]
