# kind: torch
import torch
from torch.autograd import Function, Variable
import torch.nn.functional as F

class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = Exp.apply(x)
y.sum().backward()
print(x.grad)

class LinearFn(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output
    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias

inp = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
w = torch.tensor([[0.1, -0.2]], requires_grad=True)
b = torch.tensor([0.5], requires_grad=True)
out = LinearFn.apply(inp, w, b)
print(out)
loss = F.mse_loss(out, torch.tensor([[1.0], [0.0]]))
loss.backward()
print(loss.item(), w.grad, b.grad)
v = Variable(torch.ones(2), requires_grad=True)
(v * 3).sum().backward()
print(v.grad)
with torch.no_grad():
    print(Exp.apply(torch.tensor(1.0)))
