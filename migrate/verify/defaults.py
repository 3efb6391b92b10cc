"""Default sizes and margins of a verification, without an import of TensorFlow."""

UPDATE_STEPS = 5  # Training steps of level 5.
EVAL_BATCHES = 100  # Largest number of batches of level 6.
# Largest differences of level 7 that count as equivalent.
LOSS_MARGIN = 0.05  # As a fraction of the model_fn's drop in loss.
METRIC_MARGIN = 0.03  # In the metric's unit.
