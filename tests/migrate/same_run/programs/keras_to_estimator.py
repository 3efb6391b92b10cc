"""model_to_estimator of a compiled Keras model (TensorFlow 2)."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(47)
X = random.randn(60, 4).astype(np.float32)
Y = (X[:, :2].sum(axis=1) > 0).astype(np.int32)

tf.keras.utils.set_random_seed(48)
model = tf.keras.models.Sequential([
    tf.keras.layers.Dense(8, activation="relu", input_shape=(4,), name="hidden"),
    tf.keras.layers.Dense(2, name="logits"),
])
model.compile(
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    optimizer=tf.keras.optimizers.legacy.SGD(0.1, momentum=0.9),
    metrics=["accuracy"])


def input_fn(epochs=1):
    dataset = tf.data.Dataset.from_tensor_slices(({"hidden_input": X}, Y))
    return dataset.repeat(epochs).batch(12)


estimator = tf.keras.estimator.model_to_estimator(keras_model=model, model_dir="from_keras")
estimator.train(lambda: input_fn(3))
print("eval_result:", estimator.evaluate(input_fn))
print(next(estimator.predict(input_fn)))
