import tf_keras as keras
x = keras.regularizers.l1_l2(0.1, 0.2)
