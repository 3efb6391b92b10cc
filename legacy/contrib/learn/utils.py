"""contrib.learn.utils: serving input functions and export strategies, under their old names."""

from legacy.contrib import _missing
from legacy.contrib.learn.experiments import export_strategy as saved_model_export_utils
from legacy.contrib.learn.experiments.export_strategy import make_export_strategy
from legacy.contrib.learn.inputs import input_fn_utils
from legacy.contrib.learn.inputs.input_fn_utils import (
    InputFnOps,
    build_default_serving_input_fn,
    build_parsing_serving_input_fn,
)

__getattr__ = _missing.attribute_of("learn.utils")

__all__ = [
    "InputFnOps",
    "build_default_serving_input_fn",
    "build_parsing_serving_input_fn",
    "input_fn_utils",
    "make_export_strategy",
    "saved_model_export_utils",
]
