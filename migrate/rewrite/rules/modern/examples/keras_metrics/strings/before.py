import tensorflow.compat.v1 as tf
import tf_keras
model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=[2], kernel_initializer='ones')])
model.compile('sgd', 'mse', metrics=['accuracy', "mae", tf_keras.metrics.MeanSquaredError()])
features, labels = [[1.0, 2.0]], [[3.0]]
model.fit(tf.convert_to_tensor(features), tf.convert_to_tensor(labels), steps_per_epoch=1, verbose=0)
x = model.metrics_names
