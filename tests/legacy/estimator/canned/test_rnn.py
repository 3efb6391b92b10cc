"""Tests of the arguments of recurrent networks. The oracle compares their values."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.canned import rnn

tf1 = tf.compat.v1
ones = tf1.ones_initializer()


def columns():
    return [tf.feature_column.sequence_numeric_column("x")]


def features():
    return {"x": tf.sparse.SparseTensor([[0, 0], [0, 1], [1, 0]], [0.1, 0.2, 0.3], [2, 2])}


def input_fn(labels=None):
    def made():
        data = features() if labels is None else (features(), np.array(labels))
        return tf.data.Dataset.from_tensors(data)

    return made


def cell():
    return tf.keras.layers.SimpleRNNCell(1, None, kernel_initializer=ones)


def test_steps_are_classified_and_padding_is_not(tmp_path):
    classifier = estimator.experimental.RNNClassifier(
        columns(), units=[2], return_sequences=True, model_dir=str(tmp_path)
    )
    classifier.train(lambda: input_fn([[1, 0], [1, 9]])().repeat(), steps=2)  # 9 is padding.
    first, second = classifier.predict(input_fn())
    assert first["logits"].shape == (2, 1)
    assert [first["sequence_mask"].tolist(), second["sequence_mask"].tolist()] == [
        [True, True],
        [True, False],
    ]


def test_context_is_given_to_each_step():
    context = [tf.feature_column.numeric_column("c")]
    with tf.Graph().as_default(), tf1.Session() as session:
        model = rnn.RNNModel(
            tf.keras.layers.RNN(cell(), return_sequences=True), 1, columns(), context
        )
        inputs = {**features(), "c": tf.constant([[1.0], [2.0]])}
        sequence, _ = model._sequence_features_layer(inputs)
        joined = rnn.with_context(sequence, inputs["c"])
        expected = [[[0.1, 1], [0.2, 1]], [[0.3, 2], [0, 2]]]
        np.testing.assert_allclose(session.run(joined), expected)
        assert model(inputs).shape.as_list() == [2, 2, 1]


def test_a_model_is_made_again_from_its_config():
    layer = tf.keras.layers.SimpleRNN(3)
    model = rnn.RNNModel(layer, 2, columns(), None, tf.keras.activations.sigmoid, name="m")
    copy = rnn.RNNModel.from_config(model.get_config())
    assert copy.get_config() == model.get_config()
    assert copy._sequence_feature_columns == columns()


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"units": [1], "cell_type": rnn.USE_DEFAULT}, tf.keras.layers.SimpleRNNCell),
        ({"units": [1, 2], "cell_type": "gru"}, tf.keras.layers.StackedRNNCells),
        ({"units": 1, "cell_type": "lstm"}, tf.keras.layers.LSTMCell),
        ({"units": None, "cell_type": rnn.USE_DEFAULT, "rnn_cell_fn": cell}, type(cell())),
    ],
)
def test_arguments_make_cells(arguments, kind):
    arguments = {"rnn_cell_fn": None, "return_sequences": False, **arguments}
    assert isinstance(rnn._make_rnn_layer(**arguments).cell, kind)


def test_what_contradicts_itself_is_refused():
    with pytest.raises(ValueError, match="must not be specified when using rnn_cell_fn"):
        estimator.experimental.RNNClassifier(columns(), units=[1], rnn_cell_fn=cell)
    head = estimator.RegressionHead()
    with pytest.raises(ValueError, match="head must be a `_SequentialHead`"):
        estimator.experimental.RNNEstimator(head, columns(), units=[1], return_sequences=True)
    with pytest.raises(ValueError, match="Supported strings.*'lstm'.*Given: 'conv'"):
        rnn._make_rnn_layer(None, [1], "conv", False)


def test_weights_of_steps_are_given_by_name():
    weights = tf.feature_column.numeric_column("w")
    with pytest.raises(TypeError, match="weight_column must be the name of a feature"):
        estimator.experimental.RNNClassifier(
            columns(), units=[1], return_sequences=True, weight_column=weights
        )


def test_the_optimizer_is_checked_before_the_model_is_built():
    classifier = estimator.experimental.RNNClassifier(columns(), units=[1], optimizer=object())
    with pytest.raises(ValueError, match="not a tf.keras.optimizers.Optimizer instance"):
        classifier.model_fn(None, None, "train", None)


def test_a_batch_of_known_size():
    with tf.Graph().as_default(), tf1.Session() as session:
        layer = tf.keras.layers.SimpleRNN(1, None, kernel_initializer=ones, use_bias=False)
        logits = rnn.RNNModel(layer, 1, columns())(features())
        session.run(tf1.global_variables_initializer())
        assert session.run(logits).shape == (2, 1)
