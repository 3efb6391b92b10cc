# migrate rewrite --api=v2
from modern import porting
import tf_keras
model = tf_keras.Sequential([tf_keras.Input([1]), tf_keras.layers.Dense(1)])
model.compile('sgd', 'mse')
porting.restore(model, 'model', save_steps=2)
state = porting.checkpoint_state('model')
x = [] if state is None else [path.rpartition('-')[2] for path in state.all_model_checkpoint_paths]
y = porting.latest_checkpoint('model') is not None
