"""The values that flags of a training accept.

They are apart from the modules that act on them, because those import TensorFlow. So a program
refuses a wrong flag before it imports TensorFlow, and a task that only serves never imports it.
"""

STRATEGIES = ("single", "mirrored", "multi_worker_mirrored", "parameter_server")
COMMUNICATIONS = ("auto", "ring", "nccl")
# "off": each trainer makes its own share (modern/data/pipeline.py). With the others, TensorFlow
# splits the data.
AUTOSHARD_POLICIES = ("off", "auto", "data", "file")
# The default of --min_shard_bytes: the size in TensorFlow's parameter server guide for
# MinSizePartitioner.
MIN_SHARD_BYTES = 256 << 10
GRADIENT_COMPRESSIONS = ("none", "bfloat16", "float16")
PRECISIONS = ("none", "mixed_bfloat16", "mixed_float16")
# bfloat16 has the range of float32, so only float16 needs a scaled loss.
SCALED_PRECISION = "mixed_float16"
