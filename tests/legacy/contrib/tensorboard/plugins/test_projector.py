"""Test of the configuration of TensorBoard's projector."""

import types

import pytest
import tensorflow as tf

from legacy.contrib.tensorboard.plugins import projector


def test_the_file_that_tensorboard_reads(tmp_path):
    config = projector.ProjectorConfig(model_checkpoint_path="/m")
    embedding = config.embeddings.add(tensor_name="words", tensor_shape=[3, 2])
    embedding.sprite.image_path = "sprite.png"
    embedding.sprite.single_image_dim.extend([8, 8])
    with tf.Graph().as_default(), tf.compat.v1.summary.FileWriter(str(tmp_path)) as writer:
        projector.visualize_embeddings(writer, config)
    assert (tmp_path / "projector_config.pbtxt").read_text() == (
        'model_checkpoint_path: "/m"\n'
        "embeddings {\n"
        '  tensor_name: "words"\n'
        "  tensor_shape: 3\n"
        "  tensor_shape: 2\n"
        "  sprite {\n"
        '    image_path: "sprite.png"\n'
        "    single_image_dim: 8\n"
        "    single_image_dim: 8\n"
        "  }\n"
        "}\n"
    )
    assert projector.ProjectorConfig.FromString(config.SerializeToString()) == config
    nowhere = types.SimpleNamespace(get_logdir=lambda: None)
    with pytest.raises(ValueError, match="Summary writer must have a logdir"):
        projector.visualize_embeddings(nowhere, config)
