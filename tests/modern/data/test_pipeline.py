"""Tests for the order of the examples and the share of each trainer."""

import numpy as np
import pytest
import tensorflow as tf

from modern.data import DataError, pipeline

EXAMPLES = 12
FEATURES = np.arange(EXAMPLES * 6, dtype=np.uint8).reshape(EXAMPLES, 2, 3)
LABELS = np.arange(EXAMPLES)


def take(count, batch_size=2, seed=7, **arguments):
    """Returns the labels of the first `count` batches."""
    batches = pipeline.train_batches(FEATURES, LABELS, batch_size, seed, **arguments)
    return [labels.tolist() for _, labels in batches.take(count).as_numpy_iterator()]


def test_a_batch_pairs_features_with_their_labels():
    batches = pipeline.train_batches(FEATURES, LABELS, batch_size=5, seed=0)
    features, labels = next(batches.as_numpy_iterator())
    assert features.dtype == np.uint8
    assert features.shape == (5, 2, 3)
    np.testing.assert_array_equal(features, FEATURES[labels])
    assert batches.element_spec[0].shape == (5, 2, 3)


@pytest.mark.parametrize("trainers", [2, 3])
def test_shares_put_together_are_the_global_batch(trainers):
    shares = [take(9, trainers=trainers, trainer=i) for i in range(trainers)]
    together = [sum(parts, []) for parts in zip(*shares, strict=True)]
    assert together == take(9, batch_size=2 * trainers)
    assert shares[0] != shares[1]


@pytest.mark.parametrize("trainers", [1, 2, 3])
def test_an_epoch_reads_each_example_once(trainers):
    steps = EXAMPLES // (2 * trainers)
    shares = [take(3 * steps, trainers=trainers, trainer=i) for i in range(trainers)]
    for epoch in range(3):
        seen = [sum(share[epoch * steps : (epoch + 1) * steps], []) for share in shares]
        assert sorted(sum(seen, [])) == list(range(EXAMPLES))


def test_the_seed_decides_the_order_and_epochs_differ():
    assert take(12) == take(12)
    assert take(12) != take(12, seed=8)
    first, second = take(12)[:6], take(12)[6:]
    assert first != second
    assert sum(first, []) != sorted(sum(first, []))


def test_the_order_does_not_depend_on_the_process():
    tf.random.set_seed(1)
    before = take(6)
    tf.random.set_seed(2)
    assert take(6) == before


@pytest.mark.parametrize("first_step", [0, 1, 5, 7, 100])
def test_a_continued_training_sees_what_it_would_have_seen(first_step):
    whole = take(first_step + 6, batch_size=5, trainers=2, trainer=1)
    assert take(6, batch_size=5, trainers=2, trainer=1, first_step=first_step) == whole[-6:]


def test_the_trainer_may_be_a_tensor():
    @tf.function
    def first(trainer):
        return next(iter(pipeline.train_batches(FEATURES, LABELS, 2, 7, 3, trainer)))[1]

    shares = [first(tf.constant(i)).numpy().tolist() for i in range(3)]
    assert shares == [take(1, trainers=3, trainer=i)[0] for i in range(3)]


def test_a_v1_graph_gives_the_same_without_holding_the_arrays():
    expected = take(9)
    with tf.Graph().as_default() as graph:
        batches = pipeline.train_batches(np.tile(FEATURES, (1, 100, 100)), LABELS, 2, 7)
        features, labels = tf.compat.v1.data.make_one_shot_iterator(batches).get_next()
        assert features.shape == (2, 200, 300)
        with tf.compat.v1.Session() as session:
            assert [session.run(labels).tolist() for _ in range(9)] == expected
    assert graph.as_graph_def().ByteSize() < 100_000


def test_the_transform_gets_whole_batches():
    batches = pipeline.train_batches(
        FEATURES, LABELS, 4, 7, transform=lambda x, y: (tf.cast(x, tf.float32) / 2, y * 10)
    )
    features, labels = next(batches.as_numpy_iterator())
    np.testing.assert_array_equal(features, FEATURES[labels // 10] / 2)


@pytest.mark.parametrize(("batch_size", "trainers"), [(13, 1), (7, 2), (2, 7)])
def test_too_few_examples(batch_size, trainers):
    with pytest.raises(DataError, match=rf"12 .*{batch_size * trainers}.*--batch_size"):
        pipeline.train_batches(FEATURES, LABELS, batch_size, 0, trainers)
    pipeline.train_batches(FEATURES, LABELS, 12 // trainers, 0, trainers)


def test_evaluation_reads_all_once_in_order():
    batches = list(pipeline.eval_batches(FEATURES, LABELS, 5).as_numpy_iterator())
    assert [len(labels) for _, labels in batches] == [5, 5, 2]
    np.testing.assert_array_equal(np.concatenate([labels for _, labels in batches]), LABELS)
    np.testing.assert_array_equal(np.concatenate([x for x, _ in batches]), FEATURES)


def test_evaluation_transforms():
    (_, labels), *_ = pipeline.eval_batches(FEATURES, LABELS, 12, lambda x, y: (x, -y))
    np.testing.assert_array_equal(labels, -LABELS)


def test_nothing_is_tuned():
    arrays = np.zeros((8, 2), np.float32), np.zeros(8, np.int64)
    for batches in (pipeline.train_batches(*arrays, 4, seed=0), pipeline.eval_batches(*arrays, 4)):
        assert batches.options().autotune.enabled is False
