"""Replaces canned Estimators with known columns by Keras models with preprocessing layers."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.canned import canned_models
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs


def _find(file: SourceFile) -> Iterator[Change]:
    yield from estimator_jobs.changes(file, RULE, canned_models.CARRIER, canned_models.NAMES)


_IMPORTS = "from legacy import estimator as tf_estimator\nimport tensorflow as tf\n"
_OTHERS = (
    "import tensorflow as tf\n"
    "from modern import porting\n"
    "from modern.porting import column_layers\n"
    "from modern.porting import heads\n"
)
_KERAS = "import tf_keras\n"
_COLUMNS = (
    "number = tf.feature_column.numeric_column('a')\n"
    "word = tf.feature_column.categorical_column_with_vocabulary_list('w', ['x', 'y'])\n"
)
_INPUT = (
    "def input_fn():\n"
    "    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}\n"
    "    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)\n"
)
_LINEAR = '''\


def build_model():
    """From features to logits, as LinearClassifier computed them."""
    inputs = {
        "a": tf_keras.Input([1], name="a"),
        "w": tf_keras.Input([None], name="w", dtype="string"),
    }
    ids = {
        "w": tf_keras.layers.StringLookup(vocabulary=['x', 'y'])(inputs["w"]) - 1,
    }
    linear = column_layers.Linear(1, {"w": 2}, name="linear/linear_model")
    wide = linear({"a": inputs["a"], "w": ids["w"]})
    return column_layers.FromFeatures(inputs, wide)


'''
_DEEP = '''\


def build_model():
    """From features to logits, as DNNRegressor computed them."""
    inputs = {
        "a": tf_keras.Input([1], name="a"),
        "w": tf_keras.Input([None], name="w", dtype="string"),
    }
    ids = {
        "w": tf_keras.layers.StringLookup(vocabulary=['x', 'y'])(inputs["w"]) - 1,
    }
    deep = tf_keras.layers.Concatenate()([
        inputs["a"],
        column_layers.EmbeddingBag(2, 3, name="dnn/w_embedding")(ids["w"]),
    ])
    deep = tf_keras.layers.Dense(4, "relu", name="dnn/hiddenlayer_0")(deep)
    deep = tf_keras.layers.Dense(1, name="dnn/logits")(deep)
    return column_layers.FromFeatures(inputs, deep)


'''

RULE = Rule(
    __name__,
    _find,
    message="A canned Estimator is a Keras model, with preprocessing layers for its columns.",
    source="https://www.tensorflow.org/guide/migrate/canned_estimators",
    symbols=canned_models.NAMES,
    recipe="canned_estimators",
    examples=(
        Example(
            _IMPORTS + _INPUT + _COLUMNS + "job = tf_estimator.LinearClassifier([number, word])\n"
            "job.train(input_fn)\n"
            "x = job.evaluate(input_fn)\n"
            "y = list(job.predict(input_fn))\n",
            _OTHERS + _KERAS + _INPUT + _LINEAR + "job = heads.BinaryClassifier(build_model())\n"
            "job.compile(tf_keras.optimizers.legacy.Ftrl(0.2))\n"
            "job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)\n"
            "x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), "
            "global_step=int(job.optimizer.iterations))\n"
            "y = list(porting.predict(job, input_fn()))\n",
            api="v2",
        ),
        Example(
            _IMPORTS + _INPUT + _COLUMNS + "job = tf_estimator.DNNRegressor(\n"
            "    [4], [number, tf.feature_column.embedding_column(word, 3)], optimizer='Adam')\n"
            "job.train(input_fn)\n"
            "x = sorted(job.evaluate(input_fn))\n"
            "y = [len(one['predictions']) for one in job.predict(input_fn)]\n",
            _OTHERS + _KERAS + _INPUT + _DEEP + "job = heads.Regressor(build_model())\n"
            "job.compile(tf_keras.optimizers.legacy.Adam())\n"
            "job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)\n"
            "x = sorted(dict(job.evaluate(input_fn(), verbose=0, return_dict=True), "
            "global_step=int(job.optimizer.iterations)))\n"
            "y = [len(one['predictions']) for one in porting.predict(job, input_fn())]\n",
            api="v2",
        ),
    ),
    unchanged=(
        _IMPORTS + "def job(columns, f):\n"
        "    estimator = tf_estimator.LinearRegressor(columns)\n"
        "    estimator.train(f)\nx = callable(job)\n",
        _IMPORTS
        + _COLUMNS
        + "job = tf_estimator.DNNClassifier([3], [number], warm_start_from='a')\n"
        "x = job.model_fn is not None\n",
        _IMPORTS + _COLUMNS + "x = tf_estimator.LinearRegressor([number]).model_fn is not None\n",
    ),
    safe=False,
    instead_of=("canned_estimators", "train_and_evaluate"),
)
