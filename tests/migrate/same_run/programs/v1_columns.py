"""The canned Estimators of TensorFlow 1, which add up the losses of a batch."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(61)
SIZE = random.uniform(0, 10, 66).astype(np.float32)
COLOR = random.choice(["red", "green", "blue"], 66)
LABEL = random.choice(["small", "large"], 66)
WEIGHT = random.uniform(0.5, 1.5, 66).astype(np.float32)


def input_fn(epochs):
    features = {"size": SIZE, "color": COLOR, "weight": WEIGHT}
    return tf.data.Dataset.from_tensor_slices((features, LABEL)).repeat(epochs).batch(14)


size = tf.feature_column.numeric_column("size")
color = tf.feature_column.categorical_column_with_vocabulary_list(
    "color", ["red", "green", "blue"], num_oov_buckets=1
)

deep = tf.estimator.DNNClassifier(
    hidden_units=[5],
    feature_columns=[size, tf.feature_column.indicator_column(color)],
    model_dir="v1_deep",
    label_vocabulary=["small", "large"],
    weight_column="weight",
    optimizer=tf.train.AdagradOptimizer(learning_rate=0.05),
    config=tf.estimator.RunConfig(tf_random_seed=62),
)
deep.train(lambda: input_fn(3))
print(deep.evaluate(lambda: input_fn(1)))
print([p["classes"][0] for p in deep.predict(lambda: input_fn(1))][:4])

wide = tf.estimator.LinearClassifier(
    feature_columns=[size, color],
    model_dir="v1_wide",
    label_vocabulary=["small", "large"],
    config=tf.estimator.RunConfig(tf_random_seed=63),
)
wide.train(lambda: input_fn(None), max_steps=10)
print(wide.evaluate(lambda: input_fn(1)))
