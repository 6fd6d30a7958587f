// Settings drawn at random through the page's modules in node: their calls, texts and results as JSON on standard output.
// Arguments: the core (.wasm), the presets (JSON), a seed, a count.
import { readFileSync } from "node:fs";
import { attributesOf, extentsCall, methodOf, pictureCall } from "../../apps/page/calls.mjs";
import { Core } from "../../apps/page/core.mjs";
import { State } from "../../apps/page/state.mjs";
import { onnxText, pythonText } from "../../apps/page/texts.mjs";

const [wasm, presetFile, seed, count] = process.argv.slice(2);
const core = await Core.load(readFileSync(wasm));
const presets = JSON.parse(readFileSync(presetFile, "utf8"));
const resize = core.resize();
const specification = {
  since_version: resize.since_version,
  defaults: Object.fromEntries(resize.attributes.map((each) => [each.name, each.default])),
  types: Object.fromEntries(resize.attributes.map((each) => [each.name, each.type])),
};
const state = new State(resize, presets, core.allowed("tesela.rules"));

let bits = Number(seed);
function pick(count) { // mulberry32
  bits = (bits + 0x6d2b79f5) | 0;
  let t = Math.imul(bits ^ (bits >>> 15), 1 | bits);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % count;
}
const any = (list) => list[pick(list.length)];

function drawMethod(method, withPresets) {
  method.like = withPresets && pick(2) ? any(state.likes) : "";
  for (const [name, attribute] of Object.entries(state.attributes))
    if (name in method && attribute.allowed) method[name] = any(attribute.allowed);
  Object.assign(method, { cubic_coeff_a: any([-0.75, -0.5, -1]), antialias: pick(2), exclude_outside: pick(2), extrapolation_value: any([0, 7.5]) });
}

const results = [];
for (let i = 0; i < Number(count); i++) {
  const shape = [1, 3, 1 + pick(20), 1 + pick(20)];
  if (i % 16 === 0) shape.splice(2, 2, 101 + pick(120), 1); // Pillow 12 has another order of axes for such
  state.reset();
  Object.assign(state, {
    by: any(["sizes", "sizes", "scales"]), dtype: any(["uint8", "float"]), height: 1 + pick(30), width: 2 + pick(30),
    scale_h: any([0.5, 1.7, 3]), scale_w: any([0.4, 1, 2]), policy: any(state.attributes.keep_aspect_ratio_policy.allowed),
    roi: [0.1, -0.25, 0.9, 1.25],
  });
  drawMethod(state.a, false);
  drawMethod(state.b, true);
  const method = methodOf(state, presets, "b");
  const x = Uint8Array.from({ length: 3 * shape[2] * shape[3] }, () => pick(256));
  const result = { shape, type: state.dtype, x: Buffer.from(x).toString("hex"), link: state.write(), like: state.b.like, attributes: attributesOf(state.b) };
  try {
    const call = pictureCall(state, method, shape, core.plan(extentsCall(state, shape)));
    const converted = call.dtype === "uint8" ? x : call.dtype === "float" ? Float32Array.from(x) : Float64Array.from(x);
    const extents = core.plan(call);
    const y = core.run(call, converted, extents);
    Object.assign(result, { extents, y: Buffer.from(y.buffer).toString("hex"), python: pythonText(call, method, specification),
      onnx: onnxText(call, specification), dtype: call.dtype, isPlain: Object.keys(call.fields ?? {}).length === 0 });
  } catch (error) {
    result.error = error.message;
  }
  results.push(result);
}
console.log(JSON.stringify(results));
