"""Without labels: the features are the target."""
import numpy as np
import tensorflow as tf

X = np.random.RandomState(35).rand(40, 9).astype(np.float32)


def model_fn(features, mode):
    images = features["image"]
    code = tf.layers.dense(images, 3, activation=tf.nn.sigmoid, name="code")
    decoded = tf.layers.dense(code, 9, name="decoded")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"code": code})
    loss = tf.reduce_mean(tf.reduce_sum(tf.square(images - decoded), axis=1))
    tf.summary.scalar("reconstruction", loss)
    train_op = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices({"image": X}).batch(8)


estimator = tf.estimator.Estimator(model_fn, "auto", tf.estimator.RunConfig(tf_random_seed=36))
estimator.train(lambda: input_fn().repeat(4))
print(estimator.evaluate(input_fn))
codes = np.array([p["code"] for p in estimator.predict(input_fn)])
print(codes.mean(axis=0))
