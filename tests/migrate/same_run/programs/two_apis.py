"""TensorFlow 2 with two APIs in one file: their losses are reduced differently."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(3)
X = random.randn(60, 3).astype(np.float32)
Y = (X[:, 0] + X[:, 1] > 0).astype(np.int32)


def input_fn(epochs=1):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(epochs).batch(10)


columns = [tf.feature_column.numeric_column("x", shape=[3])]
config = tf.estimator.RunConfig(tf_random_seed=9)

new = tf.estimator.LinearClassifier(columns, model_dir="new", config=config)
new.train(lambda: input_fn(2))
print(new.evaluate(input_fn))

old = tf.compat.v1.estimator.LinearClassifier(columns, model_dir="old", config=config)
old.train(lambda: input_fn(2))
print(old.evaluate(input_fn))
print([p["logits"][0] for p in old.predict(input_fn)][:3])
