"""tf.contrib.learn's Estimator with ModelFnOps, of 2016."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib import layers
from tensorflow.contrib import learn

tf.logging.set_verbosity(tf.logging.ERROR)
random = np.random.RandomState(0)
X = random.randn(80, 4).astype(np.float32)
Y = (X.sum(axis=1) > 0).astype(np.int64)


def input_fn():
    x, y = tf.train.batch([tf.constant(X), tf.constant(Y)], 40, enqueue_many=True, num_threads=1)
    return {"x": x}, y


def model_fn(features, targets, mode, params):
    net = layers.stack(features["x"], layers.fully_connected, [10, 5])
    prediction, loss = None, None
    logits = layers.fully_connected(net, 2, activation_fn=None)
    prediction = {"class": tf.argmax(logits, 1), "prob": tf.nn.softmax(logits)}
    if mode != learn.ModeKeys.INFER:
        onehot = tf.one_hot(targets, 2, 1, 0)
        loss = tf.losses.softmax_cross_entropy(onehot, logits)
    train_op = None
    if mode == learn.ModeKeys.TRAIN:
        train_op = layers.optimize_loss(
            loss, tf.contrib.framework.get_global_step(), optimizer="Adagrad",
            learning_rate=params["learning_rate"])
    return learn.ModelFnOps(mode, prediction, loss, train_op)


classifier = learn.Estimator(
    model_fn=model_fn, model_dir="learn_model", params={"learning_rate": 0.1},
    config=learn.RunConfig(tf_random_seed=7))
classifier.fit(input_fn=input_fn, steps=15)
score = classifier.evaluate(
    input_fn=input_fn, steps=2,
    metrics={"accuracy": learn.MetricSpec(tf.metrics.accuracy, prediction_key="class")})
print("Accuracy: %f" % score["accuracy"])
