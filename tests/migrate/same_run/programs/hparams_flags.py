"""HParams parsed from a flag, a model_fn in a class, eval in rounds."""
import numpy as np
import tensorflow as tf

tf.app.flags.DEFINE_string("hparams", "num_units=6,rate=0.1", "Comma separated list of values.")
tf.app.flags.DEFINE_boolean("evaluate_first", True, "")
FLAGS = tf.app.flags.FLAGS


class Model(object):
    def __init__(self, hparams):
        self.hparams = hparams

    def __call__(self, features, labels, mode, params):
        x = tf.feature_column.input_layer(features, params["feature_columns"])
        with tf.variable_scope("tower"):
            x = tf.layers.dense(x, self.hparams.num_units, activation=self.hparams.activation)
        out = tf.layers.dense(x, 1, use_bias=False)[:, 0]
        head = tf.contrib.estimator.regression_head()
        return head.create_estimator_spec(
            features, mode, out[:, tf.newaxis], labels=labels,
            train_op_fn=lambda loss: tf.train.GradientDescentOptimizer(self.hparams.rate).minimize(
                loss, global_step=tf.train.get_global_step()))


def main(_):
    hparams = tf.contrib.training.HParams(num_units=4, rate=0.01, activation=tf.nn.elu)
    hparams.parse(FLAGS.hparams)
    random = np.random.RandomState(13)
    data = {"a": random.rand(30).astype("float32"), "b": random.rand(30).astype("float32")}
    target = (data["a"] - data["b"])[:, np.newaxis]
    columns = [tf.feature_column.numeric_column(name) for name in ("a", "b")]

    def input_fn():
        return tf.data.Dataset.from_tensor_slices((data, target)).batch(6)

    estimator = tf.estimator.Estimator(
        Model(hparams), "hparams_model", tf.estimator.RunConfig(tf_random_seed=14),
        params={"feature_columns": columns})
    for _ in range(3):
        estimator.train(input_fn, max_steps=12)
        print(estimator.evaluate(input_fn))


if __name__ == "__main__":
    tf.app.run()
