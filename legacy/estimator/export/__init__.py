"""tf.estimator.export, the input receivers and export outputs of SavedModels.

>>> from legacy.estimator import export
>>> export.PredictOutput.__name__
'PredictOutput'

Files in reading order:
model_exports          defines Estimator's export methods, such as export_saved_model
export_functions       provides the export functions of tf.contrib.estimator
saved_model            writes a SavedModel with a graph for each mode
receivers              makes the placeholders of a serving signature
supervised_receivers   makes the placeholders of a training or an evaluation
outputs                holds the outputs of a serving signature, such as PredictOutput
supervised_outputs     holds the outputs of a training or an evaluation
modes                  maps a mode to its tags, its signature and its outputs
signatures             builds the signatures and leaves out impossible ones
exporters              exports after evaluations: BestExporter, FinalExporter, LatestExporter
saved_model_graph      reads a SavedModel and loads one of its graphs
saved_model_estimator  trains, evaluates and predicts with a SavedModel as the model_fn
"""

from legacy.estimator.export.outputs import (
    ClassificationOutput,
    ExportOutput,
    PredictOutput,
    RegressionOutput,
)
from legacy.estimator.export.receivers import (
    ServingInputReceiver,
    TensorServingInputReceiver,
    build_parsing_serving_input_receiver_fn,
    build_raw_serving_input_receiver_fn,
)
from legacy.estimator.export.supervised_outputs import EvalOutput

__all__ = [
    "ClassificationOutput",
    "EvalOutput",
    "ExportOutput",
    "PredictOutput",
    "RegressionOutput",
    "ServingInputReceiver",
    "TensorServingInputReceiver",
    "build_parsing_serving_input_receiver_fn",
    "build_raw_serving_input_receiver_fn",
]
