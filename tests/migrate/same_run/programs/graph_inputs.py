"""Input functions of 2016: a queue, and a hook that feeds placeholders of an iterator."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(51)
X = random.randn(40, 4).astype(np.float32)
Y = (X[:, 0] > 0).astype(np.int64)


class IteratorInitializerHook(tf.train.SessionRunHook):
    def __init__(self):
        self.initializer_func = None

    def after_create_session(self, session, coord):
        self.initializer_func(session)


def get_inputs():
    hook = IteratorInitializerHook()

    def inputs():
        x, y = tf.placeholder(X.dtype, X.shape), tf.placeholder(Y.dtype, Y.shape)
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(8)
        iterator = dataset.make_initializable_iterator()
        hook.initializer_func = lambda sess: sess.run(iterator.initializer, {x: X, y: Y})
        return iterator.get_next()

    return inputs, hook


def queue_input_fn():
    x, y = tf.train.slice_input_producer([X, Y], num_epochs=1, shuffle=False)
    return tf.train.batch([x, y], batch_size=6, allow_smaller_final_batch=True)


def model_fn(features, labels, mode):
    logits = tf.layers.dense(features, 2, kernel_initializer=tf.zeros_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"logits": logits})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.train.GradientDescentOptimizer(0.3).minimize(loss, tf.train.get_global_step())
    classes = tf.argmax(logits, axis=1)
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op,
        eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, classes)})


estimator = tf.estimator.Estimator(model_fn, "inputs_model")
input_fn, input_hook = get_inputs()
estimator.train(input_fn, hooks=[input_hook], steps=12)
print(estimator.evaluate(input_fn, hooks=[input_hook], steps=4))
estimator.train(queue_input_fn)
print(estimator.evaluate(queue_input_fn))
print([row["logits"].tolist() for row in estimator.predict(queue_input_fn)][:2])
