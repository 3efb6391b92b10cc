"""Default values that the pages state, as (words, function, argument, default value).

The actual defaults are read from the functions in the process that runs the new programs.
"""

import importlib
import inspect

TRAIN = "tensorflow.compat.v1.train"
KERAS, CALLBACKS = "tf_keras.optimizers", "tf_keras.callbacks"
LEGACY, LEGACY_V1 = "legacy.estimator", "legacy.compat.v1.estimator"
NO_DECREASE = "experimental.stop_if_no_decrease_hook"
# Page -> (words on the page, function, argument, default value).
STATED = {
    "canned_estimators": [
        ("loss_reduction=SUM", f"{LEGACY_V1}.DNNClassifier", "loss_reduction", "weighted_sum"),
        ("begins at 0.001", f"{KERAS}.Adagrad", "learning_rate", 0.001),
        ("accumulator of 0.1", f"{TRAIN}.AdagradOptimizer", "initial_accumulator_value", 0.1),
        ("accumulator of 0.1", f"{KERAS}.Adagrad", "initial_accumulator_value", 0.1),
    ],
    "custom_model_fn": [
        ("1e-8 in `tf.train`", f"{TRAIN}.AdamOptimizer", "epsilon", 1e-8),
        ("1e-7 in Keras", f"{KERAS}.Adam", "epsilon", 1e-7),
    ],
    "metrics_and_optimizers": [
        ("| Adam, epsilon | 1e-8 |", f"{TRAIN}.AdamOptimizer", "epsilon", 1e-8),
        ("| Adam, epsilon | 1e-8 | 1e-7:", f"{KERAS}.Adam", "epsilon", 1e-7),
        ("| RMSProp, epsilon | 1e-10,", f"{TRAIN}.RMSPropOptimizer", "epsilon", 1e-10),
        ("in the root | 1e-7, in the root", f"{KERAS}.RMSprop", "epsilon", 1e-7),
        ("`decay=0.9`", f"{TRAIN}.RMSPropOptimizer", "decay", 0.9),
        ("`rho=0.9`", f"{KERAS}.RMSprop", "rho", 0.9),
        ("| Adadelta, epsilon | 1e-8 |", f"{TRAIN}.AdadeltaOptimizer", "epsilon", 1e-8),
        ("| Adadelta, epsilon | 1e-8 | 1e-7:", f"{KERAS}.Adadelta", "epsilon", 1e-7),
        ("(SGD: 0.01)", f"{KERAS}.SGD", "learning_rate", 0.01),
        ("200 thresholds", "tf_keras.metrics.AUC", "num_thresholds", 200),
        ("200 thresholds", "tensorflow.compat.v1.metrics.auc", "num_thresholds", 200),
    ],
    "checkpoints": [("**Five are kept**", f"{LEGACY}.RunConfig", "keep_checkpoint_max", 5)],
    "tensorboard": [('update_freq="epoch"', f"{CALLBACKS}.TensorBoard", "update_freq", "epoch")],
    "early_stopping": [
        ("`run_every_secs=60`", f"{LEGACY}.{NO_DECREASE}", "run_every_secs", 60),
        ("100 batches", f"{LEGACY}.EvalSpec.__new__", "steps", 100),
        ("after 120 s", f"{LEGACY}.EvalSpec.__new__", "start_delay_secs", 120),
        ("every 600 s", f"{LEGACY}.EvalSpec.__new__", "throttle_secs", 600),
        ("`restore_best_weights=", f"{CALLBACKS}.EarlyStopping", "restore_best_weights", False),
    ],
    "exporters": [("kept five", f"{LEGACY}.BestExporter", "exports_to_keep", 5)],
    "layers_and_losses": [
        ("decay | 0.999 |", "legacy.contrib.layers.batch_norm", "decay", 0.999),
        ("(`scale=False`)", "legacy.contrib.layers.batch_norm", "scale", False),
        ("SAME", "legacy.contrib.layers.conv2d", "padding", "SAME"),
        ("`momentum=0.99`", "tf_keras.layers.BatchNormalization", "momentum", 0.99),
        ("epsilon 0.001", "tensorflow.compat.v1.layers.batch_normalization", "epsilon", 0.001),
    ],
}


def found():
    """Returns the actual default values, by function and argument."""
    stated = [entry for entries in STATED.values() for entry in entries]
    return {
        f"{function} {argument}": default(function, argument) for _, function, argument, _ in stated
    }


def default(function, argument):
    module, *attributes = function.split(".")
    value = importlib.import_module(module)
    for attribute in attributes:
        if inspect.ismodule(value) and not hasattr(value, attribute):
            value = importlib.import_module(f"{value.__name__}.{attribute}")
        else:
            value = getattr(value, attribute)
    return inspect.signature(value).parameters[argument].default
