import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
layer.build([None, 3])
copies = [tf.Variable(2.0 * one.initialized_value()) for one in layer.trainable_variables]
session = tf.Session()
session.run(tf.global_variables_initializer())
x = [session.run(copy).tolist() for copy in copies]
