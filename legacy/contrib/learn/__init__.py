"""tf.contrib.learn: the Estimator before tf.estimator, with Experiment and learn_runner.

    def experiment_fn(run_config, hparams):
        estimator = learn.Estimator(model_fn, params=hparams, config=run_config)
        return learn.Experiment(estimator, train_input_fn, eval_input_fn, train_steps=1000)

    learn.learn_runner.run(experiment_fn, run_config=learn.RunConfig(model_dir="/tmp/model"))

Files in reading order:
constants      names modes, problem types, predictions, metrics and tasks
estimators     trains, evaluates, predicts and exports by a model function
heads          turns logits into losses, predictions and metrics
canned         provides linear models, deep networks, k-means and SVM
inputs         feeds arrays, infers columns and builds serving input functions
io             reads arrays and tf.Example files
experiments    runs an Estimator with its input functions and export strategies
learn_runner   runs an Experiment in the role that TF_CONFIG names
monitoring     watches the steps of a training, and evaluates during it
monitors       exports the monitors under their old names
head           exports the heads under their old names
utils          exports serving input functions and export strategies under their old names
preprocessing  turns texts into arrays of word ids or bytes
datasets       reads CSV files, iris, MNIST and DBpedia
models         builds linear and logistic regressions
"""

from legacy.contrib import _missing
from legacy.contrib.learn import (
    datasets,
    head,
    io,
    learn_runner,
    models,
    monitors,
    preprocessing,
    utils,
)
from legacy.contrib.learn.canned.dnn import DNNClassifier, DNNEstimator, DNNRegressor
from legacy.contrib.learn.canned.dnn_linear_combined import (
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
)
from legacy.contrib.learn.canned.kmeans import KMeansClustering
from legacy.contrib.learn.canned.linear import LinearClassifier, LinearEstimator, LinearRegressor
from legacy.contrib.learn.canned.logistic_regressor import LogisticRegressor
from legacy.contrib.learn.canned.sdca import SVM
from legacy.contrib.learn.constants import (
    ModeKeys,
    NotFittedError,
    PredictionKey,
    ProblemType,
    TaskType,
)
from legacy.contrib.learn.estimators.estimator import BaseEstimator, Estimator, SKCompat
from legacy.contrib.learn.estimators.interfaces import Evaluable, Trainable
from legacy.contrib.learn.estimators.metric_spec import MetricSpec
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.contrib.learn.estimators.run_config import RunConfig
from legacy.contrib.learn.experiments.experiment import Experiment
from legacy.contrib.learn.experiments.export_strategy import ExportStrategy, make_export_strategy
from legacy.contrib.learn.head import (
    Head,
    binary_svm_head,
    multi_class_head,
    multi_head,
    multi_label_head,
    no_op_train_fn,
    poisson_regression_head,
    regression_head,
)
from legacy.contrib.learn.inputs.infer_columns import (
    infer_real_valued_columns_from_input,
    infer_real_valued_columns_from_input_fn,
)
from legacy.contrib.learn.inputs.input_fn_utils import InputFnOps, build_parsing_serving_input_fn
from legacy.contrib.learn.io import (
    extract_pandas_data,
    extract_pandas_labels,
    extract_pandas_matrix,
    read_batch_examples,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_examples,
    read_keyed_batch_features,
)
from legacy.contrib.learn.monitors import NanLossDuringTrainingError

__getattr__ = _missing.attribute_of("learn")

__all__ = [
    "BaseEstimator",
    "DNNClassifier",
    "DNNEstimator",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedEstimator",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "Estimator",
    "Evaluable",
    "Experiment",
    "ExportStrategy",
    "Head",
    "InputFnOps",
    "KMeansClustering",
    "LinearClassifier",
    "LinearEstimator",
    "LinearRegressor",
    "LogisticRegressor",
    "MetricSpec",
    "ModeKeys",
    "ModelFnOps",
    "NanLossDuringTrainingError",
    "NotFittedError",
    "PredictionKey",
    "ProblemType",
    "RunConfig",
    "SKCompat",
    "SVM",
    "TaskType",
    "Trainable",
    "binary_svm_head",
    "build_parsing_serving_input_fn",
    "datasets",
    "extract_pandas_data",
    "extract_pandas_labels",
    "extract_pandas_matrix",
    "head",
    "infer_real_valued_columns_from_input",
    "infer_real_valued_columns_from_input_fn",
    "io",
    "learn_runner",
    "make_export_strategy",
    "models",
    "monitors",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "no_op_train_fn",
    "poisson_regression_head",
    "preprocessing",
    "read_batch_examples",
    "read_batch_features",
    "read_batch_record_features",
    "read_keyed_batch_examples",
    "read_keyed_batch_features",
    "regression_head",
    "utils",
]
