"""Beam search of contrib.seq2seq, which keeps the best partial sequences of each step.

decoder = BeamSearchDecoder(
    cell, embedding, start_tokens, end_token, tile_batch(encoder_state, 3), beam_width=3
)
outputs, state, lengths = dynamic_decode(decoder, maximum_iterations=20)
best = outputs.predicted_ids[:, :, 0]
"""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf

from legacy.contrib.seq2seq.beam_scores import (
    coverage_penalty,
    has_coverage,
    length_penalty,
    mean_alignments,
)
from legacy.contrib.seq2seq.decoder import Decoder, check_parts, size_of_outputs
from legacy.contrib.seq2seq.functions import gather_tree, gather_tree_from_array
from legacy.contrib.seq2seq.helper import embedding_function, start_and_end

tf1 = tf.compat.v1


class BeamSearchDecoderState(
    collections.namedtuple(
        "BeamSearchDecoderState",
        ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"),
    )
):
    """State of a search. Tensors with values for each beam have shape [batch, beams, ...]."""


class BeamSearchDecoderOutput(
    collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))
):
    """Output of a step: scores, ids, and the parent beam that each id continues."""


class FinalBeamSearchDecoderOutput(
    collections.namedtuple(
        "FinalBeamSearchDecoderOutput", ("predicted_ids", "beam_search_decoder_output")
    )
):
    """Ids of the complete beams, best first, and the outputs of all steps."""


class BeamSearchDecoder(Decoder):
    """Decoder that searches the outputs of a cell for the likeliest sequences."""

    def __init__(
        self,
        cell: Any,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: Any = 0.0,
        coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        """Initializes the decoder.

        Args:
          cell: RNN cell.
          embedding: Embedding table, or a function of ids that returns their vectors.
          start_tokens: First ids, int32 of shape [batch].
          end_token: Id that ends a beam.
          initial_state: Initial state of the cell after `tile_batch`, with tensors of shape
            [batch * beams, ...].
          beam_width: Number of beams.
          output_layer: Layer that turns the cell's output into logits.
          length_penalty_weight: Preference for longer sequences. 0 means no preference.
          coverage_penalty_weight: Preference for sequences that attended to the whole memory. 0
            means no preference.
          reorder_tensor_arrays: If true, TensorArrays in the cell's state, such as the alignment
            history, become tensors that follow the final beams.

        Raises:
          TypeError: An argument has the wrong type.
          ValueError: A token has the wrong rank, or a tensor of the state has an unknown rank.
        """
        check_parts(cell, output_layer)
        self._cell = cell
        self._output_layer = output_layer
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = tf.size(self._start_tokens)
        self._beam_width = beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._initial_cell_state = tf.nest.map_structure(
            self._split_beams, initial_state, cell.state_size
        )
        first_ids = tf.tile(self._start_tokens[:, None], [1, beam_width])
        self._start_inputs = self._embedding_fn(first_ids)
        # All beams are equal at first. Only the first beam is unfinished, so that the first step
        # does not choose the same ids several times.
        self._finished = tf.one_hot(
            tf.zeros([self._batch_size], tf.int32), beam_width, False, True, dtype=tf.bool
        )

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch, without the beams."""
        return self._batch_size

    @property
    def tracks_own_finished(self) -> bool:
        """Returns True, because an unfinished beam may replace a finished beam."""
        return True

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """Sizes of the outputs of a step, without the batch dimension."""
        return BeamSearchDecoderOutput(*[tf.TensorShape([self._beam_width])] * 3)

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """Types of the outputs of a step."""
        dtype = tf.nest.flatten(self._initial_cell_state)[0].dtype
        types = tf.nest.map_structure(
            lambda _: dtype, size_of_outputs(self._cell, self._output_layer)
        )
        return BeamSearchDecoderOutput(types, tf.int32, tf.int32)

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns a mask of finished beams, the first inputs and the initial state.

        Args:
          name: Unused.

        Raises:
          ValueError: `coverage_penalty_weight` is nonzero, and no cell has attention.
        """
        cell_state = self._initial_cell_state
        dtype = tf.nest.flatten(cell_state)[0].dtype
        attention: Any = ()
        if has_coverage(self._coverage_penalty_weight):
            attention = tf.zeros_like(mean_alignments(cell_state))
        state = BeamSearchDecoderState(
            cell_state=cell_state,
            log_probs=tf.where(self._finished, dtype.as_numpy_dtype("-inf"), tf.zeros([], dtype)),
            finished=self._finished,
            lengths=tf.zeros_like(self._finished, tf.int64),
            accumulated_attention_probs=attention,
        )
        return self._finished, self._start_inputs, state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the outputs, the next state, the next inputs and a mask of finished beams.

        Args:
          time: Number of the step, from 0 on.
          inputs: Inputs of shape [batch, beams, ...].
          state: `BeamSearchDecoderState` of the previous step.
          name: Name scope of the operations.
        """
        with tf1.name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            cell_output, cell_state = self._cell(
                tf.nest.map_structure(_merge_beams, inputs),
                tf.nest.map_structure(_merge_beams, state.cell_state),
            )
            logits = tf.nest.map_structure(self._split_beams, cell_output)
            cell_state = tf.nest.map_structure(self._split_beams, cell_state, self._cell.state_size)
            if self._output_layer is not None:
                logits = self._output_layer(logits)
            output, next_state = self._best(logits, state._replace(cell_state=cell_state))
            # No lookup after the last step, because no further step reads its inputs.
            next_inputs = tf1.cond(
                tf.reduce_all(next_state.finished),
                lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )
        return output, next_state, next_inputs, next_state.finished

    def _best(
        self, logits: tf.Tensor, state: BeamSearchDecoderState
    ) -> tuple[BeamSearchDecoderOutput, BeamSearchDecoderState]:
        """Returns the best continuations of all beams, and their state.

        Args:
          logits: Logits of shape [batch, beams, ids].
          state: State before the step, except for the cell's state, which is after the step.
        """
        ids = logits.shape.as_list()[-1] or tf.shape(logits)[-1]
        is_unfinished = tf.logical_not(state.finished)
        log_probs = self._log_probs(logits, ids, state)
        attention = state.accumulated_attention_probs
        if has_coverage(self._coverage_penalty_weight):
            step_attention = mean_alignments(state.cell_state)
            attention += step_attention * tf.cast(is_unfinished, step_attention.dtype)[:, :, None]
        # A token adds 1 to the length, except for the end token and in finished beams.
        is_counted = is_unfinished[:, :, None] & tf.not_equal(tf.range(ids), self._end_token)
        lengths = state.lengths[:, :, None] + tf.cast(is_counted, tf.int64)
        scores = self._scores(log_probs, lengths, state.finished, attention)

        best_scores, places = tf.math.top_k(self._flat(scores), self._beam_width)
        ids_of_beams, parents = places % ids, places // ids
        state = tf.nest.map_structure(
            lambda tensor: _reorder(tensor, parents),
            state._replace(
                finished=state.finished,
                lengths=state.lengths + tf.cast(is_unfinished, tf.int64),
                accumulated_attention_probs=attention,
            ),
        )
        state = state._replace(
            log_probs=tf.gather(self._flat(log_probs), places, batch_dims=1),
            finished=state.finished | tf.equal(ids_of_beams, self._end_token),
        )
        return BeamSearchDecoderOutput(best_scores, ids_of_beams, parents), state

    def _log_probs(self, logits: tf.Tensor, ids: Any, state: BeamSearchDecoderState) -> tf.Tensor:
        """Returns the log probability of each continuation, of shape [batch, beams, ids]."""
        dtype = logits.dtype
        # A finished beam continues with the end token, at no loss of probability.
        end_log_probs = tf.one_hot(
            self._end_token, ids, tf.zeros([], dtype), dtype.min, dtype=dtype
        )
        step = tf.where(state.finished[:, :, None], end_log_probs, tf.nn.log_softmax(logits))
        return state.log_probs[:, :, None] + step

    def _scores(
        self, log_probs: tf.Tensor, lengths: tf.Tensor, finished: tf.Tensor, attention: Any
    ) -> tf.Tensor:
        """Returns the log probabilities with penalties, of shape [batch, beams, ids]."""
        scores = log_probs
        penalty = length_penalty(lengths, self._length_penalty_weight)
        if penalty is not None:
            scores /= tf.cast(penalty, scores.dtype)
        if has_coverage(self._coverage_penalty_weight):
            penalty = coverage_penalty(attention, self._coverage_penalty_weight)
            if penalty is not None:
                scores += tf.where(finished, penalty, tf.zeros_like(penalty))[:, :, None]
        return scores

    def _flat(self, of_beams: tf.Tensor) -> tf.Tensor:
        return tf.reshape(of_beams, [self._batch_size, -1])

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Traces the final beams back to their first steps.

        Args:
          outputs: Outputs of all steps, with time as the first dimension.
          final_state: State after the last step.
          sequence_lengths: Unused, because the state has the length of each beam.

        Returns:
          A `FinalBeamSearchDecoderOutput`, and the final state. TensorArrays in the state are
          reordered to follow the final beams where possible.
        """
        lengths, parents = final_state.lengths, outputs.parent_ids
        longest = tf.cast(tf.reduce_max(lengths, axis=1), tf.int32)
        ids = gather_tree(outputs.predicted_ids, parents, longest, self._end_token)
        if self._reorder_tensor_arrays:
            cell_state = tf.nest.map_structure(
                lambda array: self._reorder_array(array, parents, lengths), final_state.cell_state
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(ids, outputs), final_state

    def _reorder_array(self, array: Any, parents: tf.Tensor, lengths: tf.Tensor) -> Any:
        if not isinstance(array, tf.TensorArray) or not self._is_of_beams(array):
            return array
        return gather_tree_from_array(array.stack(), parents, lengths)

    def _is_of_beams(self, array: tf.TensorArray) -> bool:
        """Returns True if a TensorArray holds values for each beam, else logs a warning.

        The original does not reorder a TensorArray whose first two dimensions are static, even if
        it could. Programs then stack the array themselves, so this function decides the same.
        """
        shape = array.element_shape
        if not shape.rank:
            tf1.logging.warn(
                "An array in the cell's state has elements of unknown shape; it does not follow "
                "the beams."
            )
            return False
        batch, beams = tf.get_static_value(self._batch_size), self._beam_width
        first_size, second_size = [*shape.as_list(), None][:2]
        has_beam_shape = (
            batch is None
            or first_size is None
            or (
                first_size == batch * beams
                and (second_size is None or (first_size, second_size) == (batch, beams))
            )
        )
        if not has_beam_shape:
            tf1.logging.warn(
                f"An array in the cell's state has elements of shape {shape}, where (batch, beams, "
                f"-1) is ({batch}, {beams}, -1); it does not follow the beams. "
                "reorder_tensor_arrays=False says that it need not."
            )
        return has_beam_shape

    def _split_beams(self, tensor: Any, size: Any = None) -> Any:
        """Reshapes [batch * beams, ...] to [batch, beams, ...], except scalars and arrays."""
        if isinstance(tensor, tf.TensorArray):
            return tensor
        tensor = tf.convert_to_tensor(tensor)
        if not _rank(tensor):
            return tensor
        rest = tensor.shape[1:]
        if size is not None and not tf.is_tensor(size):
            rest = rest.merge_with(tf.TensorShape(size))
        batch = [self._batch_size, self._beam_width]
        result = tf.reshape(tensor, tf.concat([batch, tf.shape(tensor)[1:]], 0))
        static_shape = [tf.get_static_value(self._batch_size), self._beam_width]
        result.set_shape(tf.TensorShape(static_shape).concatenate(rest))
        return result


def _rank(tensor: tf.Tensor) -> int:
    rank = tensor.shape.rank
    if rank is None:
        raise ValueError(f"Expected tensor ({tensor}) to have known rank, but ndims == None.")
    return rank


def _merge_beams(tensor: Any) -> Any:
    """Reshapes [batch, beams, ...] to [batch * beams, ...], except scalars and TensorArrays."""
    if isinstance(tensor, tf.TensorArray) or not _rank(tensor):
        return tensor
    result = tf.reshape(tensor, tf.concat([[-1], tf.shape(tensor)[2:]], 0))
    batch, beams = tensor.shape.as_list()[:2]
    static_size = None if None in (batch, beams) else batch * beams
    result.set_shape(tf.TensorShape([static_size]).concatenate(tensor.shape[2:]))
    return result


def _reorder(tensor: Any, parents: tf.Tensor) -> Any:
    """Gathers the parent beams of a [batch, beams, ...] tensor. Returns other values unchanged."""
    if isinstance(tensor, tf.TensorArray) or _rank(tensor) < 2:
        return tensor
    result = tf.gather(tensor, parents, batch_dims=1)
    result.set_shape(tensor.shape)
    return result
