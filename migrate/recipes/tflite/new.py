"""Converts a trained Keras model for TensorFlow Lite and runs it there."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 10


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse")
    return model


def convert(folder):
    model = build_model()
    model.fit(input_fn(), steps_per_epoch=STEPS, verbose=0)
    model.save_weights(f"{folder}/model")
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
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
