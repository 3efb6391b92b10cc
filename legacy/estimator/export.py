"""tf.estimator.export: receivers of a SavedModel's inputs and outputs of its signatures.

>>> from legacy.estimator import export
>>> export.PredictOutput.__name__
'PredictOutput'
"""

from legacy.estimator.export_outputs import (
    ClassificationOutput,
    ExportOutput,
    PredictOutput,
    RegressionOutput,
)
from legacy.estimator.receivers import (
    ServingInputReceiver,
    TensorServingInputReceiver,
    build_raw_serving_input_receiver_fn,
)

__all__ = [
    "ClassificationOutput",
    "ExportOutput",
    "PredictOutput",
    "RegressionOutput",
    "ServingInputReceiver",
    "TensorServingInputReceiver",
    "build_raw_serving_input_receiver_fn",
]
