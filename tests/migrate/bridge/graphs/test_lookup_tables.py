"""Tests for lookup tables: equal to those of an Estimator, made once, and on each worker."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge.graphs import lookup_tables
from tests.migrate.bridge.graphs import words
from tests.modern import programs


def test_predictions_equal_those_of_an_estimator(tmp_path):
    def input_fn():
        return tf.data.Dataset.from_tensor_slices(words.data()).batch(16)

    estimator = tf_estimator.Estimator(words.model_fn, str(tmp_path))
    estimator.train(input_fn, steps=1)
    expected = [*estimator.predict(input_fn)]
    model = bridge.KerasModelFn(words.model_fn)
    model.load_estimator_checkpoint(str(tmp_path))
    found = model.predict(input_fn())
    for name, values in found.items():
        np.testing.assert_allclose(values, [example[name] for example in expected], rtol=1e-6)
    assert len(np.unique(found["numbers"])) == 6  # 1, 2, 3, 4, 7, 8.


@pytest.mark.parametrize("are_kept", [True, False])
def test_a_step_fills_no_table(are_kept, monkeypatch, tmp_path):
    (tmp_path / "words.txt").write_text("\n".join(words.WORDS))
    operations = []

    def model_fn(features, labels, mode):
        of_words = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(words.WORDS, [1.0, 2.0, 3.0]), 0.0
        )
        of_file = tf.lookup.TextFileInitializer(
            str(tmp_path / "words.txt"), tf.string, 0, tf.int64, -1
        )
        table = tf.lookup.StaticHashTable(of_file, -1)
        rows = of_words.lookup(features["word"]) + tf.cast(
            table.lookup(features["word"]), tf.float32
        )
        loss = tf.losses.mean_squared_error(labels, tf.layers.dense(rows, 1))
        operations[:] = [op.type for op in tf.get_default_graph().get_operations()]
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    if not are_kept:
        monkeypatch.setattr(lookup_tables, "_KINDS", ())
    bridge.KerasModelFn(model_fn).fit(words.endless(), steps_per_epoch=1, verbose=0)
    filling = {"LookupTableImportV2", "InitializeTableFromTextFileV2"} & {*operations}
    assert (not filling) == are_kept, operations
    assert operations.count("LookupTableFindV2") == 2


def test_a_table_of_computed_words_is_made_in_the_graph():
    def model_fn(features, labels, mode):
        numbers = tf.range(3) + tf.cast(0 * tf.timestamp(), tf.int32)
        keys = tf.gather(tf.constant(words.WORDS), numbers)
        initializer = tf.lookup.KeyValueTensorInitializer(keys, numbers)
        table = tf.lookup.StaticHashTable(initializer, -1)
        return tf_estimator.EstimatorSpec(mode, {"numbers": table.lookup(features["word"])})

    found = bridge.KerasModelFn(model_fn).predict(words.data()[0])["numbers"]
    expected = [[[*words.WORDS, "odd"].index(word)] for [word] in words.data()[0]["word"]]
    np.testing.assert_array_equal(np.where(found == -1, 3, found), expected)


@pytest.mark.parametrize(("defect", "own"), [("", 6), ("planted", 0)])
def test_workers_look_words_up_in_tables_of_their_own(defect, own):
    program = "tests.migrate.bridge.graphs.words"
    found, expected, counts = programs.printed_by(program, defect)
    assert counts == {"own": own, "others": 6 - own, "tables": 4, "fills": 0}
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-5, err_msg=name)
