"""Exports a Keras model. Each signature is a tf.function that is saved with it."""

import os
import tempfile
import time

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 10
FEATURES = {"x": tf.io.FixedLenFeature([3], tf.float32)}


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def to_examples(x):
    """Serializes examples, as a client of the model server would."""
    floats = [tf.train.Feature(float_list=tf.train.FloatList(value=row)) for row in x]
    features = [tf.train.Features(feature={"x": feature}) for feature in floats]
    return [tf.train.Example(features=feature).SerializeToString() for feature in features]


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.1), loss="mse")
    return model


def make_signatures(model):
    takes = [tf.TensorSpec([None], tf.string, name="examples")]

    @tf.function(input_signature=takes)
    def serving_default(examples):
        outputs = model(tf.io.parse_example(examples, FEATURES)["x"], training=False)
        return {"outputs": outputs, "positive": outputs > 0}

    @tf.function(input_signature=takes)
    def scores(examples):
        return {"outputs": serving_default(examples)["outputs"]}

    return {"serving_default": serving_default, "scores": scores}


def main(folder):
    model = build_model()
    model.fit(input_fn(), steps_per_epoch=STEPS, verbose=0)
    # A model server expects one folder per version, named by a number.
    path = os.path.join(folder, "export", str(int(time.time())))
    tf.saved_model.save(model, path, signatures=make_signatures(model))
    examples = to_examples(make_data()[0][:4])
    loaded = tf.saved_model.load(path)
    found = {}
    for signature in ("serving_default", "scores"):
        predict = loaded.signatures[signature]
        answer = predict(examples=tf.constant(examples))
        found[signature] = {name: value.numpy().tolist() for name, value in sorted(answer.items())}
        found[signature + " takes"] = sorted(predict.structured_input_signature[1])
    return found


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
