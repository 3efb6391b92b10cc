"""Aliases with the private names of the original's module `canned.head`.

>>> from legacy.estimator.heads.v1 import canned_head
>>> canned_head._regression_head(label_dimension=2).logits_dimension
2

Programs import these names from `tensorflow.python.estimator.canned.head`. In the original, some of
them are functions that create a head. Here they are the classes of the heads.
"""

from legacy.estimator.heads import arguments, checks, classes, v1, weights
from legacy.estimator.heads.v1 import base_head as v1_base_head
from legacy.estimator.heads.v1 import metrics
from legacy.estimator.heads.v1.binary_class import BinaryClassHead
from legacy.estimator.heads.v1.multi_class import MultiClassHead
from legacy.estimator.heads.v1.regression import RegressionHead
from legacy.estimator.heads.v2 import base_head

LossSpec = v1.LossSpec
_Head = v1.Head

_DEFAULT_SERVING_KEY = base_head.DEFAULT_SERVING_KEY
_CLASSIFY_SERVING_KEY = base_head.CLASSIFY_SERVING_KEY
_REGRESS_SERVING_KEY = base_head.REGRESS_SERVING_KEY
_PREDICT_SERVING_KEY = base_head.PREDICT_SERVING_KEY

_BinaryLogisticHeadWithSigmoidCrossEntropyLoss = BinaryClassHead
_MultiClassHeadWithSoftmaxCrossEntropyLoss = MultiClassHead
_RegressionHeadWithMeanSquaredErrorLoss = RegressionHead

_binary_logistic_head_with_sigmoid_cross_entropy_loss = BinaryClassHead
_multi_class_head_with_softmax_cross_entropy_loss = MultiClassHead
_regression_head = RegressionHead
_binary_logistic_or_multi_class_head = v1.binary_logistic_or_multi_class_head

_all_class_ids = classes.all_class_ids
_all_classes = classes.all_classes
_classification_output = classes.classification_output
_assert_range = v1_base_head.assert_range
_call_loss_fn = checks.call_loss_fn
_check_dense_labels_match_logits_and_reshape = checks.check_dense_labels_match_logits_and_reshape
_check_logits_final_dim = checks.check_logits_final_dim
_get_weights_and_check_match_logits = weights.get_weights_and_check_match_logits
_validate_loss_fn_args = arguments.validate_loss_fn_args
_validate_n_classes = arguments.validate_n_classes

_summary_key = v1_base_head.summary_key
_accuracy_at_threshold = metrics.accuracy_at_threshold
_accuracy_baseline = metrics.accuracy_baseline
_auc = metrics.auc
_indicator_labels_mean = metrics.indicator_labels_mean
_precision_at_threshold = metrics.precision_at_threshold
_predictions_mean = metrics.predictions_mean
_recall_at_threshold = metrics.recall_at_threshold
