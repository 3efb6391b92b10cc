from legacy import contrib
import tensorflow.compat.v1 as tf
x = contrib.distribute.MirroredStrategy(['/cpu:0']).num_replicas_in_sync
y = contrib.distribute.OneDeviceStrategy(device='/cpu:0').num_replicas_in_sync
