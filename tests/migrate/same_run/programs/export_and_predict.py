"""Predictions in whole batches, some of the keys, and two exports."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(31)
X = random.randn(33, 2, 3).astype(np.float32)
Y = X.sum(axis=(1, 2)).astype(np.float32)


def model_fn(features, labels, mode):
    flat = tf.reshape(features["x"], [-1, 6])
    out = tf.layers.dense(flat, 1)[:, 0]
    predictions = {
        "out": out,
        "halves": tf.stack([out / 2.0, out / 2.0], axis=1),
        "key": tf.as_string(features["id"]),
    }
    exports = {
        "serving_default": tf.estimator.export.RegressionOutput(out),
        "all": tf.estimator.export.PredictOutput(predictions),
    }
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions, export_outputs=exports)
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.ProximalGradientDescentOptimizer(0.05).minimize(
        loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, predictions, loss, train_op)


def input_fn(batch_size):
    features = {"x": X, "id": np.arange(33)}
    return tf.data.Dataset.from_tensor_slices((features, Y)).batch(batch_size)


def serving_input_fn():
    spec = {"x": tf.FixedLenFeature([2, 3], tf.float32), "id": tf.FixedLenFeature([], tf.int64)}
    return tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)()


estimator = tf.estimator.Estimator(
    model_fn, "exported_model", tf.estimator.RunConfig(tf_random_seed=32))
estimator.train(lambda: input_fn(8).repeat(3), max_steps=12)
for batch in estimator.predict(lambda: input_fn(10), yield_single_examples=False):
    print(batch["out"].shape, batch["halves"].shape)
keys = [p["key"] for p in estimator.predict(lambda: input_fn(4), predict_keys=["key", "out"])]
print(keys[-1])
path = estimator.export_savedmodel("exported", serving_input_fn)
print(len(path) > 0, estimator.get_variable_names())
