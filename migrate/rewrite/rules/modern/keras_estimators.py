"""Replaces `model_to_estimator`: the Keras model is trained, evaluated and exported directly."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, estimator_classes
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.estimators.estimator_jobs import Carrier, Job, Model

_CHECKPOINTS = (
    "a Keras model has its own checkpoints: those of the Estimator are to be converted "
    "(python -m migrate checkpoint convert)"
)
_CLUSTER = "# migrate: in a cluster, the strategy comes before the model and all else of TensorFlow"


def _find(file: SourceFile) -> Iterator[Change]:
    carrier, classes = Carrier(_model, "porting"), estimator_classes.OF_KERAS
    yield from estimator_jobs.changes(file, RULE, carrier, classes)


def _model(file: SourceFile, rule: Rule, job: Job) -> Model | str:
    others = sorted(
        set(job.arguments) - {"keras_model", "model_dir", "config", "checkpoint_format"}
    )
    if others:
        return f"model_to_estimator is given {others[0]}: compile the model so"
    porting, imports = bridged_configs.module(file, "porting")
    text = f"{porting}.from_keras({file.segment(job.arguments['keras_model'])})"
    above = _CLUSTER if job.distributes(file) else ""
    return Model(text, imports, above, problem=_CHECKPOINTS)


_HEAD = "from legacy.estimator.keras import keras_model\nimport tensorflow as tf\nimport tf_keras\n"
_MODEL = (
    "layer = tf_keras.layers.Dense(1, kernel_initializer='ones', name='out')\n"
    "model = tf_keras.Sequential([tf_keras.Input([1], name='a'), layer])\n"
    "model.compile(tf_keras.optimizers.legacy.SGD(0.01), 'mse', ['mae'])\n"
    "def input_fn():\n"
    "    values = {'a': [[1.], [2.], [3.]]}, [[2.], [3.], [5.]]\n"
    "    return tf.data.Dataset.from_tensor_slices(values).batch(2)\n"
)

RULE = Rule(
    __name__,
    _find,
    message="The Keras model that an Estimator was made of is trained by itself.",
    source="https://www.tensorflow.org/api_docs/python/tf/keras/estimator/model_to_estimator",
    symbols=(
        "tf.keras.estimator.model_to_estimator",
        *estimator_classes.OF_KERAS,
    ),
    recipe="custom_model_fn",
    safe=False,
    examples=(
        Example(
            _HEAD + _MODEL + "job = keras_model.model_to_estimator_v2(model, model_dir='model')\n"
            "job.train(input_fn)\n"
            "x = job.evaluate(input_fn)\n"
            "y = [one['out'] for one in job.predict(input_fn)]\n",
            "import tensorflow as tf\nfrom modern import porting\nimport tf_keras\n"
            + _MODEL
            + "job = "
            "porting.from_keras(model)\n"
            "porting.restore(job, 'model', save_secs=600)\n"
            "job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)\n"
            "x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), "
            "global_step=int(job.optimizer.iterations))\n"
            "y = [one['out'] for one in porting.predict(job, input_fn())]\n",
            unsafe=True,
            api="v2",
        ),
    ),
    unchanged=(
        _HEAD + "job = keras_model.model_to_estimator_v2(keras_model_path='saved')\nx = job\n",
        _HEAD + _MODEL + "def job():\n    return keras_model.model_to_estimator_v2(model)\nx = 1\n",
    ),
)
