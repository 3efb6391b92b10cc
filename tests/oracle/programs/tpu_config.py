"""tpu.RunConfig, TPUConfig, and the errors of TPUEstimator and its spec."""

import json
import os

import tensorflow as tf

from tests.oracle import facts

APIS = ("v1",)

tf1 = tf.compat.v1

CLUSTER = {"chief": ["host0:1"], "worker": ["host1:1"], "ps": ["host2:1"]}
ENVIRONMENTS = {
    "none": None,
    "session_master": {"session_master": "_master"},
    "both masters": {"session_master": "_master", "eval_session_master": "_eval_master"},
    "chief": {"cluster": CLUSTER, "task": {"type": "chief", "index": 0}},
    "evaluator": {"cluster": {"chief": ["h:1"]}, "task": {"type": "evaluator", "index": 0}},
    "service": {"service": {"tpu_worker_job_name": "_job"}},
}


def described(config):
    names = ("master", "evaluation_master", "cluster", "task_type", "is_chief", "num_ps_replicas")
    found = {name: getattr(config, name) for name in names}
    found["session_config"] = config.session_config is not None
    found["tpu_config"] = list(config.tpu_config)
    return found


def configs(tpu):
    found = {}
    before = os.environ.pop("TF_CONFIG", None)
    for name, environment in ENVIRONMENTS.items():
        if environment:
            os.environ["TF_CONFIG"] = json.dumps(environment)
        found[name] = {
            "default": described(tpu.RunConfig()),
            "master": described(tpu.RunConfig(master="_mine")),
            "both": described(tpu.RunConfig(master="_mine", evaluation_master="_other")),
            "empty": described(tpu.RunConfig(master="", evaluation_master="")),
        }
        os.environ.pop("TF_CONFIG", None)
    if before is not None:
        os.environ["TF_CONFIG"] = before
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec({"worker": ["a:1"]}), master="grpc://a:1"
    )
    config = tpu.RunConfig(cluster=resolver)
    found["resolver"] = [config.master, config.evaluation_master, str(config.session_config)]
    replaced = tpu.RunConfig(master="_m").replace(tf_random_seed=4)
    found["replaced"] = [replaced.tf_random_seed, described(replaced)]
    replaced = replaced.replace(tpu_config=tpu.TPUConfig(num_shards=3))
    found["replaced again"] = [
        replaced.tf_random_seed,
        described(replaced),
        type(replaced).__name__,
    ]
    return found


def tpu_configs(tpu):
    v2 = tpu.InputPipelineConfig.PER_HOST_V2
    cases = {
        "default": {},
        "seconds": {"iterations_per_loop": "300s"},
        "hours": {"iterations_per_loop": "1h"},
        "per shard": {"per_host_input_for_training": False},
        "v2": {"per_host_input_for_training": v2},
        "sliced": {"eval_training_input_configuration": tpu.InputPipelineConfig.SLICED},
        "partition": {
            "input_partition_dims": [[1, 2], None],
            "num_cores_per_replica": 2,
            "per_host_input_for_training": v2,
        },
        "no loop": {"iterations_per_loop": 0},
        "negative time": {"iterations_per_loop": "-1h"},
        "float": {"iterations_per_loop": 1.5},
        "no shards": {"num_shards": 0},
        "float shards": {"num_shards": 1.0},
        "cores": {"num_cores_per_replica": 7},
        "sleep": {"initial_infeed_sleep_secs": -1},
        "bad eval": {"eval_training_input_configuration": 3},
        "partition v1": {"input_partition_dims": [[1, 2], None]},
        "partition cores": {
            "input_partition_dims": [[1, 2], None],
            "per_host_input_for_training": v2,
        },
        "partition of 3": {
            "input_partition_dims": [[1, 2], None, None],
            "per_host_input_for_training": v2,
        },
    }
    found = {}
    for name, kwargs in cases.items():
        error = facts.error(tpu.TPUConfig, **kwargs)
        found[name] = error[0] if error else list(tpu.TPUConfig(**kwargs))
    return found


def estimators(estimator):
    tpu = estimator.tpu

    def model_fn(features, labels, mode, params):
        return None

    def without_params(features, labels, mode):
        return None

    def make(**kwargs):
        kwargs.setdefault("model_fn", model_fn)
        kwargs.setdefault("config", tpu.RunConfig())
        return tpu.TPUEstimator(**kwargs)

    def train(input_fn=lambda params: tf.data.Dataset.from_tensors(1.0), **kwargs):
        make(use_tpu=False, train_batch_size=1, **kwargs).train(input_fn, steps=1)

    def evaluate(**kwargs):
        made = make(use_tpu=False, **kwargs)
        made.evaluate(lambda params: tf.data.Dataset.from_tensors(1.0), steps=1)

    sliced = tpu.TPUConfig(eval_training_input_configuration=tpu.InputPipelineConfig.SLICED)
    per_shard = tpu.TPUConfig(per_host_input_for_training=False, num_cores_per_replica=2)
    found = {
        "no config": facts.error(make, config=None),
        "plain config": facts.error(make, config=estimator.RunConfig()),
        "batch_size": facts.error(make, params={"batch_size": 1}, use_tpu=False),
        "context": facts.error(make, params={"context": 1}, use_tpu=False),
        "no model_fn": facts.error(make, model_fn=None, use_tpu=False),
        "no train batch": facts.error(make),
        "float train batch": facts.error(make, train_batch_size=1.0),
        "negative train batch": facts.error(make, train_batch_size=-1),
        "float eval batch": facts.error(make, train_batch_size=8, eval_batch_size=1.5),
        "zero predict batch": facts.error(make, train_batch_size=8, predict_batch_size=0),
        "per shard": facts.error(
            make, train_batch_size=8, config=tpu.RunConfig(tpu_config=per_shard)
        ),
        "api version": facts.error(make, use_tpu=False, export_saved_model_api_version=3),
        "params unasked": facts.error(make, model_fn=without_params, params={"a": 1}),
        "model without params": facts.error(train, model_fn=without_params),
        "input without params": facts.error(train, input_fn=lambda: 1),
        "sliced": facts.error(evaluate, config=tpu.RunConfig(tpu_config=sliced)),
        "use_tpu": facts.error(make, train_batch_size=8),
    }
    return {name: error and error[0] for name, error in found.items()}


def specs(tpu):
    def one(a):
        return {}

    def many(*tensors):
        return {}

    def make(**kwargs):
        with tf.Graph().as_default():
            loss = kwargs.pop("loss", True) and tf.constant([1.0])
            made = tpu.TPUEstimatorSpec(
                kwargs.pop("mode", "eval"), loss=loss if loss is not False else None, **kwargs
            )
            return made.as_estimator_spec()

    found = {
        "fine": facts.error(make),
        "metrics no pair": facts.error(make, eval_metrics=3),
        "metrics of 3": facts.error(make, eval_metrics=(one, [], [])),
        "metrics no function": facts.error(make, eval_metrics=(3, [])),
        "metrics tensors": facts.error(make, eval_metrics=(one, 3)),
        "metrics count": facts.error(make, eval_metrics=(one, [1, 2])),
        "metrics varargs": facts.error(make, eval_metrics=(many, [1, 2])),
        "metrics names": facts.error(make, eval_metrics=(one, {"b": 1})),
        "host call no pair": facts.error(make, host_call=3),
        "host call count": facts.error(make, host_call=(one, [])),
        "hooks": facts.error(make, training_hooks=[3]),
        "no loss": facts.error(make, loss=False),
        "no train_op": facts.error(make, mode="train"),
        "no predictions": facts.error(make, mode="infer"),
    }
    found = {name: error and error[0] for name, error in found.items()}
    with tf.Graph().as_default():
        spec = tpu.TPUEstimatorSpec("infer", predictions={"y": tf.constant([1.0])})
        found["defaults"] = {
            "outputs": {key: type(v).__name__ for key, v in spec.export_outputs.items()},
            "hooks": [list(h) for h in spec[-3:]],
            "rest": [spec.mode, spec.loss, spec.train_op, spec.eval_metrics, spec.host_call],
        }
    return found


def embeddings(tpu):
    make = tpu.experimental.EmbeddingConfigSpec
    found = {
        "nothing": facts.error(make),
        "strategy": facts.error(
            make, partition_strategy="x", feature_to_config_dict={1: 1}, table_to_config_dict={1: 1}
        ),
        "column type": facts.error(make, feature_columns=[3]),
        "config type": facts.error(
            make, feature_to_config_dict={"f": 1}, table_to_config_dict={"t": 1}
        ),
        "no optimizer": facts.error(make, feature_columns=[tf.feature_column.numeric_column("x")]),
    }
    return {name: error and error[0] for name, error in found.items()}


def run(estimator, folder):
    tpu = estimator.tpu
    return {
        "configs": configs(tpu),
        "tpu_configs": tpu_configs(tpu),
        "estimators": estimators(estimator),
        "specs": specs(tpu),
        "embeddings": embeddings(tpu),
    }
