"""The tf.estimator API (v2), on TensorFlow's public v1 API.

    from legacy import estimator

    run_config = estimator.RunConfig(model_dir="/tmp/model", save_checkpoints_steps=500)
    classifier = estimator.Estimator(model_fn, config=run_config, params={"learning_rate": 0.1})
    estimator.train_and_evaluate(
        classifier,
        estimator.TrainSpec(train_input_fn, max_steps=1000),
        estimator.EvalSpec(eval_input_fn),
    )

Names, signatures, defaults and errors are those of tf.estimator in TensorFlow 2.15. In a cluster,
this package sometimes behaves better than the original. The docstring of the function then
describes the difference. For example, `Evaluator.finish` runs a final export that 2.15 left out.

Files in reading order:
mode_keys          names the modes of a model_fn: ModeKeys.TRAIN, EVAL, PREDICT
spec               holds the tensors and hooks that a model_fn returns: EstimatorSpec
run_config         configures an Estimator and finds its task in TF_CONFIG: RunConfig
run_config_checks  checks the settings of a RunConfig
arguments          reads which arguments a user's function takes
docstrings         fills shared argument descriptions into docstrings
construction       checks and completes the arguments of an Estimator
estimator          trains, evaluates, predicts and exports: Estimator
internals          defines the private members that programs call and override
loops              runs training and evaluation in sessions, also under a strategy
inputs             feeds arrays, data frames and datasets to a model
training_specs     holds the arguments of train_and_evaluate: TrainSpec, EvalSpec
training           runs the role that TF_CONFIG names: train_and_evaluate
evaluator          evaluates and exports new checkpoints during a training
cluster            coordinates the tasks of a parameter-server cluster
export             writes SavedModels
hooks              stops a training early, evaluates during it, or saves its input position
heads              computes loss, metrics and predictions from logits
canned             provides ready-made estimators, such as DNNClassifier
extenders          adds metrics or forwarded features to an Estimator
keras              converts a compiled Keras model to an Estimator
tpu                runs TPUEstimator programs on CPUs and GPUs
experimental       collects the names of tf.estimator.experimental
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

# In TensorFlow 2.15, tf.estimator exported these same hooks.
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
