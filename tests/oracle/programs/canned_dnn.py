"""A deep classifier with weights and batch normalization: training, predictions, SavedModel."""

import tensorflow as tf

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def run(estimator, folder):
    classifier = estimator.DNNClassifier(
        [4, 3],
        inputs.small_dense(),
        weight_column="importance",
        batch_norm=True,
        activation_fn=tf.nn.tanh,
        config=inputs.config(estimator, folder + "/model"),
    )
    input_fn = inputs.input_fn(inputs.binary())
    found = facts.ten_more_steps(classifier, input_fn)
    found["summaries"] = inputs.summary_tags(classifier.model_dir)
    predictions = [each for each, _ in zip(classifier.predict(input_fn), range(5))]
    found["predictions"] = facts.plain(predictions)

    def receiver_fn():
        features = {
            "number": tf1.placeholder(tf.float32, [None, 2]),
            "word": tf1.placeholder(tf.string, [None, 1]),
        }
        return estimator.export.ServingInputReceiver(features, features)

    path = classifier.export_saved_model(folder + "/export", receiver_fn)
    found["signatures"] = facts.signatures(path.decode())
    return found
