"""The tf.estimator API (v2), on TensorFlow's public v1 API.

    from legacy import estimator

    run_config = estimator.RunConfig(model_dir="/tmp/model", save_checkpoints_steps=500)
    classifier = estimator.Estimator(model_fn, config=run_config, params={"learning_rate": 0.1})
    estimator.train_and_evaluate(
        classifier,
        estimator.TrainSpec(train_input_fn, max_steps=1000),
        estimator.EvalSpec(eval_input_fn),
    )

Names, signatures, defaults and errors are those of tf.estimator in TensorFlow 2.15. Where a cluster
behaves better than it did there, the function that does so says how.
"""

# ruff: noqa: E402
import importlib
import sys

from legacy import keras_choice
from modern.process import fast_imports, frame_memory

keras_choice.use_legacy_keras()  # First: TensorFlow imports a Keras when it is imported.

if "tensorflow" not in sys.modules:
    with fast_imports.held():
        frame_memory.with_room(importlib.import_module)("tensorflow")

import tensorflow as tf

from legacy.estimator import experimental, export
from legacy.estimator.canned.v2.baseline import BaselineClassifierV2 as BaselineClassifier
from legacy.estimator.canned.v2.baseline import BaselineEstimatorV2 as BaselineEstimator
from legacy.estimator.canned.v2.baseline import BaselineRegressorV2 as BaselineRegressor
from legacy.estimator.canned.v2.dnn import DNNClassifierV2 as DNNClassifier
from legacy.estimator.canned.v2.dnn import DNNEstimatorV2 as DNNEstimator
from legacy.estimator.canned.v2.dnn import DNNRegressorV2 as DNNRegressor
from legacy.estimator.canned.v2.dnn_linear_combined import (
    DNNLinearCombinedClassifierV2 as DNNLinearCombinedClassifier,
)
from legacy.estimator.canned.v2.dnn_linear_combined import (
    DNNLinearCombinedEstimatorV2 as DNNLinearCombinedEstimator,
)
from legacy.estimator.canned.v2.dnn_linear_combined import (
    DNNLinearCombinedRegressorV2 as DNNLinearCombinedRegressor,
)
from legacy.estimator.canned.v2.linear import LinearClassifierV2 as LinearClassifier
from legacy.estimator.canned.v2.linear import LinearEstimatorV2 as LinearEstimator
from legacy.estimator.canned.v2.linear import LinearRegressorV2 as LinearRegressor
from legacy.estimator.canned.v2.parse_example_spec import (
    classifier_parse_example_spec,
    regressor_parse_example_spec,
)
from legacy.estimator.estimator import EstimatorV2 as Estimator
from legacy.estimator.export.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from legacy.estimator.extenders import add_metrics
from legacy.estimator.heads import (
    BinaryClassHead,
    Head,
    LogisticRegressionHead,
    MultiClassHead,
    MultiHead,
    MultiLabelHead,
    PoissonRegressionHead,
    RegressionHead,
)
from legacy.estimator.loops.warm_start import VocabInfo, WarmStartSettings
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec
from legacy.estimator.training import train_and_evaluate
from legacy.estimator.training_specs import EvalSpec, TrainSpec

# The hooks of tf.estimator were these.
CheckpointSaverHook = tf.compat.v1.train.CheckpointSaverHook
CheckpointSaverListener = tf.compat.v1.train.CheckpointSaverListener
FeedFnHook = tf.compat.v1.train.FeedFnHook
FinalOpsHook = tf.compat.v1.train.FinalOpsHook
GlobalStepWaiterHook = tf.compat.v1.train.GlobalStepWaiterHook
LoggingTensorHook = tf.compat.v1.train.LoggingTensorHook
NanLossDuringTrainingError = tf.compat.v1.train.NanLossDuringTrainingError
NanTensorHook = tf.compat.v1.train.NanTensorHook
ProfilerHook = tf.compat.v1.train.ProfilerHook
SecondOrStepTimer = tf.compat.v1.train.SecondOrStepTimer
SessionRunArgs = tf.compat.v1.train.SessionRunArgs
SessionRunContext = tf.compat.v1.train.SessionRunContext
SessionRunHook = tf.compat.v1.train.SessionRunHook
SessionRunValues = tf.compat.v1.train.SessionRunValues
StepCounterHook = tf.compat.v1.train.StepCounterHook
StopAtStepHook = tf.compat.v1.train.StopAtStepHook
SummarySaverHook = tf.compat.v1.train.SummarySaverHook

__all__ = [
    "BaselineClassifier",
    "BaselineEstimator",
    "BaselineRegressor",
    "BestExporter",
    "BinaryClassHead",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "DNNClassifier",
    "DNNEstimator",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedEstimator",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "Estimator",
    "EstimatorSpec",
    "EvalSpec",
    "Exporter",
    "FeedFnHook",
    "FinalExporter",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "Head",
    "LatestExporter",
    "LinearClassifier",
    "LinearEstimator",
    "LinearRegressor",
    "LoggingTensorHook",
    "LogisticRegressionHead",
    "ModeKeys",
    "MultiClassHead",
    "MultiHead",
    "MultiLabelHead",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "PoissonRegressionHead",
    "ProfilerHook",
    "RegressionHead",
    "RunConfig",
    "SecondOrStepTimer",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
    "TrainSpec",
    "VocabInfo",
    "WarmStartSettings",
    "add_metrics",
    "classifier_parse_example_spec",
    "experimental",
    "export",
    "regressor_parse_example_spec",
    "train_and_evaluate",
]
