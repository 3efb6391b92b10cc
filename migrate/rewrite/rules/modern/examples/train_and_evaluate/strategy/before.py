# migrate rewrite --api=v2
from modern import porting
import tensorflow as tf
one = tf.distribute.OneDeviceStrategy('/cpu:0')
x = porting.strategy('model', one).num_replicas_in_sync
