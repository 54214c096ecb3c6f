def softmax(logits):
    counts = [logit.exp() for logit in logits]
    total = sum(counts)
    return [c / total for c in counts]

logits = [Value(2.0, label='l0'), Value(1.0, label='l1'), Value(0.1, label='l2')]
probs = softmax(logits)
target = 0
loss = -probs[target].log(); loss.label = 'loss'
loss.backward()

print([round(p.data, 4) for p in probs])
print(f"loss = {loss.data:.4f}")
for i, logit in enumerate(logits):
    expected = probs[i].data - (1 if i == target else 0)
    print(f"l{i}: grad {logit.grad:+.4f}, p - y {expected:+.4f}")
