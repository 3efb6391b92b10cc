"""EstimatorSpec: arguments, attributes and errors, in each mode."""

import tensorflow as tf

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def described(call, *args, **kwargs):
    try:
        spec = call(*args, **kwargs)
    except Exception as raised:
        return {"raised": type(raised).__name__, "text~": str(raised)[:300]}
    shape = None if spec.loss is None else spec.loss.shape
    return {
        "fields": list(spec._fields),
        "predictions": sorted(spec.predictions) if isinstance(spec.predictions, dict) else "one",
        "loss": None if shape is None or shape.rank is None else shape.as_list(),
        "train_op": type(spec.train_op).__name__,
        "metrics": sorted(spec.eval_metric_ops),
        "exports": sorted(spec.export_outputs)
        if isinstance(spec.export_outputs, dict)
        else type(spec.export_outputs).__name__,
        "hooks": [
            [type(hooks).__name__, len(hooks)]
            for hooks in (
                spec.training_chief_hooks,
                spec.training_hooks,
                spec.evaluation_hooks,
                spec.prediction_hooks,
            )
        ],
        "scaffold": type(spec.scaffold).__name__,
        "asdict": list(spec._asdict()),
        "tuple": isinstance(spec, tuple),
    }


def keras_mean(value):
    metric = tf.keras.metrics.Mean()
    if value is not None:
        metric.update_state(value)
    return metric


def cases(estimator):
    x = tf1.placeholder(tf.float32, [None, 2], name="x")
    loss = tf.reduce_mean(x, name="the_loss")
    good = {"predictions": {"a": x}, "loss": loss, "train_op": loss}
    hook = tf1.train.SessionRunHook()
    sparse = tf.SparseTensor([[0]], [0.0], [1])
    with tf.Graph().as_default():
        stranger = tf.constant(1.0, name="stranger")
        other = {"m": (stranger, stranger)}
    output = estimator.export.RegressionOutput
    one = {"one": output(tf.constant([1.0]))}
    return {
        "nothing": {},
        "good": good,
        "loss only": {"loss": loss},
        "loss and op": {"loss": loss, "train_op": tf.no_op()},
        "predictions only": {"predictions": x},
        "loss number": dict(good, loss=1.0),
        "loss sparse": dict(good, loss=sparse),
        "loss [1]": dict(good, loss=tf.constant([1.0])),
        "loss [1,1]": dict(good, loss=tf.constant([[1.0]])),
        "loss [2]": dict(good, loss=tf.constant([1.0, 2.0])),
        "loss [None]": dict(good, loss=tf1.placeholder(tf.float32, [None])),
        "loss unknown": dict(good, loss=tf1.placeholder(tf.float32, None)),
        "loss stranger": dict(good, loss=stranger),
        "train_op text": dict(good, train_op="minimize"),
        "train_op stranger": dict(good, train_op=stranger),
        "train_op variable": dict(good, train_op=tf1.get_variable("v", [])),
        "predictions number": dict(good, predictions={"n": 1.0}),
        "prediction number": dict(good, predictions=1.0),
        "predictions sparse": dict(good, predictions={"s": sparse}),
        "predictions list": dict(good, predictions=[x]),
        "predictions stranger": dict(good, predictions={"s": stranger}),
        "prediction stranger": dict(good, predictions=stranger),
        "predictions empty": dict(good, predictions={}),
        "metrics tensor": dict(good, eval_metric_ops=loss),
        "metrics list": dict(good, eval_metric_ops=[(loss, loss)]),
        "metrics no tuple": dict(good, eval_metric_ops={"m": loss}),
        "metrics list pair": dict(good, eval_metric_ops={"m": [loss, loss]}),
        "metrics triple": dict(good, eval_metric_ops={"m": (loss, loss, loss)}),
        "metrics nested": dict(good, eval_metric_ops={"m": ((loss, (x, x)), tf.no_op())}),
        "metrics op": dict(good, eval_metric_ops={"m": (tf.no_op(), loss)}),
        "metrics stranger": dict(good, eval_metric_ops=other),
        "metrics keras": dict(good, eval_metric_ops={"m": keras_mean(loss), "n": (loss, loss)}),
        "metrics keras unused": dict(good, eval_metric_ops={"m": keras_mean(None)}),
        "chief hook": dict(good, training_chief_hooks=[object()]),
        "training hook": dict(good, training_hooks=[object()]),
        "evaluation hook": dict(good, evaluation_hooks=[object()]),
        "prediction hook": dict(good, prediction_hooks=[object()]),
        "hooks": dict(good, training_hooks=[hook], evaluation_hooks=(hook, hook)),
        "scaffold": dict(good, scaffold=object()),
        "scaffold given": dict(good, scaffold=tf1.train.Scaffold()),
        "outputs no dict": dict(good, export_outputs=output(loss)),
        "outputs no output": dict(good, export_outputs={"a": {"b": loss}}),
        "outputs one": dict(good, export_outputs=one),
        "outputs two": dict(good, export_outputs={"a": one["one"], "b": one["one"]}),
        "outputs two, default": dict(
            good, export_outputs={"a": one["one"], "serving_default": one["one"]}
        ),
        "unknown field": dict(good, nonsense=1),
    }


def run(estimator, folder):
    found = {}
    with tf.Graph().as_default():
        given = cases(estimator)
        for mode in ("train", "eval", "infer", None, "other"):
            for name, parts in sorted(given.items()):
                found["{} {}".format(mode, name)] = described(
                    estimator.EstimatorSpec, mode, **parts
                )
        spec = estimator.EstimatorSpec("eval", loss=given["good"]["loss"])
        found["replace"] = {
            "good": described(spec._replace, predictions=given["good"]["predictions"]),
            "same mode": described(spec._replace, mode="eval"),
            "mode": described(spec._replace, mode="train"),
            "loss": described(spec._replace, loss=tf.constant([1.0, 2.0])),
            "field": described(spec._replace, nonsense=3),
        }
        metric = keras_mean(given["good"]["loss"])
        estimator.EstimatorSpec("eval", loss=spec.loss, eval_metric_ops={"m": metric})
        for key in (tf1.GraphKeys.LOCAL_VARIABLES, tf1.GraphKeys.METRIC_VARIABLES):
            ids = [id(variable) for variable in tf1.get_collection(key)]
            found[key] = [ids.count(id(variable)) for variable in metric.variables]
    if tf.executing_eagerly():
        one = tf.constant(1.0)
        found["eager"] = described(
            estimator.EstimatorSpec, "eval", loss=one, predictions={"a": one}
        )
    return found
