"""Converts a trained Estimator for TensorFlow Lite and runs it there."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS = 10


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def model_fn(features, labels, mode):
    x = features["x"] if isinstance(features, dict) else features
    outputs = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        predictions = {"outputs": outputs}
        export_outputs = {"serving_default": tf.estimator.export.PredictOutput(predictions)}
        return tf.estimator.EstimatorSpec(mode, predictions, export_outputs=export_outputs)
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def convert(folder):
    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator.train(input_fn, steps=STEPS)
    path = estimator.export_savedmodel(folder + "/export", serving_input_receiver_fn)
    converter = tf.lite.TFLiteConverter.from_saved_model(path.decode())
    return converter.convert()


def run(content, rows):
    """Runs the model on one example at a time, as on a phone."""
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    (takes,), (gives,) = interpreter.get_input_details(), interpreter.get_output_details()
    answers = []
    for row in rows:
        interpreter.set_tensor(takes["index"], row[np.newaxis])
        interpreter.invoke()
        answers.append(float(interpreter.get_tensor(gives["index"])[0, 0]))
    return answers


def main(folder):
    return {"outputs": run(convert(folder), make_data()[0][:4])}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
