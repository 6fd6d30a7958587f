// What the settings ask of the core: calls on the picture and on the axis of the example.
import { METHOD_ATTRIBUTES } from "./state.mjs";

const CROP = "tf_crop_and_resize";
/** Of 1 x 3 x H x W, as most models have pictures. */
export const PICTURE_AXES = [2, 3];

/** [height, width] of extents. */
export function sidesOf(extents) {
  return PICTURE_AXES.map((axis) => extents[axis]);
}

/** Whether an attribute has an effect with the others of a method. */
export function applies(name, method) {
  if (name === "nearest_mode") return method.mode === "nearest";
  if (name === "cubic_coeff_a") return method.mode === "cubic";
  if (name === "antialias" || name === "exclude_outside") return method.mode !== "nearest";
  if (name === "extrapolation_value") return method.coordinate_transformation_mode === CROP;
  return true;
}

/** The attributes of a method that have an effect. */
export function attributesOf(method) {
  return Object.fromEntries(METHOD_ATTRIBUTES.filter((name) => applies(name, method)).map((name) => [name, method[name]]));
}

export function usesRoi(method) {
  return method.coordinate_transformation_mode === CROP;
}

/** The method of a side: what its preset sets, or its own attributes. {attributes, fields, dtype, preset, rules}.
 * isRefused: the preset does not take the type. */
export function methodOf(state, presets, side) {
  const chosen = state[side];
  const preset = presets.find((each) => each.name === chosen.like);
  if (preset) {
    const computed = preset.types[state.dtype];
    return { attributes: preset.attributes, ...(computed ?? { fields: {}, dtype: state.dtype }), preset, isRefused: !computed };
  }
  const rules = chosen.like.startsWith("rules:") ? chosen.like.slice("rules:".length) : "";
  const own = rules ? state.a : chosen;
  const base = presets.find((each) => each.name === own.like);
  return { attributes: base?.attributes ?? attributesOf(own), fields: rules ? { rules } : {}, dtype: state.dtype, rules };
}

/** Whether a preset of Pillow resizes rows first, given the picture's sides and the output's, as the package's presets do. */
const ROWS_FIRST = {
  by_pillow: ([height, width], [newHeight, newWidth]) => height > newHeight && height - newHeight > 2 * (width - newWidth),
  by_pillow_12: ([height, width], [newHeight]) => height > 100 * width && height > newHeight,
};

/** The plan fields of a preset for a picture. before, after: [height, width]; one axis alone has no order. */
export function settledFields(fields, before, after) {
  if (!(fields.order in ROWS_FIRST)) return fields;
  const rowsFirst = before.length === 2 && ROWS_FIRST[fields.order](before, after);
  return { ...fields, order: rowsFirst ? "first_axis_first" : "last_axis_first" };
}

/** A plan field in words. */
export function fieldText([name, value]) {
  return value in ROWS_FIRST ? `${name} = by the sides` : `${name} = ${value}`;
}

/** What says the size of the output: {sizes} or {scales}, and the policy's attribute. */
function sizeOf(state) {
  if (state.by === "scales") return { scales: [state.scale_h, state.scale_w], attributes: {} };
  const attributes = state.policy === "stretch" ? {} : { keep_aspect_ratio_policy: state.policy };
  return { sizes: [state.height, state.width], attributes };
}

/** The call of a side on a picture of these extents. extents: the output's, which presets are given as sizes. */
export function pictureCall(state, method, shape, extents) {
  if (method.isRefused) throw new Error(`the preset '${method.preset.name}' does not support ${state.dtype}`);
  const size = method.preset ? { sizes: sidesOf(extents), attributes: {} } : sizeOf(state);
  return {
    dtype: method.dtype, shape, axes: PICTURE_AXES, sizes: size.sizes, scales: size.scales,
    fields: settledFields(method.fields, sidesOf(shape), sidesOf(extents)), attributes: { ...method.attributes, ...size.attributes },
    roi: usesRoi(method.attributes) ? state.roi : undefined,
  };
}

/** The call that only asks for the extents. */
export function extentsCall(state, shape) {
  const size = sizeOf(state);
  return { dtype: "uint8", shape, axes: PICTURE_AXES, ...size };
}

/** The call on one axis of the example's extents. */
export function exampleCall(state, method) {
  const call = { dtype: method.dtype, shape: [state.in], fields: settledFields(method.fields, [state.in], [state.out]), attributes: method.attributes };
  // The vertical part of roi.
  if (usesRoi(method.attributes)) call.roi = [state.roi[0], state.roi[2]];
  if (state.by === "scales" && !method.preset) call.scales = [state.out / state.in];
  else call.sizes = [state.out];
  return call;
}
