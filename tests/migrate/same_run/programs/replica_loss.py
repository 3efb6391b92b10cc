"""A model_fn that asks tf.distribute for the replicas, under MirroredStrategy (TensorFlow 2)."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(5)
X = random.randn(64, 3).astype(np.float32)
Y = X.dot([[1.0], [-2.0], [0.5]]).astype(np.float32)
BATCH = 8


def input_fn(mode):
    ds = tf.data.Dataset.from_tensor_slices((X, Y))
    if mode == tf.estimator.ModeKeys.TRAIN:
        ds = ds.repeat(2)
    return ds.batch(BATCH)


def model_fn(features, labels, mode):
    kernel = tf.compat.v1.get_variable("kernel", [3, 1], initializer=tf.compat.v1.zeros_initializer())
    out = tf.matmul(features, kernel)
    replicas = tf.distribute.get_strategy().num_replicas_in_sync
    in_cross = tf.distribute.in_cross_replica_context()
    loss = tf.reduce_sum(tf.square(out - labels)) / (BATCH * replicas)
    if in_cross:
        loss = loss * 2.0
    metrics = {
        "mse": tf.compat.v1.metrics.mean_squared_error(labels, out),
        "has_strategy": tf.compat.v1.metrics.mean(float(tf.distribute.has_strategy())),
    }
    optimizer = tf.compat.v1.train.MomentumOptimizer(0.05, 0.9)
    train_op = None
    if mode == tf.estimator.ModeKeys.TRAIN:
        train_op = optimizer.minimize(loss, tf.compat.v1.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(
        mode, predictions=out, loss=loss, train_op=train_op, eval_metric_ops=metrics)


strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
config = tf.estimator.RunConfig(
    "replica_model", tf_random_seed=1, train_distribute=strategy)
classifier = tf.estimator.Estimator(model_fn, config=config)
classifier.train(input_fn=lambda: input_fn("train"), steps=12)
print(classifier.evaluate(input_fn=lambda: input_fn("eval")))
