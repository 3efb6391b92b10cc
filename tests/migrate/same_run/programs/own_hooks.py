"""Hooks: one's own, StopAtStep, CheckpointSaver, a NaN guard, hooks of the spec."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(15)
X = random.randn(60, 2).astype(np.float32)
Y = (X[:, :1] - 0.5 * X[:, 1:]).astype(np.float32)


class LossHistory(tf.train.SessionRunHook):
    def __init__(self):
        self.losses = []

    def begin(self):
        self._step = tf.train.get_global_step()

    def before_run(self, run_context):
        return tf.train.SessionRunArgs({"loss": "my_loss:0", "step": self._step})

    def after_run(self, run_context, run_values):
        self.losses.append(run_values.results["loss"])
        if run_values.results["loss"] < 1e-4:
            run_context.request_stop()


def model_fn(features, labels, mode):
    out = tf.layers.dense(features, 1, kernel_initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(out - labels), name="my_loss")
    train_op = tf.train.GradientDescentOptimizer(0.3).minimize(loss, tf.train.get_global_step())
    logging = tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=5)
    return tf.estimator.EstimatorSpec(
        mode, predictions=out, loss=loss, train_op=train_op, training_hooks=[logging],
        eval_metric_ops={"mse": tf.metrics.mean_squared_error(labels, out)})


def input_fn():
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(15)


history = LossHistory()
estimator = tf.estimator.Estimator(
    model_fn, "hooks_model", tf.estimator.RunConfig(tf_random_seed=16, save_checkpoints_steps=None,
                                                    save_checkpoints_secs=None))
estimator.train(input_fn, hooks=[
    history,
    tf.train.StopAtStepHook(last_step=30),
    tf.train.CheckpointSaverHook("hooks_model", save_steps=10),
])
print(len(history.losses), history.losses[-1])
print(estimator.evaluate(input_fn, steps=4))
