"""Programs of TensorFlow 1 whose model_fns call helpers, are methods, or change with settings."""

# Helpers that return the spec, the loss with an op, and the metrics, with several returns.
SPEC_HELPERS = """\
def network(x, units, training):
    x = tf.layers.dense(x, units, tf.nn.relu, kernel_initializer=start)
    x = tf.layers.dropout(x, 0.0, training=training)
    return tf.layers.dense(x, 3, kernel_initializer=start)

def compute_loss(labels, logits, weight=0.5):
    '''The loss.'''
    onehot = tf.one_hot(labels, 3)  # three classes
    loss = tf.losses.softmax_cross_entropy(onehot, logits)
    return loss * weight

def get_train_op(loss, params):
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(params["rate"], step, 2, 0.9)
    optimizer = tf.train.AdamOptimizer(rate)
    return optimizer.minimize(loss, global_step=step)

def metric_fn(labels, classes):
    accuracy = tf.metrics.accuracy(labels, classes)
    return {"accuracy": accuracy, "mean": tf.metrics.mean(classes)}

def get_spec(mode, logits, labels, params):
    classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        predictions = {"classes": classes, "scores": tf.nn.softmax(logits)}
        return tf.estimator.EstimatorSpec(mode, predictions=predictions)
    loss = compute_loss(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, eval_metric_ops=metric_fn(labels, classes))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=get_train_op(loss, params))

def model_fn(features, labels, mode, params):
    net = features["x"] * 2.0
    out = network(net, params["units"], mode == tf.estimator.ModeKeys.TRAIN)
    return get_spec(mode, out, labels, params)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, np.arange(10) % 3)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, params={"units": 5, "rate": 0.05})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["scores"].tolist() for p in job.predict(input_fn)]
"""

# One helper builds everything and returns a dictionary, another a tuple.
DICTIONARY_HELPERS = """\
def build_graph(features, labels, mode, params):
    with tf.variable_scope("graph"):
        net = tf.layers.dense(features, params["units"], tf.nn.tanh, kernel_initializer=start)
        logits = tf.layers.dense(net, 1, kernel_initializer=start)
    outputs = {"prob": tf.sigmoid(logits), "loss": None, "train_op": None}
    if mode != tf.estimator.ModeKeys.PREDICT:
        outputs["loss"], outputs["train_op"] = optimize(logits, labels, mode, params)
    return outputs

def optimize(logits, labels, mode, params):
    targets = tf.cast(tf.expand_dims(labels, 1), tf.float32)
    cross = tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits)
    loss = tf.reduce_mean(cross)
    if mode != tf.estimator.ModeKeys.TRAIN:
        return loss, None
    optimizer = tf.train.GradientDescentOptimizer(params["rate"])
    return loss, optimizer.minimize(loss, tf.train.get_global_step())

def model_fn(features, labels, mode, params):
    outputs = build_graph(features, labels, mode, params)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": outputs["prob"]})
    spec_args = {"mode": mode, "loss": outputs["loss"]}
    if mode == tf.estimator.ModeKeys.TRAIN:
        spec_args["train_op"] = outputs["train_op"]
    else:
        spec_args["eval_metric_ops"] = {"auc": tf.metrics.auc(labels, outputs["prob"][:, 0])}
    return tf.estimator.EstimatorSpec(**spec_args)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, np.arange(10) % 2)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, params={"units": 5, "rate": 0.05})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["p"].tolist() for p in job.predict(input_fn)]
"""

# A rate with a warm-up, as in BERT, and gradients that are clipped.
WARM_UP = """\
def create_optimizer(loss, init_lr, num_train_steps, num_warmup_steps):
    global_step = tf.train.get_or_create_global_step()
    learning_rate = tf.constant(value=init_lr, shape=[], dtype=tf.float32)
    learning_rate = tf.train.polynomial_decay(
        learning_rate, global_step, num_train_steps, end_learning_rate=0.0, power=1.0, cycle=False)
    if num_warmup_steps:
        global_steps_int = tf.cast(global_step, tf.int32)
        warmup_steps_int = tf.constant(num_warmup_steps, dtype=tf.int32)
        global_steps_float = tf.cast(global_steps_int, tf.float32)
        warmup_steps_float = tf.cast(warmup_steps_int, tf.float32)
        warmup_percent_done = global_steps_float / warmup_steps_float
        warmup_learning_rate = init_lr * warmup_percent_done
        is_warmup = tf.cast(global_steps_int < warmup_steps_int, tf.float32)
        learning_rate = (
            (1.0 - is_warmup) * learning_rate + is_warmup * warmup_learning_rate)
    tf.summary.scalar("rate", learning_rate)
    optimizer = tf.train.AdamOptimizer(learning_rate=learning_rate)
    tvars = tf.trainable_variables()
    grads = tf.gradients(loss, tvars)
    (grads, _) = tf.clip_by_global_norm(grads, clip_norm=1.0)
    return optimizer.apply_gradients(zip(grads, tvars), global_step=global_step)

def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features, 4, tf.nn.tanh, kernel_initializer=start)
    out = tf.layers.dense(net, 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=out)
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    train_op = create_optimizer(loss, params["rate"], 8, params["warmup"])
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    labels = np.cos(np.arange(10.0)).reshape(10, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, labels)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, params={"rate": 0.05, "warmup": 3})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# Losses as statements of a collection, a train_op of slim, and one of several optimizers.
COLLECTED_LOSSES = """\
def add_losses(labels, out, weight):
    tf.losses.mean_squared_error(labels, out)
    tf.losses.absolute_difference(labels, out, weights=weight, scope="more")
    tf.losses.add_loss(weight * tf.reduce_mean(tf.abs(out)))
    return tf.losses.get_total_loss()

def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features, 4, tf.nn.tanh, kernel_initializer=start,
                          kernel_regularizer=tf.contrib.layers.l2_regularizer(0.01))
    out = tf.layers.dense(net, 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=out)
    loss = add_losses(labels, out, params["weight"])
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    optimizer = tf.train.FtrlOptimizer(
        params["rate"], l1_regularization_strength=0.001, l2_regularization_strength=0.01)
    train_op = tf.contrib.slim.learning.create_train_op(loss, optimizer, clip_gradient_norm=0.5)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    labels = np.cos(np.arange(10.0)).reshape(10, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, labels)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, params={"rate": 0.05, "weight": 0.5})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# Metrics under conditions on settings, and a helper that adds some.
CONDITIONAL_METRICS = """\
CLASSES = 3

def add_metrics(metrics, labels, classes, more):
    metrics["mean"] = tf.metrics.mean(classes)
    if more:
        metrics.update({"mae": tf.metrics.mean_absolute_error(labels, classes)})
    return metrics

def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features, 4, tf.nn.tanh, kernel_initializer=start)
    logits = tf.layers.dense(net, CLASSES, kernel_initializer=start)
    classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=tf.nn.softmax(logits))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    metrics = {"acc": tf.metrics.accuracy(labels, classes)}
    if CLASSES == 2:
        metrics["auc"] = tf.metrics.auc(labels, tf.nn.softmax(logits)[:, 1])
    else:
        per_class = tf.one_hot(labels, CLASSES)
        metrics["mse"] = tf.metrics.mean_squared_error(per_class, tf.nn.softmax(logits))
    metrics = add_metrics(metrics, labels, classes, params["more"])
    train_op = None
    if mode == tf.estimator.ModeKeys.TRAIN:
        train_op = tf.train.AdamOptimizer(0.05).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, np.arange(10) % 3)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, params={"more": True})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# A model_fn that is a method, with settings and helper methods.
METHODS = """\
class Classifier:
    SCALE = 0.5

    def __init__(self, units, rate):
        self.units = units
        self.rate = rate
        self.job = tf.estimator.Estimator(self.model_fn, "here")

    def network(self, x, training):
        with tf.variable_scope("network"):
            for units in self.units:
                x = tf.layers.dense(x, units, tf.nn.relu, kernel_initializer=start)
            x = tf.layers.batch_normalization(x, training=training)
            return tf.layers.dense(x, 3, kernel_initializer=start)

    def model_fn(self, features, labels, mode):
        self.logits = self.network(features, mode == tf.estimator.ModeKeys.TRAIN)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=tf.nn.softmax(self.logits))
        loss = self.SCALE * tf.losses.sparse_softmax_cross_entropy(labels, self.logits)
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, train_op=self._train_op(loss),
            eval_metric_ops={"acc": tf.metrics.accuracy(labels, tf.argmax(self.logits, 1))})

    def _train_op(self, loss):
        optimizer = tf.train.AdamOptimizer(self.rate)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            return optimizer.minimize(loss, tf.train.get_global_step())

    def fit(self, input_fn, steps):
        self.job.train(input_fn, steps=steps)

    def score(self, input_fn):
        return self.job.evaluate(input_fn)

    def predict(self, input_fn):
        return [row.tolist() for row in self.job.predict(input_fn)]

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, np.arange(10) % 3)).repeat(3).batch(4)

model = Classifier([5, 4], 0.05)
model.fit(input_fn, 6)
x = model.score(input_fn)
y = model.predict(input_fn)
"""

# A model_fn in a function that has its settings.
CLOSURE = """\
def make_model_fn(units, rate, decay=1.0):
    '''Returns a model_fn.'''
    scale = decay * 2.0 / units

    def model_fn(features, labels, mode):
        '''The model.'''
        net = tf.layers.dense(features * scale, units, tf.nn.relu, kernel_initializer=start)
        logits = tf.layers.dense(net, 3, kernel_initializer=start)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=tf.nn.softmax(logits))
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        if mode == tf.estimator.ModeKeys.EVAL:
            def metric_fn(labels, logits):
                return {"acc": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}

            metrics = metric_fn(labels, logits)
            return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
        optimizer = tf.train.AdamOptimizer(rate)
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    return model_fn

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, np.arange(10) % 3)).repeat(3).batch(4)

job = tf.estimator.Estimator(make_model_fn(units=6, rate=0.05), "here")
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# Scopes of arguments, a rate that a function computes, and parts that only some modes have.
SCOPED_ARGUMENTS = """\
slim = tf.contrib.slim

def rate_fn(rate, step):
    return 0.01 + tf.train.exponential_decay(rate, step, 2, 0.5)

def compute_loss(labels, logits, mode):
    return tf.reduce_mean(
        tf.losses.sparse_softmax_cross_entropy(labels, logits)
    ) * 2.0 if mode != tf.estimator.ModeKeys.PREDICT else None

def get_train_op(loss, mode):
    return tf.contrib.layers.optimize_loss(
        loss, tf.train.get_global_step(), learning_rate=0.05,
        optimizer=lambda rate: tf.train.AdamOptimizer(rate, beta1=0.8),
        learning_rate_decay_fn=rate_fn) if mode == tf.estimator.ModeKeys.TRAIN else None

def get_metrics(labels, classes, mode):
    return {"acc": tf.metrics.accuracy(labels, classes)} \\
        if mode == tf.estimator.ModeKeys.TRAIN or mode == tf.estimator.ModeKeys.EVAL else None

def network(x):
    with tf.variable_scope("net"), slim.arg_scope(
            [slim.conv2d, slim.fully_connected], weights_initializer=start):
        with slim.arg_scope([slim.conv2d], padding="VALID", activation_fn=tf.nn.tanh):
            net = slim.conv2d(x, 3, 2, scope="first")
            net = slim.conv2d(net, 2, 2, padding="SAME", activation_fn=tf.nn.relu, scope="second")
        net = slim.fully_connected(slim.flatten(net), 5, scope="wide")
        return slim.fully_connected(net, 3, activation_fn=None, scope="out")

def model_fn(features, labels, mode):
    def logits():
        return network(tf.reshape(features["x"], [-1, 2, 2, 1]))

    def classes(logits):
        return tf.argmax(logits, 1)

    logits = logits()
    classes = classes(logits)
    loss = compute_loss(labels, logits, mode)
    train_op = get_train_op(loss, mode)
    metrics = get_metrics(labels, classes, mode)
    return tf.estimator.EstimatorSpec(
        mode, {"classes": classes, "logits": logits}, loss, train_op, metrics)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, np.arange(10) % 3)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn)
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["logits"].tolist() for p in job.predict(input_fn)]
"""

# Normalized convolutions, with parameters that a scope sets, and layers as objects.
NORMALIZED_LAYERS = """\
slim = tf.contrib.slim

def network(x, is_training):
    batch_norm_params = {"decay": 0.5, "epsilon": 0.01, "scale": True, "is_training": is_training,
                         "updates_collections": tf.GraphKeys.UPDATE_OPS}
    with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, activation_fn=tf.nn.elu,
                        normalizer_params=batch_norm_params, weights_initializer=start):
        net = slim.conv2d(x, 3, 2, scope="first")
        net = slim.conv2d(net, 2, 2, activation_fn=None, scope="second")
    net = slim.conv2d(net, 2, 2, normalizer_fn=None, weights_initializer=start, scope="third")
    net = tf.contrib.layers.batch_norm(net, 0.9, is_training=is_training, fused=True)
    net = tf.layers.Flatten()(net)
    wide = tf.layers.Dense(5, tf.nn.relu, kernel_initializer=start)
    net = tf.contrib.layers.layer_norm(wide(net), begin_norm_axis=-1, scope="norm")
    return tf.layers.dense(net, 3, kernel_initializer=start)

def model_fn(features, labels, mode):
    image = tf.reshape(features["x"], [-1, 2, 2, 1])
    logits = network(image, mode == tf.estimator.ModeKeys.TRAIN)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"logits": logits})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.05))
    right = tf.contrib.metrics.streaming_accuracy(tf.argmax(logits, 1), labels)
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops={"right": right})

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, np.arange(10) % 3)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn)
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["logits"].tolist() for p in job.predict(input_fn)]
"""

# Scopes in loops, around layers and variables.
LOOP_SCOPES = """\
def model_fn(features, labels, mode, params):
    tf.set_random_seed(params["seed"])
    x = tf.reshape(features["x"], [-1, 4, 2, 1])
    pooled = []
    for i, size in enumerate(params["sizes"]):
        with tf.name_scope("conv-%s" % size):
            kernel = tf.Variable(start([size, 2, 1, 3]), name="W")
            conv = tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "VALID")
            pooled.append(tf.nn.max_pool(conv, [1, 5 - size, 1, 1], [1, 1, 1, 1], "VALID"))
    net = tf.reshape(tf.concat(pooled, 3), [-1, 6])
    with tf.device("/cpu:0"):
        for i, units in enumerate(params["units"]):
            with tf.variable_scope("hidden_%d" % i):
                net = tf.layers.dense(net, units, tf.nn.tanh, kernel_initializer=start)
                scale = tf.get_variable("scale", [units], initializer=tf.ones_initializer())
                net = tf.layers.dense(net * scale, units, kernel_initializer=start)
        logits = tf.layers.dense(net, 3, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"logits": logits})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.train.AdagradOptimizer(0.05).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, scaffold=tf.train.Scaffold(),
        eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})

def input_fn():
    x = np.sin(np.arange(80.0)).reshape(10, 8).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, np.arange(10) % 3)).repeat(3).batch(4)

settings = {"seed": 3, "sizes": [2, 3], "units": [5, 4]}
job = tf.estimator.Estimator(model_fn, params=settings)
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["logits"].tolist() for p in job.predict(input_fn)]
"""

# A chain of labels, whose transitions are a variable of the forward pass.
LABEL_CHAINS = """\
def model_fn(features, labels, mode, params):
    words, lengths = features["words"], features["lengths"]
    with tf.variable_scope("embeddings"):
        table = tf.get_variable("table", [12, 4], initializer=start)
    embedded = tf.nn.embedding_lookup(table, words)
    cell_fw = tf.contrib.rnn.LSTMCell(3, initializer=start)
    cell_bw = tf.contrib.rnn.LSTMCell(3, initializer=start)
    (forward, backward), _ = tf.nn.bidirectional_dynamic_rnn(
        cell_fw, cell_bw, embedded, sequence_length=lengths, dtype=tf.float32)
    logits = tf.layers.dense(tf.concat([forward, backward], -1), 3, kernel_initializer=start)
    transitions = tf.get_variable("transitions", [3, 3], tf.float32, start)
    tags, _ = tf.contrib.crf.crf_decode(logits, transitions, lengths)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"tags": tags, "logits": logits})
    likelihood, _ = tf.contrib.crf.crf_log_likelihood(logits, labels, lengths, transitions)
    loss = tf.reduce_mean(-likelihood)
    weights = tf.sequence_mask(lengths, 5)
    metrics = {"accuracy": tf.metrics.accuracy(labels, tags, weights)}
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(
        loss, global_step=tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    words = np.arange(40).reshape(8, 5) % 12
    features = {"words": words, "lengths": np.array([5, 3, 4, 5, 2, 5, 1, 4], "int32")}
    labels = (np.arange(40).reshape(8, 5) % 3).astype("int32")
    return tf.data.Dataset.from_tensor_slices((features, labels)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, "here", params={})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [[p["tags"].tolist(), p["logits"].tolist()] for p in job.predict(input_fn)]
"""

# Metrics that Keras does not have, and an optimizer that a dictionary chooses.
STREAMED_METRICS = """\
OPTIMIZERS = {"sgd": tf.train.GradientDescentOptimizer, "adam": tf.train.AdamOptimizer}

def true_rate(labels, classes):
    matches = tf.reduce_sum(tf.to_float(tf.equal(labels, classes)))
    total = tf.Variable(1.0, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    update = tf.assign_add(total, matches)
    return total / 10.0, update

def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], 4, tf.nn.tanh, kernel_initializer=start)
    logits = tf.layers.dense(net, 3, kernel_initializer=start)
    classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"classes": classes, "logits": logits})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        positive = labels < 2
        precision, precision_op = tf.metrics.precision(positive, classes < 2)
        recall, recall_op = tf.metrics.recall(positive, classes < 2)
        f1 = 2.0 * precision * recall / (precision + recall + params["epsilon"])
        rate, rate_op = true_rate(labels, classes)
        metrics = {"accuracy": tf.metrics.accuracy(labels, classes),
                   "precision": (precision, precision_op), "rate": (rate, rate_op),
                   "f1": (f1, tf.group(precision_op, recall_op)),
                   "top": tf.metrics.recall_at_k(labels, logits, 2)}
        for k in range(params["classes"]):
            metrics["recall_%d" % k] = tf.metrics.recall(tf.equal(labels, k), tf.equal(classes, k))
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = OPTIMIZERS.get(params["optimizer"], tf.train.AdagradOptimizer)(params["rate"])
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    labels = np.arange(10) % 3
    return tf.data.Dataset.from_tensor_slices(({"x": x}, labels)).repeat(3).batch(4)

settings = {"epsilon": 1e-3, "classes": 3, "optimizer": "sgd", "rate": 0.1}
job = tf.estimator.Estimator(model_fn, "here", params=settings)
job.train(input_fn, steps=6)
x = [job.evaluate(input_fn), job.evaluate(input_fn, steps=1)]
y = [[p["classes"], p["logits"].tolist()] for p in job.predict(input_fn)]
"""

# Lookup tables, also of a helper, and labels whose absence stands for a prediction.
LOOKUP_TABLES = """\
WORDS = ["w%d" % i for i in range(10)]

def word_ids(words):
    table = tf.contrib.lookup.index_table_from_tensor(WORDS, num_oov_buckets=1)
    return table.lookup(words)

def model_fn(features, labels, mode, params):
    size = params["size"]
    classes = ["a", "b", "c"]
    del params
    targets = labels
    words = word_ids(features["words"])
    embedded = tf.contrib.layers.embed_sequence(words, 11, size, initializer=start)
    net = tf.layers.dense(tf.reduce_mean(embedded, 1), size, tf.nn.tanh, kernel_initializer=start)
    logits = tf.layers.dense(net, 3, kernel_initializer=start)
    predictions = {"logits": logits}
    if not targets is None:
        keys = tf.contrib.lookup.KeyValueTensorInitializer(classes, tf.range(3, dtype=tf.int64))
        ids = tf.contrib.lookup.HashTable(keys, -1).lookup(targets)
        loss = tf.losses.sparse_softmax_cross_entropy(ids, logits)
        train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        metrics = {"accuracy": tf.metrics.accuracy(ids, tf.argmax(logits, 1))}
    else:
        loss, train_op, metrics = None, None, None
        names = tf.contrib.lookup.index_to_string_table_from_tensor(classes)
        predictions["name"] = names.lookup(tf.argmax(logits, 1))
    return tf.estimator.EstimatorSpec(
        mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics)

def input_fn():
    words = np.array(["w%d" % (i * 7 % 12) for i in range(40)]).reshape(10, 4)
    labels = np.array(["a", "c", "b", "a", "b", "c", "c", "a", "b", "a"])
    return tf.data.Dataset.from_tensor_slices(({"words": words}, labels)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, "here", params={"size": 4})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [[p["name"].decode(), p["logits"].tolist()] for p in job.predict(input_fn)]
"""

# A network that is an object of the program's own class.
NETWORK_OBJECTS = """\
class TextNet(object):
    '''A network over words.'''

    SCALE = 0.5

    def __init__(self, size, mode, keep=1.0):
        self.size = size
        self.mode = mode
        self.training = mode == tf.estimator.ModeKeys.TRAIN
        self.rate = 1.0 - keep
        self.count = 0

    def __call__(self, words):
        with tf.variable_scope("words"):
            table = tf.get_variable("table", [12, self.size], initializer=start)
            self.embedded = tf.nn.embedding_lookup(table, words)
        net = self.hidden(tf.reduce_mean(self.embedded, 1), "first")
        net = self.hidden(net, "second") * self.SCALE
        return self.out(net)

    def hidden(self, x, name):
        self.count += 1
        with tf.variable_scope(name):
            x = tf.layers.dense(x, self.size, tf.nn.tanh, kernel_initializer=start)
            return tf.layers.dropout(x, self.rate, training=self.training)

    def out(self, x):
        self.features = x
        return tf.layers.dense(x, 3, kernel_initializer=start, name="out")

def model_fn(features, labels, mode, params):
    net = TextNet(params["size"], mode)
    logits = net(features["words"])
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"logits": logits, "features": net.features})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss += 0.01 * tf.nn.l2_loss(net.embedded)
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops={
        "accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})

def input_fn():
    words = np.arange(40).reshape(10, 4) * 7 % 12
    return tf.data.Dataset.from_tensor_slices(({"words": words}, np.arange(10) % 3)).batch(4)

job = tf.estimator.Estimator(model_fn, "here", params={"size": 4})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [[p["features"].tolist(), p["logits"].tolist()] for p in job.predict(input_fn)]
"""

# A model_fn of which the Estimator sets some arguments.
BOUND_ARGUMENTS = """\
import functools

def model_fn(features, labels, mode, params, layers, scale):
    parts = [tf.layers.dense(features["x"], n, kernel_initializer=start) for n in (2, 3)]
    net = tf.concat(parts, 1)
    for i, size in enumerate(layers):
        net = tf.layers.dense(net, size, tf.nn.tanh, kernel_initializer=start)
    out = tf.layers.dense(net * scale, 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = scale * tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.AdamOptimizer(params["rate"] * scale).minimize(
        loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    labels = np.cos(np.arange(10.0)).reshape(10, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, labels)).repeat(3).batch(4)

hidden = [4, 3]
bound = functools.partial(model_fn, layers=hidden, scale=0.5)
job = tf.estimator.Estimator(bound, "here", params={"rate": 0.05})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["out"].tolist() for p in job.predict(input_fn)]
"""

# Weights whose shape depends on a tensor, and rates that depend on the mode.
LATE_SHAPES = """\
def dense(x, size, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [int(x.get_shape()[1]), size], initializer=start)
        b = tf.get_variable("b", [size], initializer=tf.zeros_initializer())
        return tf.tanh(tf.matmul(x, w) + b)

def prelu(x, name):
    width = x.get_shape().as_list()[-1]
    alpha = tf.get_variable(name, [width], initializer=tf.constant_initializer(0.25))
    return tf.maximum(0.0, x) + alpha * tf.minimum(0.0, x)

def model_fn(features, labels, mode, params):
    rate = 0.0 if mode == tf.estimator.ModeKeys.TRAIN else 0.0
    net = tf.layers.dropout(features["x"], rate, training=True)
    table = tf.get_variable("scale", [net.shape[-1]], initializer=start)
    for i in range(2):
        with tf.variable_scope("layer_%d" % i):
            kernel = tf.get_variable("kernel", [net.shape[-1], params["size"]], initializer=start)
            net = tf.tanh(tf.matmul(net * (1.0 + tf.reduce_sum(table)), kernel))
    net = prelu(dense(dense(net, 5, "one"), 4, "two"), "alpha")
    out = tf.layers.dense(net, 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    labels = np.cos(np.arange(10.0)).reshape(10, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, labels)).repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, "here", params={"size": 3})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["out"].tolist() for p in job.predict(input_fn)]
"""

# Optimizers whose steps differ from those of Keras' newer classes, on rows of an embedding.
CLASSIC_OPTIMIZERS = """\
def get_optimizer(name):
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.8)
    if name == "momentum":
        return tf.train.MomentumOptimizer(rate, 0.9, use_nesterov=True)
    if name == "rmsprop":
        return tf.train.RMSPropOptimizer(0.01, decay=0.8, momentum=0.5, centered=True)
    if name == "lazy":
        return tf.contrib.opt.LazyAdamOptimizer(rate, beta2=0.9)
    if name == "decay":
        return tf.contrib.opt.AdamWOptimizer(0.02, learning_rate=rate)
    return tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01)

def model_fn(features, labels, mode, params):
    table = tf.get_variable("table", [12, 4], initializer=start)
    net = tf.reduce_mean(tf.nn.embedding_lookup(table, features["words"]), 1)
    logits = tf.layers.dense(net, 3, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"logits": logits})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    optimizer = get_optimizer(params["optimizer"])
    train_op = optimizer.minimize(
        loss, global_step=tf.train.get_global_step(), var_list=tf.trainable_variables())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    words = np.arange(40).reshape(10, 4) * 7 % 12
    return tf.data.Dataset.from_tensor_slices(({"words": words}, np.arange(10) % 3)).batch(3)

x, y = [], []
for name in ["momentum", "rmsprop", "lazy", "decay", "ftrl"]:
    job = tf.estimator.Estimator(model_fn, name, params={"optimizer": name})
    job.train(input_fn, steps=4)
    x.append(job.evaluate(input_fn))
    y.append([p["logits"].tolist() for p in job.predict(input_fn)])
"""

ALL = {n.lower(): text for n, text in globals().copy().items() if n.isupper() and n != "ALL"}
