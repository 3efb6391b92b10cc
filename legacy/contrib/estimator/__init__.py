"""tf.contrib.estimator: heads, hooks and extensions of tf.estimator in TensorFlow 1.

    head = estimator.multi_class_head(n_classes=3)
    classifier = estimator.add_metrics(tf.estimator.DNNEstimator(head, columns, [10]), metric_fn)

Most of these names later moved to tf.estimator, and are aliases of the names there.

Files in reading order:
rnn     provides RNNEstimator and RNNClassifier
towers  replicates a model function on the GPUs of a machine
"""

from typing import Any

from legacy.compat.v1 import estimator as _v1
from legacy.contrib import _missing
from legacy.contrib.estimator.rnn import RNNClassifier, RNNEstimator
from legacy.contrib.estimator.towers import TowerOptimizer, replicate_model_fn
from legacy.estimator.canned.logit_fns import call_logit_fn
from legacy.estimator.export.export_functions import (
    export_all_saved_models,
    export_saved_model_for_mode,
)
from legacy.estimator.export.saved_model_estimator import SavedModelEstimator
from legacy.estimator.export.supervised_receivers import (
    build_raw_supervised_input_receiver_fn,
    build_supervised_input_receiver_fn_from_input_fn,
)
from legacy.estimator.extenders import add_metrics, clip_gradients_by_norm, forward_features
from legacy.estimator.heads.v1 import (
    binary_classification_head,
    logistic_regression_head,
    multi_class_head,
    multi_head,
    multi_label_head,
    poisson_regression_head,
    regression_head,
)
from legacy.estimator.hooks import (
    InMemoryEvaluatorHook,
    make_early_stopping_hook,
    make_stop_at_checkpoint_step_hook,
    stop_if_higher_hook,
    stop_if_lower_hook,
    stop_if_no_decrease_hook,
    stop_if_no_increase_hook,
)

# Names that tf.estimator took over.
BaselineEstimator = _v1.BaselineEstimator
DNNEstimator = _v1.DNNEstimator
DNNLinearCombinedEstimator = _v1.DNNLinearCombinedEstimator
LinearEstimator = _v1.LinearEstimator
dnn_logit_fn_builder = _v1.experimental.dnn_logit_fn_builder
linear_logit_fn_builder = _v1.experimental.linear_logit_fn_builder


def DNNClassifierWithLayerAnnotations(*args: Any, **kwargs: Any) -> Any:  # noqa: N802
    """Returns a `DNNClassifier`, whose graph has no layer annotations.

    Args:
      *args: As in `tf.compat.v1.estimator.DNNClassifier`.
      **kwargs: As in `tf.compat.v1.estimator.DNNClassifier`.
    """
    return _v1.DNNClassifier(*args, **kwargs)


def DNNRegressorWithLayerAnnotations(*args: Any, **kwargs: Any) -> Any:  # noqa: N802
    """Returns a `DNNRegressor`, whose graph has no layer annotations.

    Args:
      *args: As in `tf.compat.v1.estimator.DNNRegressor`.
      **kwargs: As in `tf.compat.v1.estimator.DNNRegressor`.
    """
    return _v1.DNNRegressor(*args, **kwargs)


__getattr__ = _missing.attribute_of("estimator")

__all__ = [
    "BaselineEstimator",
    "DNNClassifierWithLayerAnnotations",
    "DNNEstimator",
    "DNNLinearCombinedEstimator",
    "DNNRegressorWithLayerAnnotations",
    "InMemoryEvaluatorHook",
    "LinearEstimator",
    "RNNClassifier",
    "RNNEstimator",
    "SavedModelEstimator",
    "TowerOptimizer",
    "add_metrics",
    "binary_classification_head",
    "build_raw_supervised_input_receiver_fn",
    "build_supervised_input_receiver_fn_from_input_fn",
    "call_logit_fn",
    "clip_gradients_by_norm",
    "dnn_logit_fn_builder",
    "export_all_saved_models",
    "export_saved_model_for_mode",
    "forward_features",
    "linear_logit_fn_builder",
    "logistic_regression_head",
    "make_early_stopping_hook",
    "make_stop_at_checkpoint_step_hook",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "poisson_regression_head",
    "regression_head",
    "replicate_model_fn",
    "stop_if_higher_hook",
    "stop_if_lower_hook",
    "stop_if_no_decrease_hook",
    "stop_if_no_increase_hook",
]
