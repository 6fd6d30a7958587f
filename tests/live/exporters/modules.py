# SPDX-License-Identifier: Apache-2.0
"""Small modules of PyTorch layers with typical uses of resize: every mode, sizes from other tensors, scales and ratios,
tiles, expansions, tensors made from shapes. Their files have a few kB, so they are in the repository."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from exported import Export, main
from torch import nn
from torch_export import Function, onnx_model, openvino_model

FAMILY = f"torch {torch.__version__.partition('+')[0]}"
PLANE = [{2: "height", 3: "width"}]


class UNet(nn.Module):
    """Two levels; the smaller is resized to the larger, whose size is arbitrary."""

    def __init__(self, **how):
        super().__init__()
        self.how = how
        self.down, self.mid, self.up = nn.Conv2d(2, 3, 3, padding=1), nn.Conv2d(3, 3, 3, padding=1), nn.Conv2d(6, 2, 1)

    def forward(self, x):
        a = torch.relu(self.down(x))
        b = torch.relu(self.mid(F.max_pool2d(a, 2)))
        return self.up(torch.cat([a, F.interpolate(b, size=a.shape[2:], **self.how)], 1))


class Pyramid(nn.Module):
    """Features of three scales, each added to the next one by the ratio of their sizes."""

    def __init__(self, mode="nearest"):
        super().__init__()
        self.mode = mode
        self.sides = nn.ModuleList([nn.Conv2d(2, 3, 1) for _ in range(3)])

    def forward(self, x):
        levels = [side(F.avg_pool2d(x, 2**k) if k else x) for k, side in enumerate(self.sides)]
        top = levels[2]
        for level in (levels[1], levels[0]):
            top = level + F.interpolate(top, size=level.shape[-2:], mode=self.mode)
        return top


class Chain(nn.Module):
    def __init__(self, **how):
        super().__init__()
        self.convolution, self.up = nn.Conv2d(2, 2, 3, padding=1), nn.Upsample(**how)

    def forward(self, x):
        return self.up(torch.relu(self.convolution(x)))


def positions(tokens, height, width):
    """Interpolation of position embeddings, as in vision transformers."""
    grid = tokens[:, 1:].reshape(1, 4, 4, -1).permute(0, 3, 1, 2)
    grid = F.interpolate(grid, size=(height, width), mode="bicubic", align_corners=False)
    return torch.cat([tokens[:, :1], grid.permute(0, 2, 3, 1).flatten(1, 2)], 1)


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.patch = nn.Parameter(torch.randn(1, 17, 6)), nn.Conv2d(3, 6, 4, 4)

    def forward(self, x):
        patches = self.patch(x)
        first = self.tokens[:, :1].expand(x.shape[0], -1, -1)
        embedded = positions(self.tokens, patches.shape[2], patches.shape[3])
        return torch.cat([first, patches.flatten(2).transpose(1, 2)], 1) + embedded


def rows(x):
    """Tiles, expansions and tensors made from shapes."""
    n, c = x.shape[0], x.shape[1]
    mask = torch.zeros(n, c) + torch.full((n, 1), 0.5)
    grown = x.mean((2, 3)).unsqueeze(2).repeat(1, 1, c)
    spread = x[:, :1, :1, 0].expand(n, c, x.shape[3])
    return mask, grown, spread + torch.ones(n, 1, 1), x.repeat(2, 1, 1, 1)


def causal(x):
    """A decoder's mask, and positions of each batch."""
    n, length = x.shape[0], x.shape[1]
    mask = torch.triu(torch.full((length, length), -1.0), 1)
    index = torch.arange(length).unsqueeze(0).repeat(n, 1)
    return x @ x.transpose(1, 2) + mask, index


def resized(**how):
    return lambda: Function(lambda x: F.interpolate(x, **how))


def of_rank(rank):
    return [(1, 2, *(7, 5, 6)[: rank - 2])], [(1, 2, *(4, 9, 3)[: rank - 2])], [{k: f"d{k}" for k in range(2, rank)}]


SIMPLE = {  # name: (rank, make)
    "upsample-nearest": (4, lambda: Chain(scale_factor=2)),
    "upsample-bilinear": (4, lambda: Chain(scale_factor=2, mode="bilinear")),
    "upsample-corners": (4, lambda: Chain(scale_factor=2, mode="bilinear", align_corners=True)),
    "upsample-bicubic": (4, lambda: Chain(scale_factor=1.5, mode="bicubic")),
    "upsample-bicubic-corners": (4, lambda: Chain(size=(9, 11), mode="bicubic", align_corners=True)),
    "scale-recomputed": (4, resized(scale_factor=1.7, mode="bilinear", recompute_scale_factor=True)),
    "scale-shrinking": (4, resized(scale_factor=0.6, mode="bilinear")),
    "size-fixed": (4, resized(size=(10, 13), mode="nearest")),
    "nearest-exact": (4, resized(size=(10, 3), mode="nearest-exact")),
    "linear-1d": (3, resized(scale_factor=2.5, mode="linear")),
    "nearest-1d": (3, resized(size=11)),
    "trilinear": (5, resized(scale_factor=2, mode="trilinear")),
    "trilinear-corners": (5, resized(size=(8, 9, 4), mode="trilinear", align_corners=True)),
    "nearest-3d": (5, resized(scale_factor=2)),
    "unet-nearest": (4, lambda: UNet(mode="nearest")),
    "unet-bilinear": (4, lambda: UNet(mode="bilinear")),
    "unet-corners": (4, lambda: UNet(mode="bilinear", align_corners=True)),
    "unet-bicubic": (4, lambda: UNet(mode="bicubic")),
    "pyramid": (4, Pyramid),
}
# Not supported by PyTorch's TorchScript exporter at an opset, by its own messages.
FROM_11 = {"upsample-bicubic", "upsample-bicubic-corners", "upsample-corners", "unet-bicubic", "unet-corners",
           "trilinear-corners"}


def exports() -> list[Export]:
    """Opsets in rotation, so that not every model is exported at each of them."""
    listed = []
    for k, (name, (rank, make)) in enumerate(SIMPLE.items()):
        shapes, again, dynamic = of_rank(rank)
        free = {"dynamic": dynamic, "again": again, "recorded": True}
        least = 11 if name in FROM_11 else 9
        if name != "nearest-exact":  # newer than the TorchScript exporter
            listed.append(onnx_model(name, FAMILY, make, shapes, opset=max(least, 9 + k % 9), recorded=True))
            listed.append(onnx_model(f"{name}-dynamic", FAMILY, make, shapes, opset=max(least, (10, 11, 17)[k % 3]), **free))
        if k % 2 == 0:
            listed.append(onnx_model(f"{name}-dynamic", FAMILY, make, shapes, opset=18 + k // 2 % 6, dynamo=True, **free))
        elif name.startswith(("unet", "pyramid", "scale")):
            listed.append(openvino_model(f"{name}-dynamic", FAMILY, make, shapes, dynamic=True, again=again, recorded=True))
        else:
            listed.append(openvino_model(name, FAMILY, make, shapes, recorded=True))
    image, other = [(1, 3, 24, 32)], [(1, 3, 28, 20)]
    free = [{0: "batch", 1: "channels", 2: "height", 3: "width"}]
    for opset, dynamo in ((11, False), (17, False), (18, True)):
        more = {"opset": opset, "dynamo": dynamo, "recorded": True}
        listed.append(onnx_model("tokens-dynamic", FAMILY, Tokens, image, dynamic=PLANE, again=other, **more))
        listed.append(onnx_model("rows-dynamic", FAMILY, lambda: Function(rows), [(2, 3, 4, 5)], dynamic=free,
                                 again=[(3, 2, 5, 4)], **more))
    for opset, dynamo in ((14, False), (20, True)):
        listed.append(onnx_model("causal-dynamic", FAMILY, lambda: Function(causal), [(2, 3, 4)], opset=opset,
                                 dynamo=dynamo, dynamic=[{0: "batch", 1: "length"}], again=[(3, 5, 4)], recorded=True))
    listed += [openvino_model("tokens-dynamic", FAMILY, Tokens, image, dynamic=True, again=other, recorded=True),
               openvino_model("rows", FAMILY, lambda: Function(rows), [(2, 3, 4, 5)], recorded=True)]
    return listed


if __name__ == "__main__":
    main(exports(), __doc__)
