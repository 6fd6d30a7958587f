# SPDX-License-Identifier: Apache-2.0
"""Models of segmentation-models-pytorch, timm, MONAI and transformers in their smallest configurations, with random
weights."""

from __future__ import annotations

import monai
import segmentation_models_pytorch as smp
import timm
import torch
import transformers as hf
from exported import Export, main
from monai.networks import blocks, nets
from torch_export import onnx_model, openvino_model

PLANE = [{2: "height", 3: "width"}]
VOLUME = [{2: "depth", 3: "height", 4: "width"}]
SCRIPT, DYNAMO = False, True


# ---- segmentation-models-pytorch --------------------------------------------------------------------------------------


def segmentation(kind, **more):
    def make():
        given = {"encoder_name": "tu-mobilenetv3_small_050", "encoder_weights": None, "classes": 3} | more
        return getattr(smp, kind)(**given)

    return make


def smp_exports() -> list[Export]:
    family = f"segmentation-models-pytorch {smp.__version__}"
    image, again = [(1, 3, 64, 96)], [(1, 3, 96, 64)]
    fixed = lambda kind, opset, dynamo=SCRIPT, **more: onnx_model(
        f"smp-{kind.lower()}", family, segmentation(kind, **more), image, opset=opset, dynamo=dynamo)
    sized = lambda kind, opset, size: onnx_model(
        f"smp-{kind.lower()}", family, segmentation(kind), [(1, 3, *size)], opset=opset)
    free = lambda kind, opset, dynamo=SCRIPT, **more: onnx_model(
        f"smp-{kind.lower()}-dynamic", family, segmentation(kind, **more), image, opset=opset, dynamo=dynamo, dynamic=PLANE,
        again=again)
    return [
        fixed("Unet", 9), fixed("Unet", 10), free("Unet", 17), free("Unet", 21, DYNAMO),
        fixed("UnetPlusPlus", 12), free("UnetPlusPlus", 13), fixed("UnetPlusPlus", 22, DYNAMO),
        fixed("FPN", 11), free("FPN", 14), free("FPN", 18, DYNAMO),
        fixed("Linknet", 15), fixed("MAnet", 16), fixed("DeepLabV3Plus", 13), fixed("UPerNet", 20, DYNAMO),
        # Pools grids of 1, 2, 3 and 6, which must divide the extents of the encoder's output.
        sized("PSPNet", 11, (48, 96)), sized("UPerNet", 12, (192, 192)), sized("PAN", 11, (128, 160)),
        onnx_model("smp-pan-dynamic", family, segmentation("PAN"), [(1, 3, 128, 160)], opset=17, dynamic=PLANE,
                   again=[(1, 3, 192, 128)]),
        fixed("Segformer", 17), fixed("DPT", 18, DYNAMO, encoder_name="tu-vit_tiny_patch16_224", dynamic_img_size=True),
        openvino_model("smp-unet", family, segmentation("Unet"), image, dynamic=True, again=again),
        openvino_model("smp-fpn", family, segmentation("FPN"), image, dynamic=True, again=again),
        openvino_model("smp-upernet", family, segmentation("UPerNet"), image),
        openvino_model("smp-pan", family, segmentation("PAN"), [(1, 3, 128, 160)]),
    ]


# ---- timm -------------------------------------------------------------------------------------------------------------


def network(kind, **more):
    return lambda: timm.create_model(kind, pretrained=False, **more)


def timm_exports() -> list[Export]:
    family = f"timm {timm.__version__}"
    image, again = [(1, 3, 64, 96)], [(1, 3, 96, 64)]
    hrnet = network("hrnet_w18_small", features_only=True)
    patches = {"num_classes": 5, "dynamic_img_size": True, "img_size": 64}
    return [
        onnx_model("timm-hrnet", family, hrnet, image, opset=9),
        onnx_model("timm-hrnet", family, hrnet, image, opset=11),
        onnx_model("timm-hrnet-dynamic", family, hrnet, image, opset=17, dynamic=PLANE, again=again),
        onnx_model("timm-hrnet", family, hrnet, image, opset=23, dynamo=DYNAMO),
        onnx_model("timm-vit-dynamic", family, network("vit_tiny_patch16_224", **patches), image, opset=18, dynamo=DYNAMO),
        onnx_model("timm-coat", family, network("coat_tiny", num_classes=5, img_size=64), [(1, 3, 64, 64)], opset=14),
        onnx_model("timm-crossvit", family, network("crossvit_tiny_240", num_classes=5), [(1, 3, 240, 240)], opset=14),
        onnx_model("timm-mobilevit", family, network("mobilevit_xxs", num_classes=5), [(1, 3, 80, 96)], opset=16),
        onnx_model("timm-edgenext", family, network("edgenext_xx_small", num_classes=5), image, opset=15),
        openvino_model("timm-hrnet", family, hrnet, image, dynamic=True, again=again),
        openvino_model("timm-mobilevit", family, network("mobilevit_xxs", num_classes=5), [(1, 3, 80, 96)]),
    ]


# ---- MONAI ------------------------------------------------------------------------------------------------------------


def segres():
    return nets.SegResNet(3, init_filters=8, in_channels=1, out_channels=2, upsample_mode="nontrainable")


def basic_unet():
    return nets.BasicUNet(3, 1, 2, features=(4, 4, 8, 8, 16, 4), upsample="nontrainable")


def local_net():
    return nets.LocalNet(spatial_dims=3, in_channels=1, num_channel_initial=4, extract_levels=(0, 1, 2), out_channels=3,
                         out_kernel_initializer="zeros", out_activation=None)


def upsampled(mode):
    return lambda: blocks.UpSample(3, 2, 2, scale_factor=(2, 2, 1), mode="nontrainable", interp_mode=mode, align_corners=False
                                   if mode != "nearest" else None)


def deep():
    return nets.DynUNet(3, 1, 2, [3, 3, 3, 3], [1, 2, 2, 2], [2, 2, 2], filters=[4, 8, 8, 16], deep_supervision=True,
                        deep_supr_num=2)


class Training(torch.nn.Module):
    """The network in training mode, whose other outputs are resized to the first."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        self.network.training = True
        return self.network(x)


def monai_exports() -> list[Export]:
    family = f"MONAI {monai.__version__}"
    volume, again = [(1, 1, 16, 24, 16)], [(1, 1, 24, 16, 16)]
    return [
        onnx_model("monai-segresnet", family, segres, volume, opset=10),
        onnx_model("monai-segresnet", family, segres, volume, opset=13),
        onnx_model("monai-segresnet-dynamic", family, segres, volume, opset=17, dynamic=VOLUME, again=again),
        onnx_model("monai-segresnet-dynamic", family, segres, volume, opset=18, dynamo=DYNAMO, dynamic=VOLUME, again=again),
        onnx_model("monai-basicunet", family, basic_unet, [(1, 1, 32, 32, 32)], opset=11),
        onnx_model("monai-basicunet-dynamic", family, basic_unet, [(1, 1, 32, 32, 32)], opset=17, dynamic=VOLUME,
                   again=[(1, 1, 32, 48, 32)]),
        onnx_model("monai-localnet", family, local_net, volume, opset=12),
        onnx_model("monai-dynunet", family, lambda: Training(deep()), volume, opset=14),
        *[onnx_model(f"monai-upsample-{mode}", family, upsampled(mode), [(1, 2, 5, 6, 7)], opset=opset)
          for mode, opset in (("nearest", 9), ("linear", 15))],
        openvino_model("monai-segresnet", family, segres, volume, dynamic=True, again=again),
        openvino_model("monai-basicunet", family, basic_unet, [(1, 1, 32, 32, 32)]),
    ]


# ---- transformers -----------------------------------------------------------------------------------------------------


class Interpolated(torch.nn.Module):
    """A vision transformer with images of a size other than its own."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixels):
        return self.model(pixels, interpolate_pos_encoding=True).last_hidden_state


SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "image_size": 32,
         "patch_size": 8}
TEXT = {"vocab_size": 32, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


def vit():
    return Interpolated(hf.ViTModel(hf.ViTConfig(**SMALL), add_pooling_layer=False))


def siglip():
    return Interpolated(hf.SiglipVisionModel(hf.SiglipVisionConfig(**SMALL)))


def dinov2():
    return hf.Dinov2Model(hf.Dinov2Config(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, image_size=32,
                                          patch_size=8))


def clip():
    return Interpolated(hf.CLIPVisionModel(hf.CLIPVisionConfig(**SMALL)))


def dpt():
    return hf.DPTForDepthEstimation(hf.DPTConfig(
        hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=32, image_size=64, patch_size=16,
        backbone_out_indices=[0, 1, 2, 3], neck_hidden_sizes=[8, 8, 16, 16], fusion_hidden_size=8, is_hybrid=False))


def depth_anything():
    backbone = hf.Dinov2Config(hidden_size=16, num_hidden_layers=4, num_attention_heads=2, image_size=56, patch_size=14,
                               out_indices=[1, 2, 3, 4], apply_layernorm=True, reshape_hidden_states=False)
    return hf.DepthAnythingForDepthEstimation(hf.DepthAnythingConfig(
        backbone_config=backbone, reassemble_hidden_size=16, neck_hidden_sizes=[8, 8, 16, 16], fusion_hidden_size=8,
        head_hidden_size=8, patch_size=14))


def segformer():
    return hf.SegformerForSemanticSegmentation(hf.SegformerConfig(
        hidden_sizes=[8, 16, 16, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 4], decoder_hidden_size=16,
        num_labels=3))


def glpn():
    return hf.GLPNForDepthEstimation(hf.GLPNConfig(hidden_sizes=[8, 16, 16, 32], depths=[1, 1, 1, 1],
                                                   num_attention_heads=[1, 2, 2, 4], decoder_hidden_size=16))


def swin():
    return hf.SwinConfig(image_size=64, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2],
                         window_size=4, out_features=["stage1", "stage2", "stage3", "stage4"])


def upernet():
    return hf.UperNetForSemanticSegmentation(hf.UperNetConfig(backbone_config=swin(), hidden_size=16, num_labels=3,
                                                              pool_scales=[1], use_auxiliary_head=False))


def mask2former():
    return hf.Mask2FormerForUniversalSegmentation(hf.Mask2FormerConfig(
        backbone_config=swin(), feature_size=32, mask_feature_size=32, hidden_dim=32, encoder_feedforward_dim=32,
        encoder_layers=1, decoder_layers=2, dim_feedforward=32, num_attention_heads=2, num_queries=5, num_labels=3))


def maskformer():
    decoder = hf.DetrConfig(d_model=16, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=32, decoder_ffn_dim=32,
                            encoder_attention_heads=2, decoder_attention_heads=2, num_queries=5)
    return hf.MaskFormerForInstanceSegmentation(hf.MaskFormerConfig(
        backbone_config=swin(), decoder_config=decoder, fpn_feature_size=32, mask_feature_size=32, num_labels=3))


def rt_detr():
    backbone = hf.RTDetrResNetConfig(embedding_size=8, hidden_sizes=[8, 16, 16, 32], depths=[1, 1, 1, 1],
                                     layer_type="basic", out_features=["stage2", "stage3", "stage4"])
    return hf.RTDetrForObjectDetection(hf.RTDetrConfig(
        backbone_config=backbone, encoder_in_channels=[16, 16, 32], encoder_hidden_dim=16, d_model=16,
        decoder_in_channels=[16, 16, 16], encoder_ffn_dim=32, decoder_ffn_dim=32, encoder_attention_heads=2,
        decoder_attention_heads=2, decoder_layers=1, num_queries=5, num_labels=3, anchor_image_size=None))


def mobilevit():
    return hf.MobileViTForSemanticSegmentation(hf.MobileViTConfig(
        image_size=64, hidden_sizes=[16, 16, 16], neck_hidden_sizes=[4, 8, 8, 16, 16, 16, 32], num_attention_heads=2,
        aspp_out_channels=16, num_labels=3))


def beit():
    return hf.BeitForSemanticSegmentation(hf.BeitConfig(
        hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=32, image_size=32, patch_size=8,
        out_indices=[1, 2, 3, 4], use_relative_position_bias=True, num_labels=3, pool_scales=[1, 2]))


def yolos():
    return hf.YolosForObjectDetection(hf.YolosConfig(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=[32, 48], patch_size=8,
        num_detection_tokens=5, num_labels=3, use_mid_position_embeddings=False))


class Words(torch.nn.Module):
    """A language model without a cache of keys and values."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens):
        return self.model(input_ids=tokens, use_cache=False).last_hidden_state


def bert():
    return Words(hf.BertModel(hf.BertConfig(**TEXT), add_pooling_layer=False))


class Translated(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens, decoded):
        return self.model(input_ids=tokens, decoder_input_ids=decoded, use_cache=False).last_hidden_state


def t5():
    return Translated(hf.T5Model(hf.T5Config(vocab_size=32, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2)))


def tokens(*shapes):
    return [torch.ones(shape, dtype=torch.int64) for shape in shapes]


def transformers_exports() -> list[Export]:
    family = f"transformers {hf.__version__}"
    logits, depth, boxes = ["logits"], ["predicted_depth"], ["logits", "pred_boxes"]
    image, again = [(1, 3, 64, 96)], [(1, 3, 96, 64)]
    hidden = ["last_hidden_state"]

    def model(name, make, opset, dynamo=SCRIPT, shape=image, pick=()):
        return onnx_model(f"hf-{name}", family, make, shape, opset=opset, dynamo=dynamo, pick=pick)

    def free(name, make, opset, dynamo=SCRIPT, pick=()):
        return onnx_model(f"hf-{name}-dynamic", family, make, image, opset=opset, dynamo=dynamo, pick=pick, dynamic=PLANE,
                          again=again)

    masks = ["class_queries_logits", "masks_queries_logits"]
    return [
        free("vit", vit, 14), free("vit", vit, 18, DYNAMO), free("siglip", siglip, 17), free("siglip", siglip, 20, DYNAMO),
        free("clip", clip, 14), free("dinov2", dinov2, 17, pick=hidden), model("dinov2", dinov2, 19, DYNAMO, pick=hidden),
        model("dpt", dpt, 17, shape=[(1, 3, 64, 64)], pick=depth), model("dpt", dpt, 18, DYNAMO, [(1, 3, 64, 64)], depth),
        model("depth-anything", depth_anything, 16, shape=[(1, 3, 56, 84)], pick=depth),
        model("segformer", segformer, 14, pick=logits), free("segformer", segformer, 17, pick=logits),
        free("segformer", segformer, 20, DYNAMO, logits), model("glpn", glpn, 12, pick=depth),
        model("upernet", upernet, 17, pick=logits), model("mask2former", mask2former, 17, pick=masks),
        model("maskformer", maskformer, 16, pick=masks), model("rt-detr", rt_detr, 17, pick=boxes),
        model("rt-detr", rt_detr, 18, DYNAMO, pick=boxes), model("mobilevit", mobilevit, 15, shape=[(1, 3, 64, 64)], pick=logits),
        model("beit", beit, 17, shape=[(1, 3, 32, 32)], pick=logits), model("yolos", yolos, 17, pick=boxes),
        onnx_model("hf-bert-dynamic", family, bert, tokens((2, 5)), opset=14, dynamic=[{0: "batch", 1: "length"}],
                   again=tokens((3, 7))),
        onnx_model("hf-t5-dynamic", family, t5, tokens((2, 5), (2, 4)), opset=17,
                   dynamic=[{0: "batch", 1: "length"}, {0: "batch", 1: "others"}], again=tokens((3, 7), (3, 2))),
        openvino_model("hf-segformer", family, segformer, image, dynamic=True, again=again, pick=logits),
        openvino_model("hf-dpt", family, dpt, [(1, 3, 64, 64)], pick=depth),
        openvino_model("hf-siglip", family, siglip, image),
        openvino_model("hf-upernet", family, upernet, image, pick=logits),
    ]


if __name__ == "__main__":
    main([*smp_exports(), *timm_exports(), *monai_exports(), *transformers_exports()], __doc__)
