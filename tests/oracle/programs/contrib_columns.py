"""contrib.layers: feature columns, and the layers that are made of them."""

import os

import numpy as np

from tests.oracle import facts
from tests.oracle.programs.contrib_layers import values_by_name

APIS = ("contrib",)


def features(tf):
    ids = [[0, 0], [0, 1], [2, 0]]
    return {
        "age": tf.constant([[20.0], [35.0], [70.0]]),
        "size": tf.constant([[1, 2], [3, 4], [5, 6]]),
        "flat": tf.constant([1.0, 2.0, 3.0]),
        "word": tf.SparseTensor(ids, ["a", "b", "zzz"], [3, 2]),
        "other": tf.constant([["x"], ["y"], [""]]),
        "number": tf.SparseTensor(ids, tf.constant([1, 12, 3], tf.int64), [3, 2]),
        "weight": tf.SparseTensor(ids, [0.5, 2.0, -1.0], [3, 2]),
    }


def columns(tf, folder):
    layers = tf.contrib.layers
    path = os.path.join(folder, "vocabulary.txt")
    with open(path, "w") as file:
        file.write("a\nb\nc\n")
    age = layers.real_valued_column("age", normalizer=lambda x: x / 10)
    size = layers.real_valued_column("size", 2, dtype=tf.int32, default_value=3)
    keys = layers.sparse_column_with_keys("word", ["a", "b", "c"])
    number = layers.sparse_column_with_integerized_feature("number", 10)
    hashed = layers.sparse_column_with_hash_bucket("other", 7)
    file_ids = layers.sparse_column_with_vocabulary_file("word", path, 2, 3, combiner="mean")
    ages = layers.bucketized_column(age, [3.0, 3.0, 5.0])
    sizes = layers.bucketized_column(size, [2, 5])
    return {
        "age": age,
        "size": size,
        "flat": layers.real_valued_column("flat"),
        "keys": keys,
        "number": number,
        "hashed": hashed,
        "hashed numbers": layers.sparse_column_with_hash_bucket("number", 6, dtype=tf.int64),
        "hash keys": layers.sparse_column_with_hash_bucket("word", 9, hash_keys=[[1, 2], [3, 4]]),
        "file": file_ids,
        "weighted": layers.weighted_sparse_column(keys, "weight"),
        "ages": ages,
        "sizes": sizes,
        "crossed": layers.crossed_column([keys, hashed, ages], 11),
        "crossed with key": layers.crossed_column(
            [number, keys], 13, hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
        ),
        "crossed twice": layers.crossed_column(
            [layers.crossed_column([keys, number], 5), sizes], 100, combiner="sqrtn"
        ),
        "one hot": layers.one_hot_column(keys),
        "one hot weighted": layers.one_hot_column(layers.weighted_sparse_column(keys, "weight")),
        "embedding": layers.embedding_column(
            hashed, 2, initializer=tf.ones_initializer(), combiner="sum"
        ),
        "embedding weighted": layers.embedding_column(
            layers.weighted_sparse_column(number, "weight"), 2, max_norm=0.3
        ),
    }


def computed(tf, build):
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = build(features(tf))
        variables = tf.global_variables()
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        for variable, value in values_by_name(variables):
            variable.load(value, session)
        return {
            "values": facts.plain(session.run(outputs)),
            "variables": {v.op.name: v.shape.as_list() for v in variables},
            "model": len(tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)),
            "mine": sorted(v.op.name for v in tf.get_collection("mine")),
        }


def linear(tf, made):
    layers = tf.contrib.layers
    wide = [name for name in sorted(made) if "hot" not in name and "embedding" not in name]

    def each(features):
        chosen = [made[name] for name in wide if name not in ("file", "hash keys")]
        total, by_column, bias = layers.weighted_sum_from_feature_columns(
            features, chosen, 2, weight_collections=["mine"], scope="linear"
        )
        return total, [by_column[column] for column in chosen], bias

    def again(features):
        chosen = [made["file"], made["hash keys"]]
        return layers.weighted_sum_from_feature_columns(features, chosen, 1)[0]

    def joint(features):
        chosen = [made[name] for name in ("keys", "crossed", "hashed", "number")]
        total, weights, bias = layers.joint_weighted_sum_from_feature_columns(features, chosen, 2)
        return total, weights, bias

    return {
        "each": computed(tf, each),
        "again": computed(tf, again),
        "joint": computed(tf, joint),
    }


def deep(tf, made, folder):
    layers = tf.contrib.layers
    names = ("age", "size", "flat", "ages", "sizes", "one hot", "one hot weighted", "embedding")

    def plain(features):
        chosen = [made[name] for name in names + ("embedding weighted",)]
        parts = {}
        net = layers.input_from_feature_columns(
            features, chosen, weight_collections=["mine"], cols_to_outs=parts
        )
        return net, [parts[column] for column in chosen]

    def shared(features):
        other = layers.sparse_column_with_keys("other", ["a", "b", "c"])
        pair = layers.shared_embedding_columns([made["keys"], other], 2)
        [single] = layers.shared_embedding_columns([made["keys"]], 2, shared_embedding_name="one")
        with tf.variable_scope("outer", partitioner=tf.fixed_size_partitioner(2)):
            return layers.input_from_feature_columns(features, list(pair) + [single], scope="in")

    def sequence(features):
        steps = tf.constant([[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]])
        chosen = [layers.real_valued_column("steps"), made["embedding weighted"]]
        chosen.append(made["one hot"])
        return layers.sequence_input_from_feature_columns(dict(features, steps=steps), chosen)

    path = os.path.join(folder, "weights")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("table", initializer=np.float32([[1, 2], [3, 4], [5, 6]]))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)
    with tf.Graph().as_default(), tf.Session() as session:
        column = layers.embedding_column(
            made["keys"], 2, ckpt_to_load_from=path, tensor_name_in_ckpt="table"
        )
        net = layers.input_from_feature_columns(features(tf), [column])
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        restored = facts.plain(session.run(net))
    return {
        "plain": computed(tf, plain),
        "shared": computed(tf, shared),
        "sequence": computed(tf, sequence),
        "restored": restored,
    }


def parsing(tf, made):
    layers = tf.contrib.layers
    spec = layers.create_feature_spec_for_parsing(list(made.values()))
    found = {"spec": {key: [type(spec[key]).__name__, spec[key].dtype.name] for key in spec}}
    found["default"] = [spec["size"].default_value, spec["age"].default_value]
    example = tf.train.Example()
    example.features.feature["age"].float_list.value.append(3.0)
    example.features.feature["word"].bytes_list.value.append(b"b")
    chosen = [made["age"], made["keys"], made["ages"]]
    with tf.Graph().as_default(), tf.Session() as session:
        parsed = layers.parse_feature_columns_from_examples([example.SerializeToString()], chosen)
        transformed = layers.transform_features(features(tf), chosen)
        placeholders = layers.make_place_holder_tensors_for_base_features(chosen)
        session.run(tf.tables_initializer())
        found["parsed"] = facts.plain(
            session.run([parsed["age"], parsed[chosen[0]], parsed[chosen[1]].values])
        )
        found["keys"] = sorted(key for key in parsed if isinstance(key, str))
        found["transformed"] = facts.plain(session.run(transformed[chosen[2]]))
        found["placeholders"] = {key: placeholders[key].op.name for key in ("age",)}
        inferred = layers.infer_real_valued_columns(
            {"a": tf.zeros([2, 3]), "b": tf.zeros([2, 2, 2], tf.int64)}
        )
        found["inferred"] = sorted([c.name, c.dimension, c.dtype.name] for c in inferred)
    found["names"] = {name: made[name].name for name in made}
    found["order"] = [c.name for c in sorted(made.values(), key=lambda column: column.key)]
    return found


def errors(tf, made):
    layers = tf.contrib.layers
    wrong = {
        "dimension": lambda: layers.real_valued_column("a", 0),
        "dimension type": lambda: layers.real_valued_column("a", 1.5),
        "dtype": lambda: layers.real_valued_column("a", dtype=tf.string),
        "default": lambda: layers.real_valued_column("a", 2, [1.0]),
        "default type": lambda: layers.real_valued_column("a", default_value="x"),
        "default int": lambda: layers.real_valued_column("a", default_value=0.5, dtype=tf.int32),
        "boundaries": lambda: layers.bucketized_column(made["age"], []),
        "sorted": lambda: layers.bucketized_column(made["age"], [2, 1]),
        "source": lambda: layers.bucketized_column(made["keys"], [1]),
        "crossed": lambda: layers.crossed_column([made["keys"]], 10),
        "crossed kind": lambda: layers.crossed_column([made["keys"], made["age"]], 10),
        "crossed size": lambda: layers.crossed_column([made["keys"], made["hashed"]], 1),
        "hash": lambda: layers.sparse_column_with_hash_bucket("a", 0),
        "hash dtype": lambda: layers.sparse_column_with_hash_bucket("a", 2, dtype=tf.float32),
        "hash keys": lambda: layers.sparse_column_with_hash_bucket("a", 2, hash_keys=[1]),
        "integers": lambda: layers.sparse_column_with_integerized_feature("a", 2, dtype=tf.string),
        "file": lambda: layers.sparse_column_with_vocabulary_file("a", "b"),
        "weighted": lambda: layers.weighted_sparse_column(made["keys"], "w", tf.string),
        "initializer": lambda: layers.embedding_column(made["keys"], 2, initializer=3),
        "checkpoint": lambda: layers.embedding_column(made["keys"], 2, ckpt_to_load_from="a"),
        "shared": lambda: layers.shared_embedding_columns([made["age"]], 2),
        "shared string": lambda: layers.shared_embedding_columns("ab", 2),
        "shared none": lambda: layers.shared_embedding_columns([], 2),
        "shared sizes": lambda: layers.shared_embedding_columns([made["keys"], made["hashed"]], 2),
        "twice": lambda: layers.check_feature_columns([made["keys"], made["keys"]]),
        "dict": lambda: layers.check_feature_columns(made),
        "deep": lambda: layers.input_from_feature_columns(features(tf), [made["keys"]]),
        "wide": lambda: layers.weighted_sum_from_feature_columns(
            features(tf), [made["embedding"]], 1
        ),
        "joint": lambda: layers.joint_weighted_sum_from_feature_columns(
            features(tf), [made["age"]], 1
        ),
        "sequence": lambda: layers.sequence_input_from_feature_columns(
            features(tf), [made["ages"]]
        ),
        "spec": lambda: layers.create_feature_spec_for_parsing(["age"]),
    }
    found = {}
    for name in sorted(wrong):
        with tf.Graph().as_default():
            raised = facts.error(wrong[name])
            found[name] = raised and raised[0]
    return found


def run(tf, folder):
    made = columns(tf, folder)
    return {
        "linear": linear(tf, made),
        "deep": deep(tf, made, folder),
        "parsing": parsing(tf, made),
        "errors": errors(tf, made),
    }
