import numpy as np
from modern.layers import embedding
table = embedding.Embedding(4, 2, embeddings_initializer="ones")
x = table(np.int32([[1, 2, 3]])).numpy()
