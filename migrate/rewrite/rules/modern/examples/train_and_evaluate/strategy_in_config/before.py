# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
from migrate.bridge import as_estimator
import tensorflow as tf
one = tf.distribute.OneDeviceStrategy('/cpu:0')
config = tf_estimator.RunConfig('model', train_distribute=one)
x = as_estimator.strategy(None, config.train_distribute).num_replicas_in_sync
