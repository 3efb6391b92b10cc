"""The document's first listing: a Keras model, compiled with a strategy.

It leaves eval_dataset and predict_dataset to the reader.
"""

import tensorflow as tf

inputs = tf.keras.layers.Input(shape=(1,))
predictions = tf.keras.layers.Dense(1)(inputs)
model = tf.keras.models.Model(inputs=inputs, outputs=predictions)

features = tf.data.Dataset.from_tensors([1.]).repeat(10000).batch(10)
labels = tf.data.Dataset.from_tensors([1.]).repeat(10000).batch(10)
train_dataset = tf.data.Dataset.zip((features, labels))
eval_dataset = train_dataset
predict_dataset = features

distribution = tf.contrib.distribute.MirroredStrategy()
model.compile(loss='mean_squared_error',
              optimizer=tf.train.GradientDescentOptimizer(learning_rate=0.2),
              distribute=distribution)
model.fit(train_dataset, epochs=5, steps_per_epoch=10)
print('loss', model.evaluate(eval_dataset, steps=1))
print('prediction', model.predict(predict_dataset, steps=1)[0][0])
