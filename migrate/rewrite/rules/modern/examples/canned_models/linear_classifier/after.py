# migrate rewrite --api=v2
import tensorflow as tf
from modern import porting
from modern.porting import column_layers
from modern.porting import heads
import tf_keras
def input_fn():
    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}
    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)


def build_model():
    """Returns a model from features to logits, like LinearClassifier."""
    inputs = {
        "a": tf_keras.Input([1], name="a"),
        "w": tf_keras.Input([None], name="w", dtype="string"),
    }
    ids = {
        "w": tf_keras.layers.StringLookup(vocabulary=['x', 'y'])(inputs["w"]) - 1,
    }
    linear = column_layers.Linear(1, {"w": 2}, name="linear/linear_model")
    wide = linear({"a": inputs["a"], "w": ids["w"]})
    return column_layers.FromFeatures(inputs, wide)


job = heads.BinaryClassifier(build_model())
job.compile(tf_keras.optimizers.legacy.Ftrl(0.2))
job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)
x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.optimizer.iterations.numpy()))
y = list(porting.predict(job, input_fn()))
