"""LinearClassifier and DNNRegressor of TensorFlow 2, train_and_evaluate, exporters."""
import os

import numpy as np
import tensorflow as tf

random = np.random.RandomState(49)
COLOR = random.choice(["red", "green", "blue"], 60)
SIZE = random.rand(60).astype(np.float32)
TARGET = (SIZE + (COLOR == "red")).astype(np.float32)


def input_fn(labels, epochs=None):
    dataset = tf.data.Dataset.from_tensor_slices(({"color": COLOR, "size": SIZE}, labels))
    return dataset.repeat(epochs).batch(10)


color = tf.feature_column.categorical_column_with_hash_bucket("color", 10)
size = tf.feature_column.numeric_column("size")
serving = tf.estimator.export.build_parsing_serving_input_receiver_fn(
    tf.feature_column.make_parse_example_spec([color, size]))
config = tf.estimator.RunConfig(tf_random_seed=50, save_checkpoints_steps=10)

linear = tf.estimator.LinearClassifier(
    [color, size], model_dir="colors", optimizer="Ftrl", config=config)
tf.estimator.train_and_evaluate(
    linear,
    tf.estimator.TrainSpec(lambda: input_fn((TARGET > 1.0).astype(np.int64)), max_steps=20),
    tf.estimator.EvalSpec(
        lambda: input_fn((TARGET > 1.0).astype(np.int64), 1), steps=None, throttle_secs=0,
        exporters=[tf.estimator.FinalExporter("final", serving)]))
print(sorted(os.listdir("colors/export")))

regressor = tf.estimator.DNNRegressor(
    [6], [size, tf.feature_column.embedding_column(color, 2)], model_dir="sizes",
    optimizer="Adagrad", config=config)
regressor.train(lambda: input_fn(TARGET), steps=15)
print(regressor.evaluate(lambda: input_fn(TARGET, 1)))
