"""contrib.slim: datasets of tf.Example records, read by queues."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def feature(tf, value):
    if isinstance(value[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=value))
    if isinstance(value[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=value))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=value))


def example(tf, **values):
    features = {key.replace("__", "/"): feature(tf, value) for key, value in values.items()}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def write(tf, folder):
    pixels = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    with tf.Graph().as_default(), tf.Session() as session:
        png = session.run(tf.image.encode_png(pixels))
    for part in range(2):
        with tf.python_io.TFRecordWriter(os.path.join(folder, "part-%d" % part)) as writer:
            for i in range(2):
                writer.write(
                    example(
                        tf,
                        image__encoded=[png],
                        image__format=[b"png"],
                        label=[2 * part + i],
                        values=[0.5, 1.5],
                        xmin=[0.0],
                        ymin=[0.1],
                        xmax=[0.5],
                        ymax=[0.6],
                    )
                )
    return pixels


def dataset(tf, folder):
    slim = tf.contrib.slim
    decoders = slim.tfexample_decoder
    features = {
        "image/encoded": tf.FixedLenFeature((), tf.string, ""),
        "image/format": tf.FixedLenFeature((), tf.string, "png"),
        "label": tf.FixedLenFeature([1], tf.int64),
        "values": tf.VarLenFeature(tf.float32),
    }
    features.update((key, tf.VarLenFeature(tf.float32)) for key in ("xmin", "ymin", "xmax", "ymax"))
    decoder = decoders.TFExampleDecoder(
        features,
        {
            "image": decoders.Image(shape=[2, 2, 3]),
            "label": decoders.Tensor("label", shape=[]),
            "values": decoders.Tensor("values"),
            "boxes": decoders.BoundingBox(),
            "both": decoders.ItemHandlerCallback(
                ["label", "values"], lambda tensors: tensors["label"] + 1
            ),
        },
    )
    return slim.dataset.Dataset(
        os.path.join(folder, "part-*"), tf.TFRecordReader, decoder, 4, {"label": "It."}, name="mine"
    )


def read(tf, folder):
    slim = tf.contrib.slim
    with tf.Graph().as_default(), tf.Session() as session:
        described = dataset(tf, folder)
        provider = slim.dataset_data_provider.DatasetDataProvider(
            described, shuffle=False, num_epochs=1
        )
        tensors = provider.get(["image", "label", "values", "boxes", "both"])
        session.run(tf.local_variables_initializer())
        seen = []
        with slim.queues.QueueRunners(session):
            nested = facts.error(slim.queues.QueueRunners(session).__enter__)[0]
            try:
                while True:
                    seen.append(facts.plain(session.run(tensors)))
            except tf.errors.OutOfRangeError:
                pass
        return {
            "seen": seen,
            "items": sorted(provider.list_items()),
            "samples": provider.num_samples(),
            "name": described.name,
            "wrong": [
                facts.error(provider.get, "image")[0],
                facts.error(provider.get, ["none"])[0],
            ],
            "nested": nested,
            "summaries": [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)],
        }


def shuffled(tf, folder):
    slim = tf.contrib.slim
    with tf.Graph().as_default(), tf.Session() as session:
        provider = slim.dataset_data_provider.DatasetDataProvider(
            dataset(tf, folder), num_readers=2, num_epochs=2, common_queue_min=2
        )
        [label] = provider.get(["label"])
        queue = slim.prefetch_queue.prefetch_queue({"label": label}, capacity=3)
        session.run(tf.local_variables_initializer())
        seen = []
        label = queue.dequeue()["label"]
        with slim.queues.QueueRunners(session):
            try:
                while True:
                    seen.append(int(session.run(label)))
            except tf.errors.OutOfRangeError:
                pass
    return sorted(seen)


def decoded(tf, folder, pixels):
    """Items of one record, without queues."""
    decoders = tf.contrib.slim.tfexample_decoder
    with tf.Graph().as_default(), tf.Session() as session:
        raw = example(
            tf,
            image__encoded=[pixels.tobytes()],
            image__format=[b"raw"],
            indices=[0, 2],
            values=[1.0, 2.0],
            shape=[4],
        )
        features = {
            "image/encoded": tf.FixedLenFeature((), tf.string),
            "image/format": tf.FixedLenFeature((), tf.string),
            "indices": tf.VarLenFeature(tf.int64),
            "values": tf.VarLenFeature(tf.float32),
            "shape": tf.FixedLenFeature([1], tf.int64),
            "nothing": tf.VarLenFeature(tf.float32),
        }
        handlers = {
            "dense": decoders.SparseTensor(shape=[4], densify=True),
            "shaped": decoders.SparseTensor(shape_key="shape", densify=True),
            "backup": decoders.BackupHandler(decoders.Tensor("nothing"), decoders.Tensor("values")),
            "reshaped": decoders.Tensor("values", shape=[2, 1]),
        }
        decoder = decoders.TFExampleDecoder(features, handlers)
        items = sorted(decoder.list_items())
        found = session.run(decoder.decode(tf.constant(raw), items))
        found = dict(zip(items, facts.plain(found)))
    found["errors"] = [
        facts.error(decoders.BoundingBox, ["a"])[0],
        facts.error(decoders.Tensor, "a", ["b"], [2])[0],
        facts.error(decoders.BackupHandler, 1, 2)[0],
        facts.error(tf.contrib.slim.parallel_reader.get_data_files, folder + "/none-*")[0],
    ]
    return found


def run(tf, folder):
    pixels = write(tf, folder)
    return {
        "read": read(tf, folder),
        "shuffled": shuffled(tf, folder),
        "decoded": decoded(tf, folder, pixels),
    }
