# migrate rewrite --api=v2
import tensorflow as tf
from modern import porting
from modern.porting import column_layers
from modern.porting import heads
import tf_keras
number = tf.feature_column.numeric_column('a')
def input_fn():
    return tf.data.Dataset.from_tensor_slices(({'a': [.5, 1.5, 2.5]}, [0., 1., 1.])).batch(2)


def build_first():
    """Returns a model from features to logits, like LinearRegressor."""
    inputs = {
        "a": tf_keras.Input([1], name="a"),
    }
    linear = column_layers.Linear(1, {}, name="linear/linear_model")
    wide = linear({"a": inputs["a"]})
    return column_layers.FromFeatures(inputs, wide)


first = heads.Regressor(build_first())
first.compile(tf_keras.optimizers.legacy.Ftrl(0.2))
porting.restore(first, 'first', save_secs=600)
first.fit(input_fn(), callbacks=porting.callbacks(first), verbose=2)
settings = porting.WarmStartSettings('first', vars_to_warm_start='.*weights')


def build_second():
    """Returns a model from features to logits, like LinearRegressor."""
    inputs = {
        "a": tf_keras.Input([1], name="a"),
    }
    linear = column_layers.Linear(1, {}, name="linear/linear_model")
    wide = linear({"a": inputs["a"]})
    return column_layers.FromFeatures(inputs, wide)


second = heads.Regressor(build_second())
second.compile(tf_keras.optimizers.legacy.Ftrl(0.2))
porting.restore(second, 'second', save_secs=600)
porting.warm_start(second, settings)
x = dict(second.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(second.optimizer.iterations.numpy()))
y = float(porting.variable_value(second, 'global_step')) if porting.latest_checkpoint('second') else None
