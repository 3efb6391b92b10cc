"""Rewrites train_and_evaluate for a model that Keras trains: its specs, exporters and strategy.

This rule bridges the model_fn. If it has a Keras model, the rules for Keras models rewrite it.
"""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import ESTIMATORS, SourceFile
from migrate.rewrite.estimators import cluster_configs, estimator_jobs
from migrate.rewrite.rules import bridged_models

_NAME = "tf.estimator.train_and_evaluate"
_UNSEEN = "the Estimator that it is given is not made in this file"


def _find(file: SourceFile) -> Iterator[Change]:
    classes = (*estimator_classes.WITH_MODEL_FN, *estimator_classes.CANNED)
    yield from estimator_jobs.changes(file, RULE, bridged_models.CARRIER, classes, _is_for)
    yield from cluster_configs.changes(file)
    # Another rule rewrites the Estimators of Keras models.
    classes = (*classes, *estimator_classes.OF_KERAS)
    if any(match.name in classes or match.name.startswith(ESTIMATORS) for match in file.names()):
        return
    for match in file.matches(RULE):
        if match.call is not None and match.name == _NAME:
            yield file.suggestion(match.call, _UNSEEN)


def _is_for(use: EstimatorUse) -> bool:
    return use.is_trained_and_evaluated


_IMPORTS = "from legacy import estimator as tf_estimator\nimport os\nimport tensorflow as tf\n"
_HELPERS = "from migrate import bridge\nfrom migrate.bridge import as_estimator\n"
_WHY = "# There is no Keras model for it yet: its optimizer is tf.train.FtrlOptimizer."
_MARKER = (
    "# migrate: bridged, Keras trains the model_fn as it is; "
    "python -m migrate recipes custom_model_fn"
)
_MODEL = (
    "v1 = tf.compat.v1\n"
    "def model_fn(features, labels, mode):\n"
    "    w = v1.get_variable('w', [], initializer=tf.ones_initializer())\n"
    "    out = features['a'] * w\n"
    "    if mode == 'infer':\n"
    "        return tf_estimator.EstimatorSpec(mode, {'out': out})\n"
    "    loss = tf.reduce_mean((out - labels) ** 2)\n"
    "    train_op = v1.train.FtrlOptimizer(0.1).minimize(loss, v1.train.get_global_step())\n"
    "    return tf_estimator.EstimatorSpec(mode, None, loss, train_op)\n"
    "def input_fn():\n"
    "    data = tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.]))\n"
    "    return data.repeat(5)\n"
    "def serving_fn():\n"
    "    a = v1.placeholder(tf.float32, [None], name='a')\n"
    "    return tf_estimator.export.ServingInputReceiver({'a': a}, {'a': a})\n"
    "def served(folder):\n"
    "    model = tf.saved_model.load(os.path.join(folder, os.listdir(folder)[0]))\n"
    "    return model.signatures['serving_default'](a=tf.constant([1.0]))\n"
)
_SEEN = (
    "x, y = estimator.evaluate(input_fn), len(os.listdir('model/export'))\n"
    "z = served('model/export/final')\n"
)
_SEEN_THEN = (
    "x, y = as_estimator.evaluate(estimator, input_fn()), len(os.listdir('model/export'))\n"
    "z = served('model/export/final')\n"
)

RULE = Rule(
    __name__,
    _find,
    message="train_and_evaluate becomes that of a Keras model, in what cluster TF_CONFIG says.",
    source="https://www.tensorflow.org/guide/migrate/evaluator",
    symbols=(_NAME,),
    recipe="evaluator",
    safe=False,
    examples=(
        Example(
            _IMPORTS + _MODEL + "estimator = tf_estimator.Estimator(model_fn, 'model')\n"
            "train_spec = tf_estimator.TrainSpec(input_fn=input_fn, max_steps=3)\n"
            "exporter = tf_estimator.FinalExporter('final', serving_fn)\n"
            "eval_spec = tf_estimator.EvalSpec(\n"
            "    input_fn, steps=None, exporters=[exporter], throttle_secs=0)\n"
            "tf_estimator.train_and_evaluate(estimator, train_spec, eval_spec)\n" + _SEEN,
            _IMPORTS + _HELPERS + _MODEL + f"{_WHY}\n{_MARKER}\n"
            "strategy = as_estimator.strategy('model')\n"
            "with strategy.scope():\n"
            "    estimator = bridge.KerasModelFn(model_fn)\n"
            "as_estimator.restore(estimator, 'model', save_secs=600)\n"
            "exporter = as_estimator.FinalExporter('final', serving_fn)\n"
            "as_estimator.train_and_evaluate(\n"
            "    estimator,\n"
            "    input_fn,\n"
            "    input_fn,\n"
            "    max_steps=3,\n"
            "    exporters=[exporter],\n"
            "    throttle_secs=0,\n"
            ")\n" + _SEEN_THEN,
            unsafe=True,
            api="v2",
        ),
        Example(
            "from legacy import estimator as tf_estimator\n"
            "from modern import porting\n"
            "config = tf_estimator.RunConfig('model', save_checkpoints_steps=5)\n"
            "config = config.replace(keep_checkpoint_max=3)\n"
            "x, y = config.model_dir, config.keep_checkpoint_max\n"
            "z = porting.latest_checkpoint('nowhere')\n",
            "from modern import porting\n"
            "from migrate.bridge import as_estimator\n"
            "config = as_estimator.RunConfig('model', save_checkpoints_steps=5)\n"
            "config = config.replace(keep_checkpoint_max=3)\n"
            "x, y = config.model_dir, config.keep_checkpoint_max\n"
            "z = porting.latest_checkpoint('nowhere')\n",
            api="v2",
        ),
        Example(
            "from modern import porting\n"
            "import tensorflow as tf\n"
            "one = tf.distribute.OneDeviceStrategy('/cpu:0')\n"
            "x = porting.strategy('model', one).num_replicas_in_sync\n",
            "from modern import porting\n"
            "import tensorflow as tf\n"
            "one = lambda: tf.distribute.OneDeviceStrategy('/cpu:0')\n"
            "x = porting.strategy('model', one).num_replicas_in_sync\n",
            api="v2",
        ),
        Example(
            "from legacy import estimator as tf_estimator\n"
            "from migrate.bridge import as_estimator\n"
            "import tensorflow as tf\n"
            "one = tf.distribute.OneDeviceStrategy('/cpu:0')\n"
            "config = tf_estimator.RunConfig('model', train_distribute=one)\n"
            "x = as_estimator.strategy(None, config.train_distribute).num_replicas_in_sync\n",
            "from migrate.bridge import as_estimator\n"
            "import tensorflow as tf\n"
            "one = lambda: tf.distribute.OneDeviceStrategy('/cpu:0')\n"
            "config = as_estimator.RunConfig('model', train_distribute=one)\n"
            "x = as_estimator.strategy(None, config.train_distribute).num_replicas_in_sync\n",
            api="v2",
        ),
    ),
    unchanged=(
        "from legacy import estimator as tf_estimator\n"
        "x = tf_estimator.RunConfig('model').model_dir\n",
        "from modern import porting\nimport tensorflow as tf\n"
        "one = tf.distribute.OneDeviceStrategy('/cpu:0')\n"
        "x = porting.strategy('model', one) is one\n",
        "from legacy import estimator as tf_estimator\nfrom modern import porting\n"
        "def f(model_fn):\n"
        "    return tf_estimator.Estimator(model_fn, config=tf_estimator.RunConfig('model'))\n"
        "x = porting is None\n",
        "from legacy import estimator as tf_estimator\n"
        "def job(estimator, train_spec, eval_spec):\n"
        "    tf_estimator.train_and_evaluate(estimator, train_spec, eval_spec)\nx = 1\n",
        "from legacy import estimator as tf_estimator\n"
        "def job(m, f, specs):\n"
        "    tf_estimator.train_and_evaluate(tf_estimator.Estimator(m), *specs)\nx = 1\n",
        "from legacy import estimator as tf_estimator\n"
        "def job(m, f, train):\n"
        "    estimator = tf_estimator.Estimator(m)\n"
        "    tf_estimator.train_and_evaluate(estimator, train, tf_estimator.EvalSpec(f))\nx = 1\n",
    ),
)
