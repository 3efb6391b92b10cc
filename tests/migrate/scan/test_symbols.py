"""Tests for the symbol tables: verdict, recipe and public name of each symbol."""

import pathlib

import pytest

from legacy.names import tables
from migrate.scan import symbols


@pytest.mark.parametrize(
    ("name", "verdict", "recipe"),
    [
        ("tf.estimator.Estimator", "bridge", "custom_model_fn"),
        ("tf.estimator.ModeKeys.TRAIN", "bridge", "custom_model_fn"),
        ("tf.compat.v1.estimator.Estimator", "bridge", "custom_model_fn"),
        ("tf.compat.v2.estimator.DNNClassifier", "bridge", "canned_estimators"),
        (
            "tensorflow_estimator.python.estimator.run_config.RunConfig",
            "bridge",
            "checkpoint_saver",
        ),
        ("tensorflow_estimator.estimator.RunConfig", "bridge", "checkpoint_saver"),
        (
            "tensorflow_estimator.python.estimator.api._v2.estimator.RunConfig",
            "bridge",
            "checkpoint_saver",
        ),
        ("tf.contrib.layers.python.layers.layers.conv2d", "bridge", "layers_and_losses"),
        ("tf.contrib.keras.python.keras.layers.Dense", "gone", ""),
        ("dimension", "bridge", "layers_and_losses"),
        ("tf.contrib.training.HParams", "by hand", "hparams"),
        ("tf.contrib.layers.conv2d", "bridge", "layers_and_losses"),
        ("tf.compat.v1.layers.dense", "bridge", "layers_and_losses"),
        ("tf.train.SyncReplicasOptimizer", "by hand", "synchronous_parameter_servers"),
        ("tf.feature_column.numeric_column", "runs", "feature_columns"),
        ("tf.summary.scalar", "by hand", "tensorboard"),
        ("tf.python.framework.ops.GraphKeys", "by hand", "sessions_and_graphs"),
        ("tf.keras.estimator.model_to_estimator", "by hand", "custom_model_fn"),
        ("make_one_shot_iterator", "bridge", "input_functions"),
        ("tf.estimator.BoostedTreesClassifier", "gone", ""),
        ("tf.contrib.tensorrt.create_inference_graph", "gone", ""),
        ("tf.contrib.layers.no_such_thing", "could not decide", "layers_and_losses"),
        ("tf.estimator.Estimater", "could not decide", "custom_model_fn"),
        ("tf.estimator.?", "could not decide", "custom_model_fn"),
    ],
)
def test_a_name_of_the_era(name, verdict, recipe):
    known = symbols.look_up(name)
    # A rule of `migrate rewrite` may handle a name that the tables leave to the bridge or a person.
    assert known.verdict == verdict or (known.rule and verdict in ("bridge", "by hand", "runs"))
    assert known.recipe == recipe
    assert known.todo


@pytest.mark.parametrize(
    "name",
    [
        "tf",
        "tf.cast",
        "tf.compat.v1",
        "tf.compat.v1.cast",
        "tf.compat.as_bytes",
        "tf.keras.layers.Dense",
        "tf.data.Dataset.map",
        "tf.losses.Huber",
        "tf.metrics.Mean",
        "tf.train.Checkpoint",
        "tf.train.Example",
        "tf.summary",
        "tf.summary.create_file_writer",
        "tf.summary.experimental.set_step",
        "numpy.layers",
    ],
)
def test_a_name_of_today(name):
    assert symbols.look_up(name) is None


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("tf.compat.v1.layers.dense", "tf.layers.dense"),
        ("tensorflow_estimator.estimator.Estimator", "tf.estimator.Estimator"),
        ("tf.python.estimator.canned.dnn.DNNClassifier", "tf.estimator.DNNClassifier"),
        ("tf.contrib.learn.python.learn.estimators.svm.SVM", "tf.contrib.learn.SVM"),
        ("tf.python.training.monitored_session.Scaffold", "tf.train.Scaffold"),
        ("tf.python.client.session.Session", "tf.Session"),
        (
            "tf.python.training.training_util.global_step",
            "tf.python.training.training_util.global_step",
        ),
    ],
)
def test_the_public_name_of_what_was_private(name, public):
    assert symbols.public(name) == public


def test_a_private_module_that_left_before_says_the_public_name():
    known = symbols.look_up("tf.contrib.keras.python.keras.layers.Dense")
    assert known.runs is False
    assert known.todo.endswith("use the public name tf.contrib.keras.layers.Dense")


def test_every_name_that_left_with_version_1_is_known():
    for name in tables.names_of("v1") - {"tf.python", "tf.python_io", "tf.summary"}:
        assert symbols.look_up(name) is not None, name


def test_every_entry_names_a_verdict_and_a_recipe():
    recipes = {row["recipe"] for row in symbols._rows().values()}
    verdicts = {row["verdict"] for row in symbols._rows().values()}
    assert verdicts <= set(symbols.VERDICTS)
    assert all(recipe.isidentifier() for recipe in recipes)


def test_what_is_gone_says_what_people_did_instead():
    for line in (pathlib.Path(symbols.__file__).parent / "names.txt").read_text().split():
        if line.startswith("-"):
            known = symbols.look_up(line.strip("-/"))
            assert known is None or (known.verdict == "gone" and known.todo), line
