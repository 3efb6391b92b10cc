"""BoostedTreesClassifier, which nothing provides any longer."""
import numpy as np
import tensorflow as tf

X = np.linspace(0, 1, 32).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensors(({"x": X}, (X > 0.5).astype(np.int32))).repeat(4)


column = tf.feature_column.bucketized_column(
    tf.feature_column.numeric_column("x"), [0.2, 0.4, 0.6, 0.8])
classifier = tf.estimator.BoostedTreesClassifier(
    [column], n_batches_per_layer=1, n_trees=2, max_depth=2, model_dir="trees")
classifier.train(input_fn, max_steps=8)
print(classifier.evaluate(input_fn, steps=1))
