# migrate rewrite --api=v2
from modern import porting
import tensorflow as tf
import tf_keras
model = tf_keras.Sequential([tf_keras.Input([1]), tf_keras.layers.Dense(1)])
model.compile('sgd', 'mse')
porting.restore(model, 'model', save_steps=2)
data = tf.data.Dataset.from_tensors(([[1.]], [[2.]])).repeat(4)
model.fit(data, callbacks=porting.callbacks(model), verbose=0)
state = tf.train.get_checkpoint_state('model')
x = [] if state is None else [path.rpartition('-')[2] for path in state.all_model_checkpoint_paths]
y = tf.train.latest_checkpoint(checkpoint_dir='model/checkpoints') is not None
