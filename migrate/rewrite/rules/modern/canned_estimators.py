"""Trains the model_fn of a canned Estimator with Keras, through the bridge, in its model_dir."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.rules import bridged_models


def _find(file: SourceFile) -> Iterator[Change]:
    carrier, classes = bridged_models.CARRIER, estimator_classes.CANNED
    yield from estimator_jobs.changes(file, RULE, carrier, classes, _is_for)


def _is_for(use: EstimatorUse) -> bool:
    return not use.is_trained_and_evaluated  # The rule train_and_evaluate covers those.


_MARKER = (
    "# migrate: bridged, Keras trains the model_fn as it is; "
    "python -m migrate recipes canned_estimators"
)
_IMPORTS = "from legacy import estimator as tf_estimator\nimport tensorflow as tf\n"
_HELPERS = "from migrate import bridge\nfrom migrate.bridge import as_estimator\n"
_COLUMNS = (
    "column = tf.feature_column\n"
    "number = column.numeric_column('a')\n"
    "word = column.categorical_column_with_vocabulary_list('w', ['x', 'y'])\n"
    "wide = [column.bucketized_column(number, [1., 2.]), word]\n"
    "deep = [number, column.embedding_column(word, 2)]\n"
    "def input_fn():\n"
    "    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}\n"
    "    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)\n"
)
# An Estimator with a seed sets the first weights. The rest of the program continues from them.
_FIRST = (
    "config = tf_estimator.RunConfig('model', tf_random_seed=1)\n"
    "first = tf_estimator.DNNClassifier([3], deep, config=config)  # migrate: ignore\n"
    "first.train(input_fn, steps=1)\n"
)

RULE = Rule(
    __name__,
    _find,
    message="Keras trains a canned Estimator's model_fn, from and to the same model_dir.",
    source="https://www.tensorflow.org/guide/migrate/canned_estimators",
    symbols=estimator_classes.CANNED,
    recipe="canned_estimators",
    examples=(
        Example(
            _IMPORTS + _COLUMNS + "job = tf_estimator.LinearClassifier(feature_columns=wide)\n"
            "job.train(input_fn)\n"
            "x = job.evaluate(input_fn)\n",
            _IMPORTS + _HELPERS + _COLUMNS + f"{_MARKER}\n"
            "job = bridge.KerasModelFn("
            "tf_estimator.LinearClassifier(feature_columns=wide).model_fn)\n"
            "job.fit(input_fn(), callbacks=as_estimator.callbacks(job), verbose=2)\n"
            "x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), "
            "global_step=int(job.global_step))\n",
            api="v2",
        ),
        Example(
            _IMPORTS + _COLUMNS + _FIRST + "job = tf_estimator.DNNClassifier(\n"
            "    [3], deep, './model')\n"
            "job.train(input_fn, steps=4)\n"
            "x = job.evaluate(input_fn)['average_loss']\n"
            "y = [one['probabilities'] for one in job.predict(input_fn)]\n",
            _IMPORTS + _HELPERS + _COLUMNS + _FIRST + f"{_MARKER}\n"
            "job = bridge.KerasModelFn(tf_estimator.DNNClassifier(\n"
            "    [3], deep, './model').model_fn)\n"
            "as_estimator.restore(job, './model', save_secs=600)\n"
            "job.fit(input_fn().take(4), callbacks=as_estimator.callbacks(job), verbose=2)\n"
            "x = job.evaluate(input_fn(), verbose=0, return_dict=True)['average_loss']\n"
            "y = [one['probabilities'] for one in as_estimator.predict(job, input_fn())]\n",
            api="v2",
        ),
    ),
    unchanged=(
        _IMPORTS + "def job(columns):\n"
        "    return tf_estimator.DNNRegressor([3], columns)\nx = callable(job)\n",
        _IMPORTS + "def job(columns, f):\n"
        "    estimator = tf_estimator.LinearRegressor(columns, 'model', 1, 'weights')\n"
        "    estimator.train(f)\nx = callable(job)\n",
        _IMPORTS + "def job(columns, f):\n"
        "    found = tf_estimator.LinearRegressor(columns).model_fn\n"
        "    return found\nx = callable(job)\n",
    ),
    safe=False,
)
