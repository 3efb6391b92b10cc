"""Tests for datasets of input functions that return tensors of a graph."""

import numpy as np
import pytest
import tensorflow as tf

from modern import porting

tf1 = tf.compat.v1


def numbers(dataset):
    return [one.numpy().tolist() for one in dataset]


def queue():
    (number,) = tf1.train.slice_input_producer([np.arange(5.0)], num_epochs=2, shuffle=False)
    batch = tf1.train.batch([number], 4, allow_smaller_final_batch=True)
    return {"x": batch}, batch * 2


@pytest.mark.filterwarnings("ignore")
def test_a_queue_ends_and_starts_again():
    dataset = porting.graph_dataset(queue)
    assert dataset.element_spec[0]["x"].shape == [None]
    for _ in range(2):
        found = [(x["x"].numpy().tolist(), y.numpy().tolist()) for x, y in dataset]
        assert [x for x, _ in found] == [[0, 1, 2, 3], [4, 0, 1, 2], [3, 4]]
        assert all(y == [2 * one for one in x] for x, y in found)
    assert len([*dataset.take(1)]) == 1


@pytest.mark.filterwarnings("ignore")
def test_file_names_that_are_matched_once(tmp_path):
    (tmp_path / "lines.csv").write_text("1\n2\n")

    def input_fn():
        names = tf1.train.match_filenames_once(str(tmp_path / "*.csv"))
        files = tf1.train.string_input_producer(names, num_epochs=1)
        return tf1.TextLineReader().read_up_to(files, 10)[1]

    (batch,) = porting.graph_dataset(input_fn)
    assert batch.numpy().tolist() == [b"1", b"2"]


def test_an_initializer_among_the_tables():
    def input_fn():
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [7]), 0)
        dataset = tf.data.Dataset.from_tensors(["a", "b"]).map(table.lookup)
        iterator = tf1.data.make_initializable_iterator(dataset)
        tf1.add_to_collection(tf1.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return iterator.get_next(), None

    assert numbers(porting.graph_dataset(input_fn)) == [[7, 0]]


def test_a_hook_feeds_placeholders():
    class Hook(tf1.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.run(session)

    hook = Hook()

    def input_fn():
        given = tf1.placeholder(tf.float32, [None])
        iterator = tf1.data.make_initializable_iterator(
            tf.data.Dataset.from_tensor_slices(given).batch(2)
        )
        hook.run = lambda session: session.run(iterator.initializer, {given: [1, 2, 3]})
        return iterator.get_next()

    assert numbers(porting.graph_dataset(input_fn, hooks=[hook])) == [[1, 2], [3]]


def test_datasets_and_constants():
    assert numbers(porting.graph_dataset(lambda: tf.data.Dataset.range(3))) == [0, 1, 2]
    features = porting.graph_dataset(lambda: {"x": tf.constant([1.0])}).take(2)  # It has no end.
    assert [one["x"].numpy().tolist() for one in features] == [[1], [1]]


def test_sparse_tensors():
    def input_fn():
        sparse = tf.SparseTensor([[0, 1]], [5.0], [2, 2])
        dataset = tf.data.Dataset.from_tensors(sparse)
        return {"s": tf1.data.make_one_shot_iterator(dataset).get_next()}

    (found,) = porting.graph_dataset(input_fn)
    assert tf.sparse.to_dense(found["s"]).numpy().tolist() == [[0, 5], [0, 0]]


def test_an_error_of_the_input_is_told():
    def input_fn():
        dataset = tf.data.Dataset.range(3).map(lambda one: 1 // one)
        return tf1.data.make_one_shot_iterator(dataset).get_next()

    with pytest.raises(tf.errors.OpError, match="by zero"):
        numbers(porting.graph_dataset(input_fn))


def test_three_parts_are_refused():
    with pytest.raises(ValueError, match="len 2 tuple"):
        porting.graph_dataset(lambda: (1, 2, 3))
