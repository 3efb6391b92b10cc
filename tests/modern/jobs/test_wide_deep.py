"""Tests of the wide and deep model: its parts, and that it learns to predict clicks."""

import numpy as np
import pytest
import tensorflow as tf

from modern.data import clicks
from modern.jobs import wide_deep as job
from modern.model_files import weights
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


@pytest.fixture(scope="module")
def arrays():
    return clicks.clicks(seed=0, train_size=32_768, test_size=4096)


def test_batches(arrays):
    features, labels = next(iter(job.train_input_fn(arrays, 32, seed=0)))
    assert {name: (t.dtype.name, t.shape) for name, t in features.items()} == {
        **dict.fromkeys(job.SCALES, ("float32", (32,))),
        **dict.fromkeys(job.VOCABULARIES, ("string", (32,))),
        **dict.fromkeys(job.HASH_BUCKETS, ("string", (32,))),
    }
    assert labels.shape == (32, 1)
    assert sum(len(y) for _, y in job.eval_input_fn(arrays, 1000)) == 4096


def test_ids_are_those_of_feature_columns():
    columns = {
        **{name: tf.constant([1.0, 2.0, 3.0]) for name in job.SCALES},
        "age": tf.constant([17.0, 18.0, 80.0]),
        "education": tf.constant(["Bachelors", "unheard of", "Doctorate"]),
        "occupation": tf.constant(["a", "b", "c"]),
        **{name: tf.constant(["?"] * 3) for name in ("workclass", "marital_status")},
        **{name: tf.constant(["?"] * 3) for name in ("relationship", "native_country")},
    }
    features = job.build_features(columns)
    assert set(features) == set(job.SCALES) | set(job.ID_SIZES)
    assert features["age_bucketized"].numpy().tolist() == [0, 1, 10]
    assert features["education"].numpy().tolist() == [13, 0, 16]
    fast = tf.strings.to_hash_bucket_fast(columns["occupation"], 20_000)
    assert (features["occupation"].numpy() == fast.numpy()).all()
    pair = [columns[name][:, None] for name in ("education", "occupation")]
    crossed = tf.sparse.cross_hashed(pair, 100_000)
    assert (features["education_X_occupation"].numpy() == crossed.values.numpy()).all()


def test_each_part_has_its_optimizer():
    layers = {name.partition("/")[0] for name in weights.parts_of(job.build_model())}
    parts = job.make_optimizer(0.2).get_config()["optimizers"]
    assert {layer: part["class_name"] for layer, part in parts.items()} == {
        "wide": "Ftrl",
        "deep": "Adagrad",
    }
    assert layers == set(parts)


def test_it_learns_who_clicks(arrays):
    keras.utils.set_random_seed(0)
    model = job.build_model()
    model.compile(
        job.make_optimizer(job.make_learning_rate(job.LEARNING_RATE)),
        job.make_loss(),
        metrics=job.make_metrics(),
        steps_per_execution=100,
    )
    model.fit(
        job.train_input_fn(arrays, 256, seed=0), steps_per_epoch=400, verbose=0, shuffle=False
    )
    found = model.evaluate(job.eval_input_fn(arrays, 1024), verbose=0, return_dict=True)
    assert 0.70 < found["auc"] < arrays.best["auc"]
    base_rate = arrays.test_labels.mean()
    assert found["loss"] < -(
        base_rate * np.log(base_rate) + (1 - base_rate) * np.log(1 - base_rate)
    )
