"""train_and_evaluate with early stopping and two exporters (TensorFlow 1.14)."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(17)
X = random.randn(64, 3).astype(np.float32)
Y = (X.dot([1.0, -1.0, 0.5]) > 0).astype(np.int32)


def input_fn(features, labels, epochs, batch_size):
    ds = tf.data.Dataset.from_tensor_slices(({"x": features}, labels))
    return ds.repeat(epochs).batch(batch_size)


def serving_input_receiver_fn():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features["x"], 2, name="logits")
    predictions = {"class": tf.argmax(logits, 1), "probability": tf.nn.softmax(logits)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        outputs = {"serving_default": tf.estimator.export.PredictOutput(predictions)}
        return tf.estimator.EstimatorSpec(mode, predictions, export_outputs=outputs)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    metrics = {"accuracy": tf.metrics.accuracy(labels, predictions["class"])}
    rate = params["rate"]
    train_op = tf.train.AdagradOptimizer(rate).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, predictions, loss, train_op, eval_metric_ops=metrics)


config = tf.estimator.RunConfig(tf_random_seed=18, save_checkpoints_steps=5, model_dir="early")
estimator = tf.estimator.Estimator(model_fn, config=config, params={"rate": 0.5})
stop = tf.estimator.experimental.stop_if_higher_hook(
    estimator, "accuracy", 0.85, run_every_secs=None, run_every_steps=5)
exporters = [
    tf.estimator.LatestExporter("latest", serving_input_receiver_fn),
    tf.estimator.BestExporter("best", serving_input_receiver_fn),
]
train_spec = tf.estimator.TrainSpec(
    lambda: input_fn(X, Y, None, 8), max_steps=40, hooks=[stop])
eval_spec = tf.estimator.EvalSpec(
    lambda: input_fn(X, Y, 1, 16), steps=None, exporters=exporters, throttle_secs=0,
    start_delay_secs=0)
print(tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)[0])
