"""Tests of the sparse embeddings: their ids, their sparse gradients, and that they learn."""

import numpy as np
import pytest
import tensorflow as tf

from modern.data import impressions
from modern.jobs import sparse_embeddings as job
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


@pytest.fixture(scope="module")
def arrays():
    return impressions.impressions(seed=0, train_size=32_768, test_size=4096)


@pytest.fixture(autouse=True)
def small_tables(monkeypatch):
    monkeypatch.setattr(job, "HASH_BUCKETS", 3000)


def test_batches(arrays):
    features, labels = next(iter(job.train_input_fn(arrays, 32, seed=0)))
    assert {(one.dtype.name, tuple(one.shape)) for one in features.values()} == {("int64", (32,))}
    assert labels.shape == (32, 1)
    assert sum(len(y) for _, y in job.eval_input_fn(arrays, 1000)) == 4096


def test_ids_are_those_of_feature_columns():
    ids = np.array([1, 2, 12345], np.int64)
    columns = {name: tf.constant(ids) for name in impressions.COLUMNS}
    model = job.build_model()
    hashing = next(one for one in model.layers if isinstance(one, keras.layers.Hashing))
    inputs = model.inputs
    hashed = keras.Model(inputs, hashing.output)(columns)
    fast = tf.strings.to_hash_bucket_fast(tf.as_string(ids), job.HASH_BUCKETS)
    assert hashed.numpy().tolist() == fast.numpy().tolist()


def test_a_step_updates_only_the_rows_of_its_ids(arrays):
    model = job.build_model()
    model.compile(job.make_optimizer(0.05), job.make_loss())
    before = [table.numpy() for table in model.trainable_variables]
    features, labels = next(iter(job.train_input_fn(arrays, 4, seed=0)))
    with tf.GradientTape() as tape:
        loss = job.make_loss()(labels, model(features))
    gradients = tape.gradient(loss, model.trainable_variables)
    assert sum(isinstance(one, tf.IndexedSlices) for one in gradients) == len(impressions.COLUMNS)
    model.train_on_batch(features, labels)
    tables = zip(model.trainable_variables, before, strict=True)
    changed = [
        np.any(table.numpy() != old, axis=1).sum() for table, old in tables if len(old) == 3000
    ]
    assert len(changed) == len(impressions.COLUMNS)
    assert min(changed) >= 1
    assert max(changed) <= 4


def test_it_learns_who_clicks(arrays):
    keras.utils.set_random_seed(0)
    model = job.build_model()
    model.compile(
        job.make_optimizer(job.make_learning_rate(job.LEARNING_RATE)),
        job.make_loss(),
        metrics=job.make_metrics(),
    )
    model.fit(
        job.train_input_fn(arrays, 256, seed=0), steps_per_epoch=400, verbose=0, shuffle=False
    )
    found = model.evaluate(job.eval_input_fn(arrays, 1024), verbose=0, return_dict=True)
    assert 0.65 < found["auc"] < arrays.best["auc"]
