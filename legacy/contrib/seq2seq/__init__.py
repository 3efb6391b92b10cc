"""tf.contrib.seq2seq: decoders, attention and sequence losses.

    helper = seq2seq.TrainingHelper(embedded_targets, lengths)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(batch_size, tf.float32))
    outputs, state, lengths = seq2seq.dynamic_decode(decoder)

Files in reading order:
decoder              runs a decoder in a loop: BasicDecoder, dynamic_decode
training_helper      feeds targets to a decoder: TrainingHelper
helper               feeds samples to a decoder: GreedyEmbeddingHelper
attention            attends to a memory: LuongAttention, BahdanauAttention
attention_wrapper    adds attention to a cell: AttentionWrapper
monotonic_attention  attends to a memory and moves only forward
beam_search          searches for the likeliest sequences: BeamSearchDecoder
beam_scores          computes the length and coverage penalties of beams
functions            computes losses and reorders beams: sequence_loss, tile_batch
"""

from legacy.contrib import _missing
from legacy.contrib.seq2seq.attention import (
    AttentionMechanism,
    BahdanauAttention,
    LuongAttention,
)
from legacy.contrib.seq2seq.attention_wrapper import AttentionWrapper, AttentionWrapperState
from legacy.contrib.seq2seq.beam_search import (
    BeamSearchDecoder,
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    FinalBeamSearchDecoderOutput,
)
from legacy.contrib.seq2seq.decoder import (
    BasicDecoder,
    BasicDecoderOutput,
    Decoder,
    dynamic_decode,
)
from legacy.contrib.seq2seq.functions import gather_tree, hardmax, sequence_loss, tile_batch
from legacy.contrib.seq2seq.helper import (
    CustomHelper,
    GreedyEmbeddingHelper,
    Helper,
    InferenceHelper,
    SampleEmbeddingHelper,
)
from legacy.contrib.seq2seq.monotonic_attention import (
    BahdanauMonotonicAttention,
    LuongMonotonicAttention,
    monotonic_attention,
    safe_cumprod,
)
from legacy.contrib.seq2seq.training_helper import (
    ScheduledEmbeddingTrainingHelper,
    TrainingHelper,
)

__getattr__ = _missing.attribute_of("seq2seq")

__all__ = [
    "AttentionMechanism",
    "AttentionWrapper",
    "AttentionWrapperState",
    "BahdanauAttention",
    "BahdanauMonotonicAttention",
    "BasicDecoder",
    "BasicDecoderOutput",
    "BeamSearchDecoder",
    "BeamSearchDecoderOutput",
    "BeamSearchDecoderState",
    "CustomHelper",
    "Decoder",
    "FinalBeamSearchDecoderOutput",
    "GreedyEmbeddingHelper",
    "Helper",
    "InferenceHelper",
    "LuongAttention",
    "LuongMonotonicAttention",
    "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper",
    "TrainingHelper",
    "dynamic_decode",
    "gather_tree",
    "hardmax",
    "monotonic_attention",
    "safe_cumprod",
    "sequence_loss",
    "tile_batch",
]
