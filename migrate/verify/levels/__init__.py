"""The levels of a verification, one module each, with `run(case, ...) -> results.Level`."""
