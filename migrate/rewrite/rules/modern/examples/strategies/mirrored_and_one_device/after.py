import tensorflow.compat.v1 as tf
x = tf.distribute.MirroredStrategy(['/cpu:0']).num_replicas_in_sync
y = tf.distribute.OneDeviceStrategy(device='/cpu:0').num_replicas_in_sync
