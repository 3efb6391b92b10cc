"""The names of tf.compat.v1.estimator.experimental, including those that it shares with the v2 API.

from legacy.compat.v1 import estimator

clusters = estimator.experimental.KMeans(num_clusters=3)
"""

from legacy.estimator.canned.kmeans import KMeansClustering as KMeans
from legacy.estimator.canned.linear_sdca import LinearSDCA
from legacy.estimator.canned.logit_fns import call_logit_fn
from legacy.estimator.canned.v1.dnn import dnn_logit_fn_builder
from legacy.estimator.canned.v1.linear import linear_logit_fn_builder
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
    "KMeans",
    "LinearSDCA",
    "build_raw_supervised_input_receiver_fn",
    "call_logit_fn",
    "dnn_logit_fn_builder",
    "linear_logit_fn_builder",
    "make_early_stopping_hook",
    "make_stop_at_checkpoint_step_hook",
    "stop_if_higher_hook",
    "stop_if_lower_hook",
    "stop_if_no_decrease_hook",
    "stop_if_no_increase_hook",
]
