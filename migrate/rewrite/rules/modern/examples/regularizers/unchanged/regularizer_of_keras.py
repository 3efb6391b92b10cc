import tf_keras
x = tf_keras.regularizers.L2(0.5).l2
