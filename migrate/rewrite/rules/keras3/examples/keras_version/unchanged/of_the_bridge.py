from migrate import bridge
model = bridge.from_model_fn(None)
