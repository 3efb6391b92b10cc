"""Input that a shuffle with a seed orders, read once and then again from the start."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(23)
X = random.randn(60, 5).astype(np.float32)
Y = (X.sum(axis=1) > 0).astype(np.int32)


def input_fn(epochs, seed):
    dataset = tf.data.Dataset.from_tensor_slices(({"x": X}, Y))
    return dataset.shuffle(60, seed=seed).repeat(epochs).batch(12)


def model_fn(features, labels, mode):
    init = tf.glorot_uniform_initializer(seed=5)
    hidden = tf.layers.dense(features["x"], 6, activation=tf.nn.relu, kernel_initializer=init)
    logits = tf.layers.dense(hidden, 2, kernel_initializer=init)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"classes": tf.argmax(logits, 1)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, tf.train.get_global_step()),
        eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})


classifier = tf.estimator.Estimator(model_fn, "shuffled_model")
classifier.train(lambda: input_fn(2, 7))
classifier.train(lambda: input_fn(1, 8))
print(classifier.evaluate(lambda: input_fn(1, 9)))
print([p["classes"] for p in classifier.predict(lambda: input_fn(1, 10))][:10])
