"""Tests of decoding records into items."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import slim

decoders = slim.tfexample_decoder
SPARSE = tf.SparseTensor([[0], [1]], [5.0, 7.0], [2])


def example(**features):
    made = tf.train.Example()
    for name, values in features.items():
        kind = {bytes: "bytes_list", int: "int64_list", float: "float_list"}[type(values[0])]
        getattr(made.features.feature[name.replace("__", "/")], kind).value.extend(values)
    return made.SerializeToString()


def test_items_of_an_example():
    image = np.arange(12, dtype="uint8").reshape(2, 2, 3)
    serialized = example(
        image__encoded=[tf.io.encode_png(image).numpy()],
        image__format=[b"png"],
        box__ymin=[0.1, 0.2],
        box__xmin=[0.3, 0.4],
        box__ymax=[0.5, 0.6],
        box__xmax=[0.7, 0.8],
    )
    features = {
        f"box/{side}": tf.io.VarLenFeature(tf.float32) for side in ("ymin", "xmin", "ymax", "xmax")
    }
    features |= {
        f"image/{part}": tf.io.FixedLenFeature([], tf.string) for part in ("encoded", "format")
    }
    decoder = decoders.TFExampleDecoder(
        features, {"image": decoders.Image(), "boxes": decoders.BoundingBox(prefix="box/")}
    )
    assert decoder.list_items() == ["image", "boxes"]
    boxes, pixels = decoder.decode(serialized, ["boxes", "image"])
    np.testing.assert_array_equal(pixels, image)
    np.testing.assert_allclose(boxes, [[0.1, 0.3, 0.5, 0.7], [0.2, 0.4, 0.6, 0.8]], rtol=1e-6)


def test_raw_images_have_a_shape():
    handler = decoders.Image("i", "f", shape=[1, 2, 3])
    found = handler.tensors_to_item({"i": tf.constant(bytes(range(6))), "f": tf.constant("raw")})
    assert found.numpy().ravel().tolist() == list(range(6))


def test_tensors_get_their_shape():
    shaped = decoders.Tensor("x", shape_keys=["height", "width"])
    features = {"x": SPARSE, "height": tf.constant([1]), "width": tf.constant([2])}
    features = {
        key: value if key == "x" else tf.cast(value, tf.int64) for key, value in features.items()
    }
    assert shaped.tensors_to_item(features).numpy().tolist() == [[5.0, 7.0]]
    assert decoders.Tensor("x", shape=[2, 1]).tensors_to_item(features).shape == [2, 1]
    with pytest.raises(ValueError, match="Cannot specify both"):
        decoders.Tensor("x", shape_keys="height", shape=[2])


def test_a_backup_and_a_callback():
    double = decoders.ItemHandlerCallback("x", lambda tensors: 2 * tensors["x"])
    handler = decoders.BackupHandler(decoders.Tensor("empty"), double)
    assert list(handler.keys) == ["empty", "x"]
    features = {"empty": tf.zeros([0]), "x": tf.constant([4.0])}
    assert handler.tensors_to_item(features).numpy().tolist() == [8.0]
    assert handler.tensors_to_item({**features, "empty": tf.ones([1])}).numpy().tolist() == [1.0]
    with pytest.raises(ValueError, match="Backup handler is of type"):
        decoders.BackupHandler(double, None)


def test_sparse_items():
    indices = tf.SparseTensor([[0], [1]], tf.constant([1, 3], tf.int64), [2])
    handler = decoders.SparseTensor("i", "x", shape=[4], densify=True, default_value=-1)
    assert handler.tensors_to_item({"i": indices, "x": SPARSE}).numpy().tolist() == [-1, 5, -1, 7]
