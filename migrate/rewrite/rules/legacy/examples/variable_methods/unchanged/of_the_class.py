import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
variable = tf.Variable(3.0)
value = tf.Variable.initialized_value(variable)
