"""Estimators, evaluations and listeners for the tests of train_and_evaluate."""

import pathlib

import tensorflow as tf

from legacy import estimator
from legacy.estimator import evaluator as evaluator_lib
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


def new(folder, **settings):
    config = estimator.RunConfig(str(folder), **{"save_checkpoints_steps": 5, **settings})
    return estimator.Estimator(model_fn, config=config)


def eval_spec(**settings):
    return estimator.EvalSpec(
        lambda: dataset(repeat=1), **{"steps": None, "throttle_secs": 0, **settings}
    )


def evaluated(folder):
    return [
        event.step
        for path in pathlib.Path(folder).glob("eval/events*")
        for event in tf1.train.summary_iterator(str(path))
        for value in event.summary.value
        if value.tag == "loss"
    ]


class Stops(evaluator_lib.ContinuousEvalListener):
    """Listener that stops the training after the first evaluation, or before the second."""

    def __init__(self, before):
        self.before = before
        self.results = []

    def before_eval(self):
        return not (self.before and self.results)

    def after_eval(self, eval_result):
        self.results.append(eval_result)
        return self.before
