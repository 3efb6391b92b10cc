"""DNNClassifier of TensorFlow 2, with Keras' optimizers and several columns."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(43)
DATA = {
    "age": random.uniform(1, 80, 80).astype(np.float32),
    "fare": random.exponential(30, 80).astype(np.float32),
    "sex": random.choice(["male", "female"], 80),
    "deck": random.choice(["A", "B", "C", "unknown"], 80),
}
SURVIVED = ((DATA["sex"] == "female") | (DATA["age"] < 10)).astype(np.int64)


def make_input_fn(n_epochs=None):
    def input_fn():
        dataset = tf.data.Dataset.from_tensor_slices((DATA, SURVIVED))
        return dataset.repeat(n_epochs).batch(16)

    return input_fn


columns = [tf.feature_column.numeric_column(name) for name in ("age", "fare")]
for name in ("sex", "deck"):
    vocabulary = sorted(set(DATA[name]))
    columns.append(tf.feature_column.indicator_column(
        tf.feature_column.categorical_column_with_vocabulary_list(name, vocabulary)))

classifier = tf.estimator.DNNClassifier(
    feature_columns=columns, hidden_units=[8, 4], model_dir="titanic",
    optimizer=lambda: tf.keras.optimizers.Adam(learning_rate=0.01),
    config=tf.estimator.RunConfig(tf_random_seed=44))
classifier.train(make_input_fn(), max_steps=20)
result = classifier.evaluate(make_input_fn(1))
print({name: float(value) for name, value in result.items()})
pred_dicts = list(classifier.predict(make_input_fn(1)))
print(np.mean([pred["probabilities"][1] for pred in pred_dicts]))
