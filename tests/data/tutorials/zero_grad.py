from micrograd.nn import Neuron

neuron = Neuron(2)
for p, start in zip(neuron.parameters(), [0.5, -1.0, 0.25]):
    p.data = start
x = [1.0, -2.0]

for k in range(3):
    neuron.zero_grad()
    out = (neuron(x) - 1.0) ** 2
    out.backward()
    print(k, [round(p.grad, 6) for p in neuron.parameters()])
    for p in neuron.parameters():
        p.data += -0.05 * p.grad

# without zero_grad the old gradients stay in the sum
out = (neuron(x) - 1.0) ** 2
out.backward()
print('kept', [round(p.grad, 6) for p in neuron.parameters()])
