"""SavedModels of training and evaluation, alone and together, and the effects of a scaffold."""

import os

import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1

APIS = ("v1", "v2")


def model_fn(features, labels, mode, params):
    """A line whose training has a variable more, and a local variable that local_init sets."""
    weight = tf1.get_variable("weight", [1], initializer=tf1.constant_initializer(2.0))
    if mode == params.get("only_in"):
        tf1.get_variable("only", [], initializer=tf1.zeros_initializer())
    local = tf1.get_variable(
        "local",
        initializer=tf.constant(7.0),
        trainable=False,
        collections=[tf1.GraphKeys.LOCAL_VARIABLES],
    )
    predictions = tf.identity(features["x"] * weight, name="multiplied_" + mode)
    spec = {"mode": mode, "predictions": predictions}
    if mode == "infer":
        spec["scaffold"] = scaffold(mode, params, weight, local)
        return params["spec"](**spec)
    if labels is None:
        labels = tf.constant([1.0])
    spec["loss"] = tf.reduce_mean(tf.square(predictions - labels))
    if mode == "train":
        tf1.get_variable("later", [], initializer=tf1.zeros_initializer())
        optimizer = tf1.train.MomentumOptimizer(0.1, 0.9)
        spec["train_op"] = optimizer.minimize(spec["loss"], tf1.train.get_global_step())
    else:
        spec["eval_metric_ops"] = {
            "error": tf1.metrics.mean_absolute_error(labels, predictions),
            "head/done": (tf.constant(1.0), tf.no_op()),
        }
    spec["scaffold"] = scaffold(mode, params, weight, local)
    return params["spec"](**spec)


def scaffold(mode, params, weight, local):
    if params.get("scaffold") not in (True, mode):
        return None
    with tf.control_dependencies([tf1.local_variables_initializer()]):
        ready = tf.group(tf1.assign(local, 12345.0))
    saver = tf1.train.Saver([weight, tf1.train.get_global_step()], sharded=True, name="mine")
    return tf1.train.Scaffold(local_init_op=ready, saver=saver)


def input_fn():
    return tf.data.Dataset.from_tensors(({"x": [1.0, 2.0]}, [1.0, 5.0])).repeat()


def receivers(estimator):
    """Returns a function of the receiver's kind that returns a receiver function."""

    def supervised():
        x = tf1.placeholder(tf.float32, [2], name="feature_x")
        y = tf1.placeholder(tf.float32, [2], name="truth")
        build = estimator.experimental.build_raw_supervised_input_receiver_fn
        return build({"x": x}, y)()

    def serving():
        x = tf1.placeholder(tf.float32, [None], name="feature_x")
        return estimator.export.ServingInputReceiver({"x": x}, x)

    return {"train": supervised, "eval": supervised, "infer": serving, "serving": serving}


CASES = {
    "train": (["train"], {}),
    "eval": (["eval"], {}),
    "all": (["infer", "train", "eval"], {}),
    "eval and infer": (["infer", "eval"], {}),
    "scaffold": (["train", "eval", "infer"], {"scaffold": True}),
    "scaffold of one": (["eval", "infer"], {"scaffold": "infer"}),
    "only in infer": (["train", "infer"], {"only_in": "infer"}),
    "only in eval": (["eval"], {"only_in": "eval"}),
}


def run(estimator, folder):
    known = receivers(estimator)
    config = estimator.RunConfig(model_dir=os.path.join(folder, "model"))

    def make(params, **named):
        return estimator.Estimator(
            model_fn, params=dict(params, spec=estimator.EstimatorSpec), **named
        )

    make({}, config=config).train(input_fn, steps=2)
    found = {}
    for name in sorted(CASES):
        modes, params = CASES[name]
        made = make(params, config=config)
        base = os.path.join(folder, name)
        export = made.experimental_export_all_saved_models
        wrong = facts.error(export, base, {mode: known[mode] for mode in modes})
        if wrong:
            found[name] = {"type": wrong[0], "text~": wrong[1]}
            continue
        (time,) = os.listdir(base)
        path = os.path.join(base, time)
        found[name] = {"signatures": facts.signatures(path), "files": facts.files(path)}
        found[name]["variables"] = facts.plain(
            tf.train.list_variables(path + "/variables/variables")
        )
        for mode in modes:
            found[name][mode] = loaded(path, {"infer": "serve"}.get(mode, mode))
            if name != "scaffold":
                del found[name][mode]["operations"]
    made = make({}, config=config)
    for mode in ("train", "eval"):
        for kind in (mode, "serving"):
            base = os.path.join(folder, mode + "_" + kind)
            path = made.export_saved_model(base, known[kind], experimental_mode=mode)
            found[mode + "/" + kind] = facts.signatures(tf.compat.as_str(path))
    warm = make(
        {}, model_dir=os.path.join(folder, "warm"), warm_start_from=os.path.join(folder, "model")
    )
    path = warm.export_saved_model(os.path.join(folder, "of_warm"), known["infer"])
    found["warm start"] = loaded(tf.compat.as_str(path), "serve")
    return found


def loaded(path, tag):
    with tf.Graph().as_default() as graph, tf1.Session() as session:
        meta_graph = tf1.saved_model.load(session, [tag], path)
        fed = {"x": [1.0, 2.0], "input": [1.0, 2.0], "label": [1.0, 5.0]}
        found = {}
        for name in sorted(meta_graph.signature_def):
            signature = meta_graph.signature_def[name]
            outputs = {key: signature.outputs[key].name for key in signature.outputs}
            feeds = {signature.inputs[key].name: fed[key] for key in signature.inputs}
            session.run([outputs[key] for key in outputs if "update" in key], feeds)
            values = {key: outputs[key] for key in outputs if "update" not in key}
            found[name] = facts.plain(session.run(values, feeds))
            found[name + " outputs"] = outputs
        local = [v for v in tf1.local_variables() if v.op.name == "local"]
        found["local"] = facts.plain(session.run(local))
        found["train op"] = [op.name for op in tf1.get_collection("saved_model_train_op")]
        found["collections"] = {
            key: len(graph.get_collection(key)) for key in graph.get_all_collection_keys()
        }
        found["operations"] = sorted(
            op.name for op in graph.get_operations() if "Initializ" not in op.name
        )
        return found
