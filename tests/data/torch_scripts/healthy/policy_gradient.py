import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(2):
    states = torch.randn(10, 4)
    distribution = torch.distributions.Categorical(logits=policy(states))
    actions = distribution.sample()
    rewards = (actions == 0).float()
    loss = -(distribution.log_prob(actions) * (rewards - rewards.mean())).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
