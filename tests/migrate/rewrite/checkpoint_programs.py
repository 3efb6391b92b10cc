"""Programs of TensorFlow 1 that choose, read and start from checkpoints. They compute x, y, z."""

HEAD = """\
import numpy as np
import tensorflow as tf

def start(shape, dtype=tf.float32, partition_info=None):
    size = int(np.prod(shape))
    return tf.cast(tf.reshape(tf.sin(tf.range(1.0, size + 1.0)), shape) * 0.3, dtype)

X = np.sin(np.arange(48.0)).reshape(12, 4).astype(np.float32)
Y = X.dot(np.array([[1.0], [0.5], [-1.0], [2.0]], np.float32))

def input_fn(count=1):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(count).batch(4)

"""
MODEL_FN = """\
def model_fn(features, labels, mode, params):
    with tf.variable_scope(params.get("scope", "encoder")):
        hidden = tf.layers.dense(features["x"], 5, activation=tf.nn.tanh, name="hidden",
                                 kernel_initializer=start)
        hidden = tf.layers.batch_normalization(
            hidden, training=mode == tf.estimator.ModeKeys.TRAIN, momentum=0.6)
    out = tf.layers.dense(hidden, 1, name="out", kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(update_ops):
        train_op = tf.train.MomentumOptimizer(0.05, 0.5).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op,
        eval_metric_ops={"mae": tf.metrics.mean_absolute_error(labels, out)})

"""

# The second training starts from renamed weights of the first, and from one layer of its own.
RENAMED_WEIGHTS = """\
first = tf.estimator.Estimator(model_fn, "first", params={})
settings = tf.estimator.WarmStartSettings(
    ckpt_to_initialize_from="first",
    vars_to_warm_start="body/hidden/.*",
    var_name_to_prev_var_name={
        "body/hidden/kernel": "encoder/hidden/kernel",
        "body/hidden/bias": "encoder/hidden/bias",
    })
second = tf.estimator.Estimator(
    model_fn, "second", params={"scope": "body"}, warm_start_from=settings)
first.train(lambda: input_fn(3))
x = second.evaluate(input_fn)
second.train(input_fn)
y = [second.evaluate(input_fn), first.evaluate(input_fn)]
# A training with a checkpoint of its own does not start from the first again.
again = tf.estimator.Estimator(
    model_fn, "second", params={"scope": "body"}, warm_start_from=settings)
z = [row["out"] for row in again.predict(input_fn)]
"""

# Weights that are not trained, and the step, come from a list of expressions.
LISTED_WEIGHTS = """\
first = tf.estimator.Estimator(model_fn, "first", params={})
first.train(lambda: input_fn(3))
second = tf.estimator.Estimator(
    model_fn, "second", params={}, warm_start_from=tf.estimator.WarmStartSettings(
        first.latest_checkpoint(), ["encoder/.*moving", "global_step", "out/bias$"]))
x = second.evaluate(input_fn)
third = tf.estimator.Estimator(model_fn, "third", params={}, warm_start_from="first/model.ckpt-9")
y = third.evaluate(input_fn)
z = third.get_variable_value("encoder/hidden/kernel") if third.latest_checkpoint() else None
"""

# Two canned Estimators, of which the second starts from the first.
CANNED = """\
columns = [
    tf.feature_column.numeric_column("x", shape=[4]),
]
def labeled():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, (Y[:, 0] > 0).astype("int64"))).batch(4)
config = tf.estimator.RunConfig(model_dir="first", save_checkpoints_steps=1)
first = tf.estimator.LinearClassifier(columns, config=config)
second = tf.estimator.LinearClassifier(columns, model_dir="second", warm_start_from="first")
first.train(labeled)
x = first.evaluate(labeled)
y = [second.evaluate(labeled)]
second.train(labeled, steps=2)
y.append(second.evaluate(labeled))
y.append(first.evaluate(labeled, checkpoint_path="first/model.ckpt-1"))
names = [name for name in second.get_variable_names() if "Ftrl" not in name]
z = {name: second.get_variable_value(name) for name in names}
"""

# A deep classifier with embeddings, whose initial weights are random.
DEEP = """\
word = tf.feature_column.categorical_column_with_vocabulary_list("w", ["a", "b", "c"])
columns = [
    tf.feature_column.numeric_column("x", shape=[4]),
    tf.feature_column.embedding_column(word, 2),
]
def labeled():
    words = np.array(["a", "b", "c", "b"] * 3)
    data = {"x": X, "w": words}
    return tf.data.Dataset.from_tensor_slices((data, (Y[:, 0] > 0).astype("int64"))).batch(4)
def weighted(labels, predictions):
    return {"mine": tf.metrics.mean(predictions["probabilities"][:, 1])}
def build(folder, start=None):
    return tf.contrib.estimator.add_metrics(tf.estimator.DNNClassifier(
        [5, 3], columns, model_dir=folder, batch_norm=True, warm_start_from=start), weighted)
first = build("first")
first.train(labeled)
settings = tf.estimator.WarmStartSettings(
    "first", [".*batchnorm", ".*kernel", ".*bias", ".*weights"])
second = build("second", settings)
third = build("third", "first")
results = [first.evaluate(labeled), second.evaluate(labeled), third.evaluate(labeled)]
x = sorted(results[0])
y = [abs(results[0][name] - results[1][name]) < 1e-6 for name in x if name != "global_step"]
y.append(abs(results[0]["mine"] - results[2]["mine"]) > 1e-6)
names = [name for name in first.get_variable_names() if "Adagrad" not in name]
z = [names, [first.get_variable_value(name).shape for name in names]]
"""

# Evaluations of all checkpoints, and what they leave of the model.
ALL_CHECKPOINTS = """\
config = tf.estimator.RunConfig(save_checkpoints_steps=2, keep_checkpoint_max=4)
job = tf.estimator.Estimator(model_fn, "model", config, params={})
job.train(lambda: input_fn(3), steps=7)
state = tf.train.get_checkpoint_state("model")
x = [job.evaluate(input_fn, checkpoint_path=path) for path in state.all_model_checkpoint_paths]
steps = [int(path.split("-")[-1]) for path in state.all_model_checkpoint_paths]
x.append([steps, int(tf.train.latest_checkpoint("model").split("-")[-1])])
chosen = job.predict(input_fn, checkpoint_path=state.all_model_checkpoint_paths[1])
y = [next(chosen)["out"] for _ in range(5)] + [job.evaluate(input_fn)]
y += [row["out"] for row in chosen]
job.train(input_fn, steps=1)
y.append(job.evaluate(input_fn, steps=2, checkpoint_path=job.latest_checkpoint()))
values = {name: job.get_variable_value(name) for name in job.get_variable_names()
          if "Momentum" not in name}
iterator = tf.contrib.training.checkpoints_iterator("model", timeout=0)
paths = [int(path.split("-")[-1]) for path in iterator]
listed = [name for name, _ in tf.train.list_variables("model") if "Momentum" not in name]
z = [values, paths, listed, tf.train.load_variable("model", "out/kernel")]
"""

ALL = {
    "renamed_weights": HEAD + MODEL_FN + RENAMED_WEIGHTS,
    "listed_weights": HEAD + MODEL_FN + LISTED_WEIGHTS,
    "canned": HEAD + CANNED,
    "deep": HEAD + DEEP,
    "all_checkpoints": HEAD + MODEL_FN + ALL_CHECKPOINTS,
}
