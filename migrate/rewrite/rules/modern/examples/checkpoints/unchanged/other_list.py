from modern import porting
import tensorflow as tf
x = tf.train.get_checkpoint_state('model', latest_filename='list')
porting.callbacks()
