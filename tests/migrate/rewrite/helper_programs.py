"""Programs of TensorFlow 1 whose model_fns call functions with layers. They compute x and y."""

# A partial, blocks in numbered scopes, and layers that have the size of their inputs.
SIZED_BLOCKS = """\
import functools

dense = functools.partial(tf.layers.dense, kernel_initializer=start, activation=tf.nn.tanh)

def gate(x, ratio):
    size = x.get_shape().as_list()[-1]
    y = dense(x, size // ratio)
    return x * dense(y, size, activation=tf.nn.sigmoid, name="open")

def block(x, units):
    y = dense(x, units)
    with tf.variable_scope("gate"):
        y = gate(y, 2)
    return y + dense(x, x.shape[-1])

def model_fn(features, labels, mode, params):
    net = dense(features, 4)
    for i, units in enumerate(params["sizes"]):
        with tf.variable_scope("block_%d" % i):
            net = block(net, units)
    out = dense(net, 1, activation=None)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    step = tf.train.get_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(3).batch(5)

job = tf.estimator.Estimator(model_fn, "here", params={"sizes": [4, 4]})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

# Networks in a dictionary, of which a setting chooses one, and an activation that it chooses.
REGISTERED_NETWORKS = """\
def linear(x, units, training=False):
    return tf.layers.dense(x, units, kernel_initializer=start)

def deep(x, units, training=False):
    x = tf.layers.dense(x, 5, kernel_initializer=start)
    x = tf.layers.batch_normalization(x, training=training)
    return tf.layers.dense(x, units, kernel_initializer=start)

NETWORKS = {"linear": linear, "deep": deep}

def model_fn(features, labels, mode, params):
    hp = params
    act = getattr(tf.nn, hp["act"])
    network = NETWORKS[hp["network"]]
    net = network(features, 3, training=mode == tf.estimator.ModeKeys.TRAIN)
    out = tf.layers.dense(act(net), 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out) * hp["scale"]
    step = tf.train.get_global_step()
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(3).batch(5)

job = tf.estimator.Estimator(
    model_fn, "here", params={"network": "deep", "act": "tanh", "scale": 0.7})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

# A method and an inner function with layers, which loops call.
METHODS_IN_LOOPS = """\
class Network(object):
    def __init__(self, units):
        self.units = units

    def block(self, x, training):
        y = tf.layers.dense(x, self.units, kernel_initializer=start)
        y = tf.layers.batch_normalization(y, training=training)
        return x + tf.layers.dense(tf.nn.tanh(y), x.shape[-1], kernel_initializer=start)

    def model_fn(self, features, labels, mode, params):
        def shrink(x, units):
            return tf.layers.dense(x, units, kernel_initializer=start)
        net = features
        for i in range(2):
            with tf.variable_scope("block_%d" % i):
                net = self.block(net, mode == tf.estimator.ModeKeys.TRAIN)
        for units in params["sizes"]:
            net = tf.nn.tanh(shrink(net, units))
        out = tf.layers.dense(net, 1, kernel_initializer=start)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, {"out": out})
        loss = tf.losses.mean_squared_error(labels, out)
        step = tf.train.get_global_step()
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train_op = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss, step)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(3).batch(5)

network = Network(5)
job = tf.estimator.Estimator(network.model_fn, "here", params={"sizes": [4, 3]})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

ALL = {n.lower(): text for n, text in globals().copy().items() if n.isupper() and n != "ALL"}
