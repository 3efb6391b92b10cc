"""Programs in the style of 2018, `legacy_NAME`, each with its Keras port, `modern_NAME`.

    from tests.migrate.programs import legacy_resnet as legacy, modern_resnet as modern

    legacy.model_fn, legacy.params, legacy.input_fn, legacy.eval_input_fn
    modern.build_model, modern.MAP

`input_fn` gives batches without end and `eval_input_fn` others once, the last one smaller; both
are the same in every process. `build_model` returns a compiled model, and `MAP` says what each
variable of the legacy graph is called in it. Where a metric has another name, `METRICS` has it.

Programs with dropout train without it by `dropout_prob` 0.0 or `keep_prob` 1.0 in the parameters
and `build_model(dropout=0.0)`. `tests/migrate/verify/test_correct_ports.py` proves the pairs equal.

`jobs` has the documented jobs in the same form.
"""
