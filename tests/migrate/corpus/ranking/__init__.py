from .compat import layers, tf1
from .model import model_fn
