"""TPUEstimator without a TPU: batch sizes from params, host metrics."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(41)
X = random.randn(64, 3).astype(np.float32)
Y = (X[:, 0] > 0).astype(np.int32)


def input_fn(params):
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).repeat()
    return dataset.apply(tf.contrib.data.batch_and_drop_remainder(params["batch_size"]))


def metric_fn(labels, logits):
    return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))}


def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features, 2)
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.contrib.tpu.TPUEstimatorSpec(
            mode=mode, loss=loss, eval_metrics=(metric_fn, [labels, logits]))
    optimizer = tf.train.GradientDescentOptimizer(params["learning_rate"])
    if params["use_tpu"]:
        optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
    return tf.contrib.tpu.TPUEstimatorSpec(
        mode=mode, loss=loss,
        train_op=optimizer.minimize(loss, global_step=tf.train.get_global_step()))


run_config = tf.contrib.tpu.RunConfig(
    model_dir="tpu_model", tf_random_seed=42,
    tpu_config=tf.contrib.tpu.TPUConfig(iterations_per_loop=4, num_shards=1))
estimator = tf.contrib.tpu.TPUEstimator(
    model_fn=model_fn, use_tpu=False, train_batch_size=16, eval_batch_size=8,
    params={"learning_rate": 0.2, "use_tpu": False, }, config=run_config)
estimator.train(input_fn=input_fn, max_steps=12)
print(estimator.evaluate(input_fn=input_fn, steps=4))
