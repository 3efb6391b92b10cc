"""Tests that a step without data changes nothing."""

import pytest
import tensorflow as tf

from modern.model_files import restoring
from modern.optimizers import chosen
from modern.process.chosen_keras import keras
from modern.training.steps import whole_steps


class Counting(keras.Model):
    """A model whose training step counts, without a need for data."""

    def __init__(self):
        super().__init__()
        self.count = tf.Variable(0, trainable=False)

    def train_step(self, data):
        self.count.assign_add(1)
        return {"loss": tf.reduce_mean(data["x"])}


def data_of_unknown_size():
    return tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0, 3.0]}).filter(lambda batch: True)


def test_a_step_waits_for_its_data():
    model = Counting()
    for _ in range(2):  # A second call changes nothing.
        whole_steps.wait_for_data(model)
    model.compile()
    model.fit(data_of_unknown_size(), epochs=2, verbose=0)
    assert int(model.count) == 2 * 3


@pytest.mark.keras(2, 3)
@pytest.mark.filterwarnings("ignore:Your input ran out of data")  # Keras 3, of its last step.
def test_an_evaluation_counts_its_batches():
    inputs = tf.data.Dataset.from_tensor_slices((tf.zeros([8, 1]), tf.ones([8, 1])))
    data = inputs.batch(4, drop_remainder=True).filter(lambda x, y: True)  # Of unknown size.
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=False)
    whole_steps.wait_for_data(model)
    assert model.evaluate(data, verbose=0) == 1.0


@pytest.mark.keras(3)
def test_the_optimizers_of_layers_create_their_slots_outside_of_a_step():
    model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, name="a")])
    optimizer = chosen.ByLayer({"a": chosen.Adagrad(0.5)})
    model.compile(optimizer, "mse", jit_compile=False)
    whole_steps.wait_for_data(model)
    spec = (tf.TensorSpec([None, 1]), tf.TensorSpec([None, 1]))
    restoring.prepare(model, model.train_step, spec)
    slots = [variable for variable in optimizer.variables if "accumulator" in variable.path]
    assert [float(slot.numpy().squeeze()) for slot in slots] == pytest.approx([0.1, 0.1])


def test_operations_wait_in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32)
        sparse = tf.sparse.from_dense([[1.0]])
        with whole_steps.after((x, {"s": sparse, "n": None})):
            operation = tf.no_op()
    assert {x.op, sparse.values.op} <= set(operation.control_inputs)
