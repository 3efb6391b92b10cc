# migrate rewrite --api=v2
from modern import porting
import tensorflow as tf
import tf_keras
model = tf_keras.Sequential([tf_keras.Input([1]), tf_keras.layers.Dense(1)])
model.compile('sgd', 'mse')
porting.restore(model, 'model', save_steps=2)
state = tf.train.get_checkpoint_state('model')
x = [] if state is None else [path.rpartition('-')[2] for path in state.all_model_checkpoint_paths]
y = tf.train.latest_checkpoint(checkpoint_dir='model') is not None
