# SPDX-License-Identifier: Apache-2.0
"""Segmentation, detection and transforms of torchvision, with random weights."""

from __future__ import annotations

import torch
import torchvision
from exported import Export, main
from torch_export import onnx_model, openvino_model
from torchvision.models import detection, resnet18, segmentation
from torchvision.models._utils import IntermediateLayerGetter
from torchvision.models.detection.backbone_utils import BackboneWithFPN
from torchvision.transforms import v2

FAMILY = f"torchvision {torchvision.__version__.partition('+')[0]}"
PLANE = [{2: "height", 3: "width"}]


def fcn():
    backbone = IntermediateLayerGetter(resnet18(weights=None), {"layer4": "out", "layer3": "aux"})
    return segmentation.FCN(backbone, segmentation.fcn.FCNHead(512, 5), segmentation.fcn.FCNHead(256, 5))


def deeplab():
    backbone = IntermediateLayerGetter(resnet18(weights=None), {"layer3": "out"})
    return segmentation.DeepLabV3(backbone, segmentation.deeplabv3.DeepLabHead(256, 5, (2, 3, 4)))


def lraspp():
    return segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5)


def pyramid(channels):
    layers = {f"layer{k}": str(k - 1) for k in range(1, 5)}
    return BackboneWithFPN(resnet18(weights=None), layers, [64, 128, 256, 512], channels)


SMALL = {"min_size": 96, "max_size": 128, "weights": None, "weights_backbone": None}


def heads(kind: type, **more):
    """The detection model on a small pyramid of features."""
    sizes = tuple((8 * 2**k,) for k in range(5))
    anchors = detection.anchor_utils.AnchorGenerator(sizes, ((1.0,),) * 5)
    given = {"min_size": 96, "max_size": 128, "num_classes": 4} | more
    if kind in (detection.RetinaNet, detection.FCOS):
        given |= {"anchor_generator": anchors, "score_thresh": 0.0, "detections_per_img": 8, "topk_candidates": 20}
    else:
        given |= {"rpn_anchor_generator": anchors, "box_score_thresh": 0.0, "box_detections_per_img": 8,
                  "rpn_pre_nms_top_n_test": 20, "rpn_post_nms_top_n_test": 10}
    backbone = pyramid(32 if kind is detection.FCOS else 16)  # it normalises them in 32 groups
    return kind(backbone, **given)


def mobile(kind):
    return kind(num_classes=4, **SMALL)


class Image(torch.nn.Module):
    """Detection models take a list of images."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, image):
        return self.module([image])[0]


def detector(name, make, opset, **more) -> Export:
    return onnx_model(name, FAMILY, lambda: Image(make()), [(3, 100, 120)], opset=opset, **more)


def transforms() -> dict:
    modes = v2.InterpolationMode
    return {
        "resize-bilinear": v2.Resize((20, 30), antialias=False),
        "resize-antialias": v2.Resize((20, 30), antialias=True),
        "resize-bicubic": v2.Resize((40, 60), modes.BICUBIC, antialias=False),
        "resize-bicubic-antialias": v2.Resize((20, 31), modes.BICUBIC, antialias=True),
        "resize-nearest": v2.Resize((20, 61), modes.NEAREST),
        "resize-nearest-exact": v2.Resize((20, 61), modes.NEAREST_EXACT),
        "resize-shorter": v2.Resize(24, antialias=False),
        "preset": v2.Compose([v2.Resize(40, antialias=True), v2.CenterCrop(32),
                              v2.Normalize([0.5] * 3, [0.2] * 3)]),
    }


class Transformed(torch.nn.Module):
    def __init__(self, transform):
        super().__init__()
        self.transform = transform

    def forward(self, image):
        return self.transform(image)


def exports() -> list[Export]:
    listed = []
    plane, other = [(1, 3, 64, 80)], [(1, 3, 72, 56)]
    for name, make, opsets in (("fcn", fcn, (9, 10, 13)), ("deeplab", deeplab, (11,)), ("lraspp", lraspp, (12, 17))):
        listed += [onnx_model(name, FAMILY, make, plane, opset=opset) for opset in opsets]
        listed.append(onnx_model(f"{name}-dynamic", FAMILY, make, plane, opset=11, dynamic=PLANE, again=other))
        listed.append(onnx_model(f"{name}-dynamic", FAMILY, make, plane, opset=18, dynamo=True, dynamic=PLANE, again=other))
        listed.append(openvino_model(name, FAMILY, make, plane))
    listed += [
        detector("fasterrcnn", lambda: heads(detection.FasterRCNN), 11),
        detector("maskrcnn", lambda: heads(detection.MaskRCNN), 11),
        detector("maskrcnn", lambda: heads(detection.MaskRCNN), 17),
        detector("keypointrcnn", lambda: heads(detection.KeypointRCNN, num_keypoints=3, num_classes=2), 13),
        detector("retinanet", lambda: heads(detection.RetinaNet), 12),
        detector("fcos", lambda: heads(detection.FCOS), 16),
        detector("fasterrcnn-mobilenet", lambda: mobile(detection.fasterrcnn_mobilenet_v3_large_320_fpn), 14),
        detector("ssdlite", lambda: detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None,
                                                                            num_classes=4), 15),
        detector("fasterrcnn-dynamic", lambda: heads(detection.FasterRCNN), 17, dynamic=[{1: "height", 2: "width"}],
                 again=[(3, 90, 130)]),
    ]
    for name, transform in transforms().items():
        small = [(1, 3, 48, 50)]
        module = lambda transform=transform: Transformed(transform)
        if name in ("resize-antialias", "resize-bicubic-antialias", "preset", "resize-nearest-exact"):
            listed.append(onnx_model(f"transforms-{name}", FAMILY, module, small, opset=18, dynamo=True, recorded=True))
        else:
            listed.append(onnx_model(f"transforms-{name}", FAMILY, module, small, opset=12, recorded=True))
        if "resize-" in name and name != "resize-nearest-exact":  # not supported by OpenVINO
            listed.append(openvino_model(f"transforms-{name}", FAMILY, module, small, recorded=True))
    return listed


if __name__ == "__main__":
    main(exports(), __doc__)
