from tf_keras import backend as K
x = K.learning_phase()
