"""A premade DNNClassifier with shuffled input, after the getting-started guide of 2018."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", default=20, type=int, help="batch size")
parser.add_argument("--train_steps", default=30, type=int, help="number of training steps")

SPECIES = ["Setosa", "Versicolor", "Virginica"]


def load_data():
    random = np.random.RandomState(1)
    labels = random.randint(0, 3, 120)
    features = {
        "SepalLength": 5.0 + labels + random.randn(120),
        "PetalWidth": 0.2 + 0.8 * labels + 0.2 * random.randn(120),
    }
    return {k: v.astype(np.float32) for k, v in features.items()}, labels


def train_input_fn(features, labels, batch_size):
    dataset = tf.data.Dataset.from_tensor_slices((dict(features), labels))
    return dataset.shuffle(1000).repeat().batch(batch_size)


def eval_input_fn(features, labels, batch_size):
    features = dict(features)
    inputs = features if labels is None else (features, labels)
    return tf.data.Dataset.from_tensor_slices(inputs).batch(batch_size)


def main(argv):
    args = parser.parse_args(argv[1:])
    train_x, train_y = load_data()
    my_feature_columns = [tf.feature_column.numeric_column(key=key) for key in sorted(train_x)]
    classifier = tf.estimator.DNNClassifier(
        feature_columns=my_feature_columns,
        hidden_units=[10, 10],
        n_classes=3,
        model_dir="iris",
        config=tf.estimator.RunConfig(tf_random_seed=5))
    classifier.train(
        input_fn=lambda: train_input_fn(train_x, train_y, args.batch_size),
        steps=args.train_steps)
    eval_result = classifier.evaluate(
        input_fn=lambda: eval_input_fn(train_x, train_y, args.batch_size))
    print("\nTest set accuracy: {accuracy:0.3f}\n".format(**eval_result))
    predict_x = {"SepalLength": [5.1, 5.9, 6.9], "PetalWidth": [0.5, 1.5, 2.1]}
    predictions = classifier.predict(
        input_fn=lambda: eval_input_fn(predict_x, labels=None, batch_size=args.batch_size))
    for pred_dict in predictions:
        class_id = pred_dict["class_ids"][0]
        print(SPECIES[class_id], 100 * pred_dict["probabilities"][class_id])


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.app.run(main)
