import math as tf
x = tf.log(1.0)
