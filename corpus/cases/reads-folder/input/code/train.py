import argparse
import torch


def load(path):
    if not path.endswith(".pt"):
        raise ValueError("CUDA out of memory. Tried to allocate 2.00 GiB")
    return torch.load(path)


class Trainer:
    def fit(self):
        try:
            self.step()
        except RuntimeError as e:
            raise RuntimeError("NCCL error: unhandled system error") from e
