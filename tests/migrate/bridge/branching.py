"""Trains, evaluates, predicts and exports a model_fn that branches on its strategy. A program.

    python -m tests.migrate.bridge.branching parameter_server|others

For each strategy, prints as JSON the figures of the bridge, those of an Estimator from the same
checkpoint, and the contexts that the functions saw.
"""

import json
import sys
import tempfile
import warnings

from modern.process import cli, frame_memory, quiet_import

warnings.simplefilter("ignore")
quiet_import.import_tensorflow()

import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402

from legacy import estimator as tf_estimator  # noqa: E402
from migrate import bridge  # noqa: E402
from migrate.bridge import as_estimator  # noqa: E402
from tests.migrate.bridge import small  # noqa: E402
from tests.modern import in_process_cluster  # noqa: E402

seen = set()
servers = []  # Kept alive, since a deleted server stops.


def look(where):
    """Records the caller and its context: strategy, cross-replica, replicas in sync, replica ID."""
    context = tf.distribute.get_replica_context()
    number = None if context is None else tf.get_static_value(context.replica_id_in_sync_group)
    seen.add(
        (
            where,
            tf.distribute.has_strategy(),
            tf.distribute.in_cross_replica_context(),
            tf.distribute.get_strategy().num_replicas_in_sync,
            None if number is None else int(number),
        )
    )


def model_fn(features, labels, mode, params):
    """Takes another branch under a strategy, as TensorFlow's official ResNet does."""
    look(mode)
    sign = -1 if tf.distribute.has_strategy() else 1
    replicas = tf.distribute.get_strategy().num_replicas_in_sync
    spec = small.model_fn(features, labels, mode, params)
    if mode == tf_estimator.ModeKeys.TRAIN:
        return spec
    outputs = {"outputs": sign * spec.predictions["outputs"]} if spec.predictions else None
    served = {"served": tf_estimator.export.PredictOutput(outputs)} if outputs else None
    loss = sign * replicas * spec.loss if spec.loss is not None else None
    return spec._replace(predictions=outputs, export_outputs=served, loss=loss)


def input_fn():
    look("input_fn")
    return small.endless()


def served(folder):
    signature = tf.saved_model.load(folder.decode()).signatures["serving_default"]
    (outputs,) = signature(x=tf.ones([1, 4])).values()
    return outputs.numpy().tolist()


def serving():
    x = tf.compat.v1.placeholder(tf.float32, [None, 4], name="x")
    return tf_estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def bridged(strategy, folder):
    seen.clear()
    with strategy.scope():
        model = bridge.KerasModelFn(model_fn, {})
    as_estimator.restore(model, folder)
    if isinstance(strategy, tf.distribute.ParameterServerStrategy):
        model.fit(
            tf_keras.utils.experimental.DatasetCreator(lambda _: small.endless()),
            steps_per_epoch=2, verbose=0,
        )  # fmt: skip
        model.save_estimator_checkpoint(f"{folder}/model.ckpt")
    else:
        as_estimator.train(model, input_fn, max_steps=2)
    metrics = as_estimator.evaluate(model, small.input_fn())
    predicted = [one["outputs"].tolist() for one in as_estimator.predict(model, small.input_fn())]
    path = as_estimator.export(model, f"{folder}/bridged", serving)
    with strategy.scope():
        again = bridge.KerasModelFn(model_fn, {})
        again.load_estimator_checkpoint(folder)
        again.export(f"{folder}/within", serving)
    exported = [served(one) for one in (path, f"{folder}/within".encode())]
    return [metrics, predicted, *exported], sorted(seen, key=str)


def expected(folder):
    estimator = tf_estimator.Estimator(model_fn, folder, params={})
    metrics = estimator.evaluate(small.input_fn)
    predicted = [one["outputs"].tolist() for one in estimator.predict(small.input_fn)]
    found = served(estimator.export_saved_model(f"{folder}/estimator", serving))
    return [{name: float(value) for name, value in metrics.items()}, predicted, found, found]


def trained_by_an_estimator(strategy):
    seen.clear()
    with tempfile.TemporaryDirectory() as folder:
        config = tf_estimator.RunConfig(folder, train_distribute=strategy)
        tf_estimator.Estimator(model_fn, config=config, params={}).train(input_fn, steps=2)
    return sorted(seen, key=str)


def served_strategy():
    """Returns a ParameterServerStrategy whose servers run in this process."""
    resolver, started = in_process_cluster.served()
    servers.extend(started)
    return tf.distribute.ParameterServerStrategy(resolver)


def main(way):
    if way == "parameter_server":
        ways, by_estimators = {way: served_strategy()}, {}
    else:
        cpu = tf.config.list_physical_devices("CPU")[0]
        two = [tf.config.LogicalDeviceConfiguration()] * 2
        tf.config.set_logical_device_configuration(cpu, two)
        ways = {
            "multi_worker_mirrored": tf.distribute.MultiWorkerMirroredStrategy(),
            "single": tf.distribute.get_strategy(),
            "mirrored": tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"]),
        }
        by_estimators = {"single": None, "mirrored": ways["mirrored"]}
    found = {}
    for name, strategy in ways.items():
        with tempfile.TemporaryDirectory() as folder:
            numbers, contexts = bridged(strategy, folder)
            found[name] = [numbers, expected(folder), contexts]
    for name, strategy in by_estimators.items():
        found[name].append(trained_by_an_estimator(strategy))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    frame_memory.with_room(main)(sys.argv[1])
    cli.exit_at_once(0)  # The parameter servers never stop by themselves.
