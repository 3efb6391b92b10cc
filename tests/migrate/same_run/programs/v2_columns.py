"""Canned Estimators of TensorFlow 2 whose columns are written out: all of Keras' rung."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(57)
AGE = random.uniform(1, 80, 75).astype(np.float32)
SEX = random.choice(["male", "female", "?"], 75)
DECK = random.choice(["A", "B", "C"], 75)
SURVIVED = ((SEX == "female") | (AGE < 20)).astype(np.int64)
FARE = (AGE / 10.0 + (DECK == "A")).astype(np.float32)


def input_fn(labels, epochs=None):
    dataset = tf.data.Dataset.from_tensor_slices(({"age": AGE, "sex": SEX, "deck": DECK}, labels))
    return dataset.repeat(epochs).batch(16)


age = tf.feature_column.numeric_column("age", normalizer_fn=lambda x: x / 80.0)
buckets = tf.feature_column.bucketized_column(
    tf.feature_column.numeric_column("age"), [10.0, 20.0, 50.0]
)
sex = tf.feature_column.categorical_column_with_vocabulary_list("sex", ["male", "female"])
deck = tf.feature_column.categorical_column_with_hash_bucket("deck", 8)

classifier = tf.estimator.DNNClassifier(
    [6, 3],
    [age, tf.feature_column.indicator_column(sex), tf.feature_column.embedding_column(deck, 2)],
    "deep",
    optimizer="Adam",
    config=tf.estimator.RunConfig(tf_random_seed=58),
)
classifier.train(lambda: input_fn(SURVIVED), steps=12)
print(classifier.evaluate(lambda: input_fn(SURVIVED, 1)))
print([p["class_ids"][0] for p in classifier.predict(lambda: input_fn(SURVIVED, 1))][:5])

linear = tf.estimator.LinearClassifier(
    [buckets, sex, deck, tf.feature_column.crossed_column([buckets, "sex"], 20)],
    "wide",
    config=tf.estimator.RunConfig(tf_random_seed=59),
)
linear.train(lambda: input_fn(SURVIVED), steps=12)
print(linear.evaluate(lambda: input_fn(SURVIVED, 1)))

regressor = tf.estimator.DNNLinearCombinedRegressor(
    "both",
    linear_feature_columns=[sex],
    dnn_feature_columns=[age],
    dnn_hidden_units=[5],
    config=tf.estimator.RunConfig(tf_random_seed=60),
)
tf.estimator.train_and_evaluate(
    regressor,
    tf.estimator.TrainSpec(lambda: input_fn(FARE), max_steps=15),
    tf.estimator.EvalSpec(lambda: input_fn(FARE, 1), steps=None, throttle_secs=0),
)
