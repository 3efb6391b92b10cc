from modern import porting
import tensorflow as tf
one = tf.distribute.OneDeviceStrategy('/cpu:0')
x = porting.strategy('model', one) is one
