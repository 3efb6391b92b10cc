"""BaselineClassifier and BaselineRegressor."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(11)
X = random.rand(40).astype(np.float32)
CLASSES = random.choice(["a", "b", "c"], 40, p=[0.6, 0.3, 0.1])


def input_fn(labels, epochs):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, labels)).repeat(epochs).batch(8)


classifier = tf.estimator.BaselineClassifier(
    "majority", n_classes=3, label_vocabulary=["a", "b", "c"], optimizer="Ftrl")
classifier.train(lambda: input_fn(CLASSES, 3))
print(classifier.evaluate(lambda: input_fn(CLASSES, 1)))
print(next(classifier.predict(lambda: input_fn(CLASSES, 1)))["classes"])

regressor = tf.estimator.BaselineRegressor(
    "mean", optimizer=lambda: tf.train.GradientDescentOptimizer(0.1))
regressor.train(lambda: input_fn(X, 3))
print(regressor.evaluate(lambda: input_fn(X, 1)))
