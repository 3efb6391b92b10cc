"""Trains an unmodified model_fn with Keras, under any tf.distribute strategy.

    from migrate import bridge

    with strategy.scope():
        model = bridge.KerasModelFn(model_fn, params={"learning_rate": 0.1})
    model.load_estimator_checkpoint("old_model_dir")  # weights, slots, step
    model.fit(dataset, steps_per_epoch=1000)

See docs/bridge.md for the supported parts of an Estimator and for the refused ones.

Files in reading order:
model                trains a model_fn: KerasModelFn(model_fn).fit(data)
as_estimator         does the work of an Estimator around the model: restores, saves, exports
inputs               reads the types of features and labels
function_references  imports a function that a flag or a saved model names
graphs               calls the model_fn in graphs, and creates and finds its variables
optimizers           makes and watches the Keras equivalents of v1 optimizers
model_optimizers     applies the optimizers of a model_fn in a trace
metrics              updates and computes the `eval_metric_ops`
model_files          reads and writes Estimator checkpoints, Keras files and SavedModels
training             runs session hooks, and connects a bridged model to the training engine
run_config           configures a program whose Estimators are bridged
tpu_params           passes the batch size of each mode, as a TPUEstimator did
errors               names the line of a model_fn that prevents bridging
jobs                 trains a model_fn or a port as a job
"""

from migrate.bridge.errors import BridgeError
from migrate.bridge.function_references import import_function as load
from migrate.bridge.model import KerasModelFn

__all__ = ["BridgeError", "KerasModelFn", "load"]
