"""Receivers: contents, placeholders, and refused values."""

import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1

APIS = ("v1", "v2")


class Labeled(object):
    """Holds a tensor, and cannot be converted to one."""

    tensor = None


def described(tensors):
    if isinstance(tensors, dict):
        return {str(name): described(tensors[name]) for name in tensors}
    if not isinstance(tensors, tf.Tensor):
        return type(tensors).__name__
    shape = None if tensors.shape.rank is None else tensors.shape.as_list()
    return [tensors.op.name, tensors.op.type, tensors.dtype.name, shape]


def run(estimator, folder):
    with tf.Graph().as_default():
        found = {"errors": errors(estimator.export), "made": made(estimator.export)}
    with tf.Graph().as_default():
        found["built"] = built(estimator)
    return found


def errors(export):
    a = tf.constant([1.0], name="a")
    s = tf.constant(["s"], name="s")
    cases = {
        "no features": (None, s),
        "no receivers": (a, None),
        "list": ([a], s),
        "number": ({"a": 5}, s),
        "bytes key": ({b"a": a}, s),
        "float key": ({1.5: a}, s),
        "int key": ({1: a}, s),
        "tuple key": ({("a", "b"): a}, s),
        "int receiver key": (a, {1: s}),
        "receiver list": (a, {"x": [1]}),
        "receiver string": (a, "x"),
        "labeled": (Labeled(), s),
        "variable": (tf1.get_variable("v", [2]), s),
        "alternatives list": (a, s, [a]),
        "alternative none": (a, s, {"x": None}),
        "alternative number": (a, s, {"x": 1}),
        "alternative key": (a, s, {"x": {1: a}}),
        "alternative number key": (a, s, {1: a}),
        "empty": ({}, {}),
        "empty name": ({"": 3}, s),
    }
    kinds = (export.ServingInputReceiver, export.TensorServingInputReceiver)
    return {
        kind.__name__: {name: error(kind, *cases[name]) for name in sorted(cases)} for kind in kinds
    }


def error(*call):
    found = facts.error(*call)
    return found and {"type": found[0], "text~": found[1]}


def made(export):
    a = tf.constant([1.0], name="b")
    sparse = tf.SparseTensor([[0, 0]], [1.0], [1, 1])
    ragged = tf.RaggedTensor.from_row_splits([1.0, 2.0], [0, 1, 2])
    features, receivers, others = {"a": a, 7: sparse}, {"x": a}, {"o": a, "p": {"q": sparse}}
    found = export.ServingInputReceiver(features, receivers, others)
    single = export.ServingInputReceiver(ragged, sparse)
    tensor = export.TensorServingInputReceiver(sparse, a, {"z": a})
    return {
        "same": [found.features is features, found.receiver_tensors is receivers],
        "same alternatives": found.receiver_tensors_alternatives is others,
        "alternatives": described(found.receiver_tensors_alternatives),
        "fields": list(found._fields),
        "single": described(dict(single._asdict())),
        "tensor": described(dict(tensor._asdict())),
    }


def built(estimator):
    export = estimator.export
    spec = {
        "i": tf.io.VarLenFeature(tf.int64),
        "f": tf.io.FixedLenFeature([2], tf.float32),
        "d": tf.io.FixedLenFeature([], tf.string, default_value="x"),
    }
    parsing = export.build_parsing_serving_input_receiver_fn(spec)()
    sized = export.build_parsing_serving_input_receiver_fn(spec, 3)()
    raw = {
        "unknown": tf1.placeholder(tf.float32, name="unknown"),
        "scalar": tf1.placeholder(tf.float32, [], name="scalar"),
        "batch": tf1.placeholder(tf.string, [32, None, 3], name="deep/batch"),
        "sparse": tf.SparseTensor([[0, 0]], [1.0], [1, 1]),
    }
    receivers = [export.build_raw_serving_input_receiver_fn(raw, size)() for size in (None, 5)]
    found = {
        "parsing": [described(dict(each._asdict())) for each in (parsing, sized)],
        "raw": [described(each.receiver_tensors) for each in receivers],
        "raw same": receivers[0].features is receivers[0].receiver_tensors,
    }
    build = estimator.experimental.build_raw_supervised_input_receiver_fn
    x, y = raw["batch"], tf1.placeholder(tf.int64, [None], name="y")
    cases = {
        "tensors": (x, y),
        "dicts": ({"x": x}, {"y": y, "z": x}),
        "mixed": ({"x": x}, y),
        "sized": (x, {"y": y}, 4),
        "same name": ({"x": x}, {"x": y}),
        "label": ({"label": x}, y),
        "input": (x, {"input": y}),
    }
    for name in sorted(cases):
        wrong = error(build, *cases[name])
        found[name] = wrong or described(dict(build(*cases[name])()._asdict()))
    return found
