"""The names of tf.estimator.experimental (v2 API), imported from the modules that define them.

from legacy import estimator

hook = estimator.experimental.stop_if_no_decrease_hook(classifier, "loss", 1000)
"""

from legacy.estimator.canned.linear_sdca import LinearSDCA
from legacy.estimator.canned.logit_fns import call_logit_fn
from legacy.estimator.canned.rnn import RNNClassifier, RNNEstimator
from legacy.estimator.export.supervised_receivers import build_raw_supervised_input_receiver_fn
from legacy.estimator.hooks import (
    InMemoryEvaluatorHook,
    make_early_stopping_hook,
    make_stop_at_checkpoint_step_hook,
    stop_if_higher_hook,
    stop_if_lower_hook,
    stop_if_no_decrease_hook,
    stop_if_no_increase_hook,
)

__all__ = [
    "InMemoryEvaluatorHook",
    "LinearSDCA",
    "RNNClassifier",
    "RNNEstimator",
    "build_raw_supervised_input_receiver_fn",
    "call_logit_fn",
    "make_early_stopping_hook",
    "make_stop_at_checkpoint_step_hook",
    "stop_if_higher_hook",
    "stop_if_lower_hook",
    "stop_if_no_decrease_hook",
    "stop_if_no_increase_hook",
]
