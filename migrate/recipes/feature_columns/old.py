"""Feature columns of each kind, and a small model on top of them."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS = 10
EDUCATION = ["Bachelors", "HS-grad", "Masters"]
AGES = [30, 45, 60]
WIDTH = 4 + 20 + 3 + 1 + 2  # ages, cross, education, hours, occupation


def make_data():
    random = np.random.RandomState(0)
    features = {
        "age": random.uniform(16, 80, 32).astype(np.float32),
        "hours": random.normal(40, 12, 32).astype(np.float32),
        "education": random.choice(EDUCATION + ["unheard of"], 32).astype(str),
        "occupation": random.choice(["Sales", "Craft", "Farming", "Tech"], 32).astype(str),
    }
    labels = (features["age"] + features["hours"] > 85).astype(np.float32)
    return features, labels[:, np.newaxis]


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(8).repeat()


def build_columns():
    column = tf.feature_column
    age = column.bucketized_column(column.numeric_column("age"), AGES)
    education = column.categorical_column_with_vocabulary_list("education", EDUCATION)
    occupation = column.categorical_column_with_hash_bucket("occupation", 10)
    table = np.linspace(-1, 1, 20).reshape(10, 2)
    return [
        column.numeric_column("hours", normalizer_fn=lambda x: (x - 40.0) / 12.0),
        age,
        column.indicator_column(education),
        column.indicator_column(column.crossed_column([age, "education"], 20)),
        column.embedding_column(occupation, 2, initializer=tf.constant_initializer(table)),
    ]


def model_fn(features, labels, mode):
    kernel = tf.constant_initializer(np.linspace(-0.5, 0.5, WIDTH).reshape(WIDTH, 1))
    net = tf.feature_column.input_layer(features, build_columns())
    logits = tf.layers.dense(net, 1, kernel_initializer=kernel)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"inputs": net, "logits": logits})
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator.train(input_fn, steps=STEPS)
    predictions = list(estimator.predict(lambda: input_fn().take(1)))
    table = "input_layer/occupation_embedding/embedding_weights"
    return {
        "inputs": [p["inputs"].tolist() for p in predictions],
        "logits": [float(p["logits"][0]) for p in predictions],
        "embeddings": estimator.get_variable_value(table).ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
