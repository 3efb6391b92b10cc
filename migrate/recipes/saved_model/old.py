"""Exports a model that takes serialized examples for TensorFlow Serving, and shows its answers."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS = 10
FEATURES = {"x": tf.FixedLenFeature([3], tf.float32)}


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


def model_fn(features, labels, mode):
    x = features["x"] if isinstance(features, dict) else features
    outputs = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
    predictions = {"outputs": outputs, "positive": outputs > 0}
    if mode == tf.estimator.ModeKeys.PREDICT:
        export_outputs = {
            "serving_default": tf.estimator.export.PredictOutput(predictions),
            "scores": tf.estimator.export.PredictOutput({"outputs": outputs}),
        }
        return tf.estimator.EstimatorSpec(
            mode, predictions=predictions, export_outputs=export_outputs
        )
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator.train(input_fn, steps=STEPS)
    receiver_fn = tf.estimator.export.build_parsing_serving_input_receiver_fn(FEATURES)
    path = estimator.export_savedmodel(folder + "/export", receiver_fn).decode()
    examples = to_examples(make_data()[0][:4])
    found = {}
    for signature in ("serving_default", "scores"):
        predict = tf.contrib.predictor.from_saved_model(path, signature)
        answer = predict({"examples": examples})
        found[signature] = {name: value.tolist() for name, value in sorted(answer.items())}
        found[signature + " takes"] = sorted(predict.feed_tensors)
    return found


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
