"""TensorFlow 2 with eager execution off, and tf.compat.v1 under the name tf."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)

random = np.random.RandomState(51)
X = random.randn(40, 2).astype(np.float32)
Y = (X[:, :1] * X[:, 1:]).astype(np.float32)


def model_fn(features, labels, mode, config):
    first = tf.glorot_uniform_initializer()  # Keras' own takes no seed of a graph.
    net = tf.layers.dense(
        features, config.tf_random_seed - 50, activation=tf.tanh, kernel_initializer=first)
    out = tf.layers.dense(net, 1, kernel_initializer=first)
    loss = tf.losses.mean_squared_error(labels, out)
    opt = tf.train.AdadeltaOptimizer(1.0)
    train_op = opt.minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(
        mode, predictions={"out": out}, loss=loss, train_op=train_op,
        eval_metric_ops={"pearson": tf.metrics.mean(out * labels)})


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).repeat(3).batch(8)
    return tf.data.make_one_shot_iterator(dataset).get_next()


estimator = tf.estimator.Estimator(
    model_fn, config=tf.estimator.RunConfig(model_dir="no_eager", tf_random_seed=52))
estimator.train(input_fn)
print(estimator.evaluate(input_fn, steps=5))
