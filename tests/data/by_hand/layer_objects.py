import numpy as np
np.random.seed(3)

class Dense:
    def __init__(self, n_inputs, n_neurons):
        self.weights = 0.1 * np.random.randn(n_inputs, n_neurons)
        self.biases = np.zeros((1, n_neurons))

    def forward(self, inputs):
        self.inputs = inputs
        self.output = np.dot(inputs, self.weights) + self.biases

    def backward(self, dvalues):
        self.dweights = np.dot(self.inputs.T, dvalues)
        self.dbiases = np.sum(dvalues, axis=0, keepdims=True)
        self.dinputs = np.dot(dvalues, self.weights.T)

class ReLU:
    def forward(self, inputs):
        self.inputs = inputs
        self.output = np.maximum(0, inputs)

    def backward(self, dvalues):
        self.dinputs = dvalues.copy()
        self.dinputs[self.inputs <= 0] = 0

X = np.random.randn(5, 2)
y = np.random.randn(5, 1)
dense1, activation1, dense2 = Dense(2, 4), ReLU(), Dense(4, 1)
dense1.forward(X)
activation1.forward(dense1.output)
dense2.forward(activation1.output)
loss = np.mean((dense2.output - y) ** 2)
doutput = 2 * (dense2.output - y) / len(X)
dense2.backward(doutput)
activation1.backward(dense2.dinputs)
dense1.backward(activation1.dinputs)
print(loss)
