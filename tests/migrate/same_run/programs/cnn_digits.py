"""Convolutional network on small images, in the style of the MNIST tutorial of 2017."""
from __future__ import absolute_import, division, print_function

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.WARN)


def cnn_model_fn(features, labels, mode):
    """Model function for CNN."""
    input_layer = tf.reshape(features["x"], [-1, 8, 8, 1])
    conv1 = tf.layers.conv2d(
        inputs=input_layer, filters=4, kernel_size=[3, 3], padding="same", activation=tf.nn.relu)
    pool1 = tf.layers.max_pooling2d(inputs=conv1, pool_size=[2, 2], strides=2)
    pool1_flat = tf.reshape(pool1, [-1, 4 * 4 * 4])
    dense = tf.layers.dense(inputs=pool1_flat, units=16, activation=tf.nn.relu)
    logits = tf.layers.dense(inputs=dense, units=10)

    predictions = {
        "classes": tf.argmax(input=logits, axis=1),
        "probabilities": tf.nn.softmax(logits, name="softmax_tensor"),
    }
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=predictions)

    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.TRAIN:
        optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.05)
        train_op = optimizer.minimize(loss=loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)

    eval_metric_ops = {
        "accuracy": tf.metrics.accuracy(labels=labels, predictions=predictions["classes"])}
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, eval_metric_ops=eval_metric_ops)


def main(unused_argv):
    random = np.random.RandomState(0)
    train_data = random.rand(96, 64).astype(np.float32)
    train_labels = (train_data[:, :10].argmax(axis=1)).astype(np.int32)

    config = tf.estimator.RunConfig(tf_random_seed=11, save_checkpoints_steps=10)
    classifier = tf.estimator.Estimator(
        model_fn=cnn_model_fn, model_dir="convnet_model", config=config)
    logging_hook = tf.train.LoggingTensorHook(
        tensors={"probabilities": "softmax_tensor"}, every_n_iter=50)
    train_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": train_data}, y=train_labels, batch_size=16, num_epochs=None, shuffle=False)
    classifier.train(input_fn=train_input_fn, steps=20, hooks=[logging_hook])

    eval_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": train_data}, y=train_labels, batch_size=20, num_epochs=1, shuffle=False)
    print(classifier.evaluate(input_fn=eval_input_fn))
    predict_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": train_data[:7]}, num_epochs=1, shuffle=False)
    for prediction in classifier.predict(input_fn=predict_input_fn):
        print(prediction["classes"])


if __name__ == "__main__":
    tf.app.run()
