# kind: arrays
import numpy as np
np.random.seed(0)

class DenseLayer:
    def __init__(self, n_inputs, n_neurons):
        self.weights = 0.01 * np.random.randn(n_inputs, n_neurons)
        self.biases = np.zeros((1, n_neurons))

    def forward(self, inputs):
        self.inputs = inputs
        self.output = np.dot(inputs, self.weights) + self.biases

    def backward(self, dvalues):
        self.dweights = np.dot(self.inputs.T, dvalues)
        self.dbiases = np.sum(dvalues, axis=0, keepdims=True)
        self.dinputs = np.dot(dvalues, self.weights.T)

class Activation_ReLU:
    def forward(self, inputs):
        self.inputs = inputs
        self.output = np.maximum(0, inputs)

    def backward(self, dvalues):
        self.dinputs = dvalues.copy()
        self.dinputs[self.inputs <= 0] = 0

class Activation_Softmax:
    def forward(self, inputs):
        exp_values = np.exp(inputs - np.max(inputs, axis=1, keepdims=True))
        self.output = exp_values / np.sum(exp_values, axis=1, keepdims=True)

class Loss:
    def calculate(self, output, y):
        return np.mean(self.forward(output, y))

class Loss_CategoricalCrossentropy(Loss):
    def forward(self, y_pred, y_true):
        samples = len(y_pred)
        y_pred_clipped = np.clip(y_pred, 1e-7, 1 - 1e-7)
        if len(y_true.shape) == 1:
            correct_confidences = y_pred_clipped[range(samples), y_true]
        elif len(y_true.shape) == 2:
            correct_confidences = np.sum(y_pred_clipped * y_true, axis=1)
        return -np.log(correct_confidences)

def spiral_data(samples, classes):
    X = np.zeros((samples*classes, 2))
    y = np.zeros(samples*classes, dtype='uint8')
    for class_number in range(classes):
        ix = range(samples*class_number, samples*(class_number+1))
        r = np.linspace(0.0, 1, samples)
        t = np.linspace(class_number*4, (class_number+1)*4, samples) + np.random.randn(samples)*0.2
        X[ix] = np.c_[r*np.sin(t*2.5), r*np.cos(t*2.5)]
        y[ix] = class_number
    return X, y

X, y = spiral_data(20, 3)
print(X.shape, y.shape, y.dtype)
print(X[:3])

dense1 = DenseLayer(2, 8)
act1 = Activation_ReLU()
dense2 = DenseLayer(8, 3)
softmax = Activation_Softmax()
loss_fn = Loss_CategoricalCrossentropy()

for epoch in range(101):
    dense1.forward(X)
    act1.forward(dense1.output)
    dense2.forward(act1.output)
    softmax.forward(dense2.output)
    loss = loss_fn.calculate(softmax.output, y)
    predictions = np.argmax(softmax.output, axis=1)
    accuracy = np.mean(predictions == y)
    if not epoch % 50:
        print(f'epoch: {epoch}, acc: {accuracy:.3f}, loss: {loss:.3f}')
    dvalues = softmax.output.copy()
    dvalues[range(len(y)), y] -= 1
    dvalues /= len(y)
    dense2.backward(dvalues)
    act1.backward(dense2.dinputs)
    dense1.backward(act1.dinputs)
    for layer in (dense1, dense2):
        layer.weights += -1.0 * layer.dweights
        layer.biases += -1.0 * layer.dbiases
print(softmax.output[:5])
