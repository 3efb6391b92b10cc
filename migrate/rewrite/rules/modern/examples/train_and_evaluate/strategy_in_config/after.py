# migrate rewrite --api=v2
from migrate.bridge import as_estimator
import tensorflow as tf
one = lambda: tf.distribute.OneDeviceStrategy('/cpu:0')
config = as_estimator.RunConfig('model', train_distribute=one)
x = as_estimator.strategy(None, config.train_distribute).num_replicas_in_sync
