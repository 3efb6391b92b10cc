"""LinearRegressor with Ftrl, L1, and a weight column."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(4)
AREA = random.uniform(30, 200, 64).astype(np.float32)
ROOMS = random.randint(1, 7, 64)
PRICE = (0.5 * AREA + 10.0 * ROOMS + random.randn(64)).astype(np.float32) / 100.0
WEIGHT = random.uniform(0.5, 2.0, 64).astype(np.float32)

area = tf.feature_column.numeric_column("area", normalizer_fn=lambda x: (x - 100.0) / 50.0)
rooms = tf.feature_column.categorical_column_with_identity("rooms", num_buckets=8, default_value=0)

estimator = tf.estimator.LinearRegressor(
    feature_columns=[area, rooms],
    model_dir="./house",
    weight_column="weight",
    optimizer=tf.train.FtrlOptimizer(learning_rate=0.1, l1_regularization_strength=0.01),
    config=tf.estimator.RunConfig(tf_random_seed=1))

features = {"area": AREA, "rooms": ROOMS, "weight": WEIGHT}
train = tf.estimator.inputs.numpy_input_fn(
    features, PRICE, batch_size=8, num_epochs=3, shuffle=False)
test = tf.estimator.inputs.numpy_input_fn(features, PRICE, batch_size=10, shuffle=False)
estimator.train(train)
metrics = estimator.evaluate(test)
print("average loss: {average_loss:.5f}, loss: {loss:.5f}".format(**metrics))
for i, p in enumerate(estimator.predict(test)):
    if i == 5:
        break
    print(i, p["predictions"][0])
