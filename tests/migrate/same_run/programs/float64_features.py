"""Arrays of NumPy that nobody cast: features, weights and the loss are of float64."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(3)
X = random.rand(60, 4)
COUNTS = random.randint(0, 3, (60, 2))
Y = (X[:, 0] > 0.5).astype(np.int32)


def model_fn(features, labels, mode):
    net = tf.concat([features["x"], tf.cast(features["counts"], tf.float64)], 1)
    for units in [8, 6]:
        net = tf.layers.dense(net, units, activation=tf.nn.relu)
        net = tf.layers.dropout(net, rate=0.1)
    logits = tf.layers.dense(net, 2)
    classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(
            mode, predictions={"class": classes, "prob": tf.nn.softmax(logits)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={
            "accuracy": tf.metrics.accuracy(labels, classes)})
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(repeat):
    return tf.estimator.inputs.numpy_input_fn(
        {"x": X, "counts": COUNTS}, Y, batch_size=10, num_epochs=repeat, shuffle=False)


estimator = tf.estimator.Estimator(
    model_fn, "float64_model", tf.estimator.RunConfig(tf_random_seed=3))
estimator.train(input_fn(20))
print(estimator.evaluate(input_fn(1)))
print([prediction["class"] for prediction in estimator.predict(input_fn(1))])
