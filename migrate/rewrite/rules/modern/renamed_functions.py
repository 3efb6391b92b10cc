"""Renames functions to their names in TensorFlow 2: tf.log is tf.math.log."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

# By the module of the new name: old names, followed by ":" and the new name if it differs. Each
# pair is one function with one signature in tf.compat.v1 and in tf. tests/migrate/rewrite checks
# this.
_BY_MODULE = {
    "": (
        "lin_space:linspace reverse_v2:reverse tensor_scatter_add:tensor_scatter_nd_add "
        "tensor_scatter_sub:tensor_scatter_nd_sub "
        "tensor_scatter_update:tensor_scatter_nd_update"
    ),
    "debugging": "assert_proper_iterable assert_same_float_dtype check_numerics is_numeric_tensor",
    "distribute": "train.Server:Server",
    "errors": "OpError",
    "image": (
        "image.resize_image_with_crop_or_pad:resize_with_crop_or_pad "
        "image.transpose_image:transpose random_crop"
    ),
    "io": (
        "FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature decode_base64 "
        "decode_compressed decode_json_example deserialize_many_sparse encode_base64 "
        "matching_files parse_single_sequence_example parse_tensor "
        "python_io.TFRecordOptions:TFRecordOptions python_io.TFRecordWriter:TFRecordWriter "
        "read_file serialize_tensor train.match_filenames_once:match_filenames_once "
        "train.write_graph:write_graph write_file"
    ),
    "io.gfile": (
        "gfile.Copy:copy gfile.DeleteRecursively:rmtree gfile.Exists:exists gfile.GFile:GFile "
        "gfile.Glob:glob gfile.IsDirectory:isdir gfile.ListDirectory:listdir "
        "gfile.MakeDirs:makedirs gfile.MkDir:mkdir gfile.Open:GFile gfile.Remove:remove "
        "gfile.Rename:rename"
    ),
    "linalg": (
        "cholesky cholesky_solve cross diag:tensor_diag diag_part:tensor_diag_part "
        "global_norm matrix_band_part:band_part matrix_determinant:det matrix_diag:diag "
        "matrix_inverse:inv matrix_set_diag:set_diag matrix_solve:solve matrix_solve_ls:lstsq "
        "matrix_transpose matrix_triangular_solve:triangular_solve qr self_adjoint_eig:eigh "
        "self_adjoint_eigvals:eigvalsh svd trace"
    ),
    "math": (
        "accumulate_n angle betainc ceil conj cumprod debugging.is_finite:is_finite "
        "debugging.is_inf:is_inf debugging.is_nan:is_nan "
        "debugging.is_non_decreasing:is_non_decreasing "
        "debugging.is_strictly_increasing:is_strictly_increasing digamma "
        "div_no_nan:divide_no_nan erf erfc expm1 floordiv floormod igamma igammac imag "
        "invert_permutation is_finite is_inf is_nan is_non_decreasing is_strictly_increasing "
        "lbeta lgamma log log1p logical_xor mod:floormod polygamma real rint rsqrt "
        "segment_max segment_mean segment_min segment_prod segment_sum squared_difference "
        "unsorted_segment_max unsorted_segment_mean unsorted_segment_min "
        "unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum zeta"
    ),
    "quantization": (
        "dequantize fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient "
        "fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient "
        "fake_quant_with_min_max_vars_per_channel "
        "fake_quant_with_min_max_vars_per_channel_gradient quantize quantized_concat"
    ),
    "queue": "FIFOQueue PaddingFIFOQueue PriorityQueue RandomShuffleQueue",
    "random": (
        "random_gamma:gamma random_normal:normal random_shuffle:shuffle "
        "random_uniform:uniform truncated_normal"
    ),
    "saved_model": (
        "saved_model.constants.ASSETS_DIRECTORY:ASSETS_DIRECTORY "
        "saved_model.constants.ASSETS_KEY:ASSETS_KEY "
        "saved_model.constants.DEBUG_DIRECTORY:DEBUG_DIRECTORY "
        "saved_model.constants.DEBUG_INFO_FILENAME_PB:DEBUG_INFO_FILENAME_PB "
        "saved_model.constants.SAVED_MODEL_FILENAME_PB:SAVED_MODEL_FILENAME_PB "
        "saved_model.constants.SAVED_MODEL_FILENAME_PBTXT:SAVED_MODEL_FILENAME_PBTXT "
        "saved_model.constants.SAVED_MODEL_SCHEMA_VERSION:SAVED_MODEL_SCHEMA_VERSION "
        "saved_model.constants.VARIABLES_DIRECTORY:VARIABLES_DIRECTORY "
        "saved_model.constants.VARIABLES_FILENAME:VARIABLES_FILENAME "
        "saved_model.signature_constants.CLASSIFY_INPUTS:CLASSIFY_INPUTS "
        "saved_model.signature_constants.CLASSIFY_METHOD_NAME:CLASSIFY_METHOD_NAME "
        "saved_model.signature_constants.CLASSIFY_OUTPUT_CLASSES:CLASSIFY_OUTPUT_CLASSES "
        "saved_model.signature_constants.CLASSIFY_OUTPUT_SCORES:CLASSIFY_OUTPUT_SCORES "
        "saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY:"
        "DEFAULT_SERVING_SIGNATURE_DEF_KEY "
        "saved_model.signature_constants.PREDICT_INPUTS:PREDICT_INPUTS "
        "saved_model.signature_constants.PREDICT_METHOD_NAME:PREDICT_METHOD_NAME "
        "saved_model.signature_constants.PREDICT_OUTPUTS:PREDICT_OUTPUTS "
        "saved_model.signature_constants.REGRESS_INPUTS:REGRESS_INPUTS "
        "saved_model.signature_constants.REGRESS_METHOD_NAME:REGRESS_METHOD_NAME "
        "saved_model.signature_constants.REGRESS_OUTPUTS:REGRESS_OUTPUTS "
        "saved_model.tag_constants.GPU:GPU saved_model.tag_constants.SERVING:SERVING "
        "saved_model.tag_constants.TPU:TPU saved_model.tag_constants.TRAINING:TRAINING"
    ),
    "sets": (
        "sets.set_difference:difference sets.set_intersection:intersection sets.set_size:size "
        "sets.set_union:union"
    ),
    "signal": (
        "fft fft2d fft3d ifft ifft2d ifft3d spectral.dct:dct spectral.fft:fft "
        "spectral.fft2d:fft2d spectral.fft3d:fft3d spectral.idct:idct spectral.ifft:ifft "
        "spectral.ifft2d:ifft2d spectral.ifft3d:ifft3d spectral.irfft:irfft "
        "spectral.irfft2d:irfft2d spectral.irfft3d:irfft3d spectral.rfft:rfft "
        "spectral.rfft2d:rfft2d spectral.rfft3d:rfft3d"
    ),
    "sparse": (
        "sparse.matmul:sparse_dense_matmul sparse_fill_empty_rows:fill_empty_rows "
        "sparse_mask:mask sparse_maximum:maximum sparse_minimum:minimum "
        "sparse_reorder:reorder sparse_reset_shape:reset_shape sparse_reshape:reshape "
        "sparse_retain:retain sparse_slice:slice sparse_softmax:softmax "
        "sparse_tensor_dense_matmul:sparse_dense_matmul sparse_tensor_to_dense:to_dense "
        "sparse_to_indicator:to_indicator sparse_transpose:transpose"
    ),
    "strings": (
        "regex_replace string_join:join string_strip:strip "
        "string_to_hash_bucket_fast:to_hash_bucket_fast "
        "string_to_hash_bucket_strong:to_hash_bucket_strong"
    ),
}


def new_names() -> dict[str, str]:
    """Returns the new name of each old name, both without the prefix `tf.`."""
    new_by_old = {}
    for module, names in _BY_MODULE.items():
        for pair in names.split():
            old, _, new = pair.partition(":")
            new_by_old[old] = f"{module}.{new or old}".lstrip(".")
    return new_by_old


_RENAMED = {f"tf.{old}": new for old, new in new_names().items()}
_GFILE = "tf.gfile."


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.v1_names():
        node, name = _part(match.node, match.name)
        if name not in _RENAMED or file.name_of(node) not in (name, None):
            continue
        if name.startswith(_GFILE) and match.call is not None and match.call.keywords:
            yield file.suggestion(node, f"the arguments of {name} have other names in tf.io.gfile")
            continue
        tf, imports = modern_names.tensorflow(file, match._replace(node=node, full_name=name))
        yield file.replacement(node, f"{tf}.{_RENAMED[name]}", imports)


def _part(node: ast.expr, name: str) -> tuple[ast.expr, str]:
    """Returns the part of an expression that is in the table, as in `tf.gfile.Open.__doc__`."""
    while isinstance(node, ast.Attribute) and name not in _RENAMED and name.count(".") > 1:
        node, name = node.value, name.rpartition(".")[0]
    return node, name


RULE = Rule(
    __name__,
    _find,
    message="Functions get their names in TensorFlow 2.",
    source="https://github.com/tensorflow/tensorflow/blob/master/tensorflow/tools/compatibility/"
    "renames_v2.py",
    symbols=tuple(_RENAMED),
    recipe="sessions_and_graphs",
)
