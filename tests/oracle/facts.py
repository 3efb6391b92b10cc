"""Facts about a program's run, written down so that two runs can be compared.

Nothing here knows which package runs the program. Every fact is JSON and equal in each run of a
correct implementation. For example, it has no time, no path and no random number.
"""

import os
import re
import zlib

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

# Variables that must stay positive, such as an accumulator or a k-means center's mass.
_POSITIVE = re.compile(r"accum|variance|Adagrad|RMS|Ftrl|Adam|Adadelta|linear|rms|velocity|/[mv]$")


def fix_weights(model_dir):
    """Overwrites the arrays of the newest checkpoint with values that depend on names alone.

    Random initial values differ between versions of TensorFlow. From here on nothing does.
    """
    path = tf.train.latest_checkpoint(model_dir)
    reader = tf.train.load_checkpoint(path)
    with tf.Graph().as_default(), tf1.Session() as session:
        for name in sorted(reader.get_variable_to_shape_map()):
            value = reader.get_tensor(name)
            if value.ndim and value.dtype.kind == "f":
                value = _value(name, value.shape).astype(value.dtype)
            tf1.get_variable(name, initializer=value, use_resource=False)
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, path, write_meta_graph=False)


def _value(name, shape):
    values = np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape) / 10
    return np.abs(values) + 0.05 if _POSITIVE.search(name) else values


def variables(model_dir):
    """Returns [dtype, shape] of each variable in the newest checkpoint, by name."""
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(model_dir))
    dtypes = reader.get_variable_to_dtype_map()
    shapes = reader.get_variable_to_shape_map()
    return {name: [dtypes[name].name, shapes[name]] for name in sorted(shapes)}


def values(model_dir):
    """Returns [sum, sum of squares] of each array in the newest checkpoint, by name."""
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(model_dir))
    found = {}
    for name in sorted(reader.get_variable_to_shape_map()):
        value = np.asarray(reader.get_tensor(name))
        if value.dtype.kind in "fiu":
            value = value.astype("float64")
            found[name] = [float(value.sum()), float(np.square(value).sum())]
    return found


def scalars(folder):
    """Returns [[step, value], ...] of each tag in the event files of a folder, without rates."""
    found = {}
    for file in sorted(tf.io.gfile.glob(os.path.join(folder, "events*"))):
        for event in tf1.train.summary_iterator(file):
            for value in event.summary.value:
                if value.HasField("simple_value") and "/sec" not in value.tag:
                    found.setdefault(value.tag, []).append([event.step, value.simple_value])
    return found


def files(folder):
    """Returns the sorted files below a folder, with placeholders for times and event files."""
    found = []
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(directory, name), folder)
            path = re.sub(r"events\.out\.tfevents\..*", "EVENTS", path)
            found.append(re.sub(r"(^|/)\d{10}(/|$)", r"\1TIME\2", path))
    return sorted(found)


def signatures(path):
    """Returns the signatures of a SavedModel by tag set, with inputs and outputs by name."""
    from tensorflow.core.protobuf import saved_model_pb2

    model = saved_model_pb2.SavedModel()
    with tf.io.gfile.GFile(os.path.join(path, "saved_model.pb"), "rb") as file:
        model.ParseFromString(file.read())
    return {
        ",".join(sorted(graph.meta_info_def.tags)): {
            name: {
                "method": signature.method_name,
                "inputs": _tensors(signature.inputs),
                "outputs": _tensors(signature.outputs),
            }
            for name, signature in sorted(graph.signature_def.items())
        }
        for graph in model.meta_graphs
    }


def _tensors(infos):
    found = {}
    for name in sorted(infos):
        shape = infos[name].tensor_shape
        sizes = None if shape.unknown_rank else [d.size for d in shape.dim]
        found[name] = [tf.dtypes.as_dtype(infos[name].dtype).name, sizes]
    return found


def plain(value):
    """Converts a nest of arrays, scalars and bytes to JSON."""
    if isinstance(value, dict):
        return {str(key): plain(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    return value


def ten_more_steps(estimator, input_fn):
    """Trains one step, fixes the weights, trains ten steps and evaluates. Returns all facts.

    Args:
      estimator: An Estimator with a RunConfig of `save_summary_steps=1`.
      input_fn: A deterministic input function.
    """
    estimator.train(input_fn, steps=1)
    fix_weights(estimator.model_dir)
    estimator.train(input_fn, steps=10)
    found = {
        "variables": variables(estimator.model_dir),
        "values": values(estimator.model_dir),
        "metrics": plain(estimator.evaluate(input_fn, steps=3)),
        "files": files(estimator.model_dir),
    }
    # The first step's loss came from random weights.
    found["losses"] = [pair for pair in scalars(estimator.model_dir).get("loss", []) if pair[0] > 1]
    return found


def one_by_one():
    """Returns the configuration of a session that runs operations one after another.

    Hooks that write summaries and profiles count from a read of the global step. TensorFlow does
    not order it before the increment, so on a busy machine such a hook may run a step early.
    """
    return tf1.ConfigProto(inter_op_parallelism_threads=1, use_per_session_threads=True)


def error(call, *args, **kwargs):
    """Returns the type and the text of the exception that a call raises, or None."""
    try:
        call(*args, **kwargs)
    except Exception as raised:  # The type of the exception is the fact to record.
        return [type(raised).__name__, str(raised)]
    return None
