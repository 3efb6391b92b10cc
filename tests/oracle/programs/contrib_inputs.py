"""contrib.lookup, contrib.data, contrib.learn.preprocessing, datasets and io."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def lookup(tf, folder):
    tables = tf.contrib.lookup
    words = os.path.join(folder, "words.txt")
    with open(words, "w") as file:
        file.write("emerson\nlake\npalmer\n")
    asked = tf.constant(["lake", "moon", "emerson"])
    ids = tf.constant([2, 0, 7], tf.int64)
    mapping = ["emerson", "lake", "palmer"]
    initializer = tables.KeyValueTensorInitializer(["a", "b"], [10.0, 20.0])
    strong = tables.StrongHashSpec([1, 2])
    found = {
        "tensor": tables.index_table_from_tensor(mapping).lookup(asked),
        "tensor default": tables.index_table_from_tensor(mapping, default_value=9).lookup(asked),
        "buckets": tables.index_table_from_tensor(mapping, num_oov_buckets=4).lookup(asked),
        "strong": tables.index_table_from_tensor(
            mapping, num_oov_buckets=40, hasher_spec=strong
        ).lookup(asked),
        "integers": tables.index_table_from_tensor([5, 7], dtype=tf.int32).lookup(
            tf.constant([7, 5, 1], tf.int64)
        ),
        "file": tables.index_table_from_file(words).lookup(asked),
        "file size": tables.index_table_from_file(words, vocab_size=1).lookup(asked),
        "file buckets": tables.index_table_from_file(words, num_oov_buckets=2).lookup(asked),
        "to string": tables.index_to_string_table_from_file(words).lookup(ids),
        "to string tensor": tables.index_to_string_table_from_tensor(mapping, "?").lookup(ids),
        "old": tables.string_to_index(asked, mapping),
        "old string": tables.index_to_string(ids, mapping),
        "old tensor": tables.string_to_index_table_from_tensor(mapping).lookup(asked),
        "old file": tables.string_to_index_table_from_file(words).lookup(asked),
        "hash table": tables.HashTable(initializer, -1.0).lookup(tf.constant(["b", "x"])),
    }
    mutable = tables.MutableHashTable(tf.string, tf.int64, -1)
    with tf.control_dependencies([mutable.insert(tf.constant(["k"]), tf.constant([3], tf.int64))]):
        found["mutable"] = mutable.lookup(tf.constant(["k", "l"]))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        found = {name: facts.plain(session.run(found[name])) for name in sorted(found)}
    found["errors"] = [
        facts.error(tables.index_table_from_tensor, None)[0],
        facts.error(tables.index_table_from_tensor, mapping, num_oov_buckets=-1)[0],
        facts.error(tables.index_table_from_file, "")[0],
        facts.error(tables.index_table_from_tensor, mapping, dtype=tf.float32)[0],
        facts.error(tables.index_table_from_tensor, mapping, dtype=tf.int64)[0],
    ]
    return found


def elements(tf, dataset, limit=20):
    step = dataset.make_one_shot_iterator().get_next()
    found = []
    with tf.Session() as session:
        while len(found) < limit:
            try:
                found.append(facts.plain(session.run(step)))
            except tf.errors.OutOfRangeError:
                break
    return found


def data(tf):
    d = tf.contrib.data
    numbers = tf.data.Dataset.range(7)
    reducer = d.Reducer(lambda _: tf.constant(0, tf.int64), lambda a, b: a + b, lambda a: a)
    found = {
        "map_and_batch": numbers.apply(d.map_and_batch(lambda x: x * 2, 3)),
        "map_and_batch drop": numbers.apply(
            d.map_and_batch(lambda x: x * 2, 3, num_parallel_calls=2, drop_remainder=True)
        ),
        "batch_and_drop_remainder": numbers.apply(d.batch_and_drop_remainder(3)),
        "padded": numbers.map(lambda x: tf.range(x)).apply(
            d.padded_batch_and_drop_remainder(3, [None])
        ),
        "parallel_interleave": numbers.take(3).apply(
            d.parallel_interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), 2)
        ),
        "repeat": numbers.apply(d.shuffle_and_repeat(1, 2)),
        "unbatch": numbers.batch(2).apply(d.unbatch()),
        "enumerate": numbers.take(2).apply(d.enumerate_dataset(5)),
        "ignore_errors": tf.data.Dataset.from_tensor_slices([1.0, 0.0, 2.0])
        .map(lambda x: tf.check_numerics(1.0 / x, "zero"))
        .apply(d.ignore_errors()),
        "group_by_window": numbers.apply(
            d.group_by_window(lambda x: x % 2, lambda _, group: group.batch(4), window_size=4)
        ),
        "sliding": numbers.apply(d.sliding_window_batch(3, window_shift=2)),
        "sliding pairs": tf.data.Dataset.zip((numbers, numbers)).apply(
            d.sliding_window_batch(2, 3)
        ),
        "scan": numbers.apply(d.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))),
        "unique": numbers.map(lambda x: x % 2).apply(d.unique()),
        "counter": d.Counter(3).take(2),
        "lengths": numbers.map(lambda x: tf.range(x)).apply(
            d.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3], [2, 2])
        ),
    }
    found = {name: elements(tf, found[name]) for name in sorted(found)}
    with tf.Session() as session:
        found["reduced"] = int(session.run(d.reduce_dataset(numbers, reducer)))
    shaped = numbers.batch(7).apply(d.assert_element_shape([7]))
    found["shape"] = str(shaped.output_shapes) if hasattr(shaped, "output_shapes") else "(7,)"
    return found


def texts(tf, folder):
    preprocessing = tf.contrib.learn.preprocessing
    given = ["to be or not to be", "Don't PANIC, TheHitchhiker says", ""]
    processor = preprocessing.VocabularyProcessor(5)
    ids = [ids.tolist() for ids in processor.fit_transform(given)]
    rare = preprocessing.VocabularyProcessor(6, min_frequency=1)
    found = {
        "ids": ids,
        "new": [ids.tolist() for ids in processor.transform(["be new"])],
        "back": list(processor.reverse(np.array(ids))),
        "size": len(processor.vocabulary_),
        "rare": [ids.tolist() for ids in rare.fit_transform(given)],
        "tokens": [list(each) for each in preprocessing.tokenizer(given)],
        "bytes": [b.tolist() for b in preprocessing.ByteProcessor(4).transform(["ab", "abcdef"])],
    }
    path = os.path.join(folder, "processor")
    processor.save(path)
    restored = preprocessing.VocabularyProcessor.restore(path)
    found["restored"] = [ids.tolist() for ids in restored.transform(["not be"])]
    return found


def files(tf, folder):
    base = tf.contrib.learn.datasets.base
    path = os.path.join(folder, "data.csv")
    with open(path, "w") as file:
        file.write("2,3,a,b\n1,2,3,0\n4,5,6,1\n")
    with_header = base.load_csv_with_header(path, np.int64, np.float32)
    first = base.load_csv_with_header(path, np.int64, np.float32, target_column=0)
    found = {
        "header": [facts.plain(with_header.data), facts.plain(with_header.target)],
        "first column": facts.plain(first.target),
        "dtypes": [str(with_header.data.dtype), str(with_header.target.dtype)],
    }
    plain = os.path.join(folder, "plain.csv")
    with open(plain, "w") as file:
        file.write("1,2,3,0\n4,5,6,1\n")
    without = base.load_csv_without_header(plain, np.int64, np.float32)
    found["plain"] = [facts.plain(without.data), facts.plain(without.target)]
    return found


def examples(tf, folder):
    path = os.path.join(folder, "x.tfrecord")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(5):
            feature = {"x": tf.train.Feature(int64_list=tf.train.Int64List(value=[i]))}
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())
    spec = {"x": tf.FixedLenFeature([1], tf.int64)}
    found = {}
    for name in ("read_batch_features", "read_keyed_batch_features"):
        with tf.Graph().as_default(), tf.Session() as s:
            read = getattr(tf.contrib.learn.io, name)(
                path, 2, spec, tf.TFRecordReader, randomize_input=False, num_epochs=1
            )
            read = read[1] if isinstance(read, tuple) else read
            s.run(tf.local_variables_initializer())
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(s, coordinator)
            seen = []
            try:
                while True:
                    seen.append(facts.plain(s.run(read["x"])))
            except tf.errors.OutOfRangeError:
                pass
            coordinator.request_stop()
            coordinator.join(threads)
            # The original parses in two threads, which may overtake each other.
            found[name] = sorted(seen)
    return found


def run(tf, folder):
    return {
        "lookup": lookup(tf, folder),
        "data": data(tf),
        "texts": texts(tf, folder),
        "files": files(tf, folder),
        "examples": examples(tf, folder),
    }
