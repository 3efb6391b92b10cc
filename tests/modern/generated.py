"""The parts of a program that `migrate rewrite` generates: model, data and serving function."""

import numpy as np
import tensorflow as tf
import tf_keras


def data(count=64, seed=0, slope=1.0):
    """Returns examples with features {"x": (4,)} and labels (1,), both float32."""
    x = np.random.RandomState(seed).randn(count, 4).astype("f")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, slope * x[:, :1]))


class Model(tf_keras.Model):
    def __init__(self, params):
        super().__init__(autocast=False)
        self.params = params
        start = tf_keras.initializers.GlorotUniform
        self.hidden = tf_keras.layers.Dense(3, "tanh", kernel_initializer=start(1), name="hidden")
        self.out = tf_keras.layers.Dense(1, kernel_initializer=start(2), name="out")
        self.eval_metrics = {
            "loss": tf_keras.metrics.Mean(name="loss"),
            "mae": tf_keras.metrics.MeanAbsoluteError(name="mae"),
        }

    def call(self, features, training=False):
        return self.out(self.hidden(features["x"]))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        loss = tf.reduce_mean((y_pred - y) ** 2)
        self.eval_metrics["loss"].update_state(loss)
        return loss / self.distribute_strategy.num_replicas_in_sync

    def compute_metrics(self, x, y, y_pred, sample_weight):
        self.eval_metrics["mae"].update_state(y, y_pred)
        return self.get_metrics_result()

    def predict_step(self, data):
        features, _, _ = tf_keras.utils.unpack_x_y_sample_weight(data)
        return {"out": self(features, training=False)}

    def make_optimizer(self):
        return tf_keras.optimizers.SGD(learning_rate=self.params["rate"])


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
def serving(x):
    return {"x": x}


def compiled(strategy=None, rate=0.05, make=Model):
    """Returns a compiled model under a strategy."""
    with (strategy or tf.distribute.get_strategy()).scope():
        model = make({"rate": rate})
        model.compile(model.make_optimizer())
    return model


def train_data():
    """Returns endless batches of eight examples."""
    return data().repeat().batch(8)


def eval_data():
    """Returns 50 other examples in batches of 16."""
    return data(50, seed=5).batch(16)
