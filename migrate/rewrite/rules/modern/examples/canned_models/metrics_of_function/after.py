# migrate rewrite --api=v2
import tensorflow as tf
from modern import porting
from modern.porting import column_layers
from modern.porting import heads
import tf_keras
def input_fn():
    features = {'a': [.5, 1.5, 2.5]}
    return tf.data.Dataset.from_tensor_slices((features, [0., 1., 1.])).batch(2).repeat(3)
def errors(labels, predictions):
    values = predictions['predictions']
    largest = tf.keras.metrics.Mean(name='share')
    largest.update_state(values > 0.5)
    mse = tf.compat.v1.metrics.mean_squared_error(labels, values)
    return {'share': largest, 'mse': mse}


def build_model():
    """Returns a model from features to logits, like LinearRegressor."""
    inputs = {
        "a": tf_keras.Input([1], name="a"),
    }
    linear = column_layers.Linear(1, {}, name="linear/linear_model")
    wide = linear({"a": inputs["a"]})
    return column_layers.FromFeatures(inputs, wide)


job = heads.Regressor(build_model())
job.compile(tf_keras.optimizers.legacy.Ftrl(0.2))
job = porting.add_metrics(job, errors)
job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)
x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.optimizer.iterations.numpy()))
