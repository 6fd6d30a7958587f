// The call as texts to copy: an ONNX model in the text form that onnx.parser reads, and Python.
import { PICTURE_AXES, usesRoi } from "./calls.mjs";

/** A number with a point, as ONNX's text form wants floats. */
function floatText(value) {
  const text = String(Math.fround(value) === value ? value : Number(value.toPrecision(9)));
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const ONNX_TYPES = { uint8: "uint8", float: "float", double: "double" };

/** attributes: in the order of the operator. defaults: by name; attributes equal to them are left out. */
function changed(attributes, defaults) {
  return Object.entries(attributes).filter(([name, value]) => value !== defaults[name]);
}

/** specification: {since_version, defaults, types}, types being INT, FLOAT or STRING by name. */
export function onnxText(call, specification) {
  const attribute = ([name, value]) => {
    if (specification.types[name] === "STRING") return `${name} = "${value}"`;
    return `${name} = ${specification.types[name] === "FLOAT" ? floatText(value) : value}`;
  };
  const list = [...changed(call.attributes, specification.defaults).map(attribute), `axes = [${PICTURE_AXES.join(", ")}]`]
    .map((text) => `\n    ${text}`);
  const constants = [];
  const input = (name, type, numbers, text) => {
    if (!numbers) return "";
    constants.push(`  ${name} = Constant <value = ${type}[${numbers.length}] {${numbers.map(text).join(", ")}}> ()`);
    return name;
  };
  const inputs = ["X", input("roi", "float", call.roi, floatText), input("scales", "float", call.scales, floatText),
    input("sizes", "int64", call.sizes, String)];
  while (inputs.at(-1) === "") inputs.pop();
  const type = ONNX_TYPES[call.dtype];
  return [
    `<ir_version: 9, opset_import: ["" : ${specification.since_version}]>`,
    `resize (${type}[${call.shape.join(", ")}] X) => (${type}[1, 3, height, width] Y)`, "{", ...constants,
    `  Y = Resize <${list.join(",")}\n  > (${inputs.map((name) => name || '""').join(", ")})`, "}",
  ].join("\n");
}

function pythonValue(name, value, types) {
  if (name === "antialias" || name === "exclude_outside") return value ? "True" : "False";
  return types[name] === "STRING" ? `"${value}"` : String(value);
}

function tuple(numbers) {
  return `(${numbers.join(", ")})`;
}

/** method: of calls.mjs. */
export function pythonText(call, method, specification) {
  const words = [call.sizes ? `sizes=${tuple(call.sizes)}` : `scales=${tuple(call.scales)}`, `axes=${tuple(PICTURE_AXES)}`];
  if (method.preset) {
    words.push(`like="${method.preset.name}"`);
  } else {
    if (usesRoi(call.attributes)) words.push(`roi=np.float32(${tuple(call.roi)})`);
    for (const [name, value] of changed(call.attributes, specification.defaults))
      words.push(`${name}=${pythonValue(name, value, specification.types)}`);
  }
  const imports = call.roi && !method.preset ? "import numpy as np\nimport tesela" : "import tesela";
  if (method.rules) words.push(`rules="${method.rules}"`);
  const lines = words.map((word) => `    ${word},\n`).join("");
  if (method.rules) return `${imports}\n\nplan = tesela.plan(\n    "resize", x,\n${lines})\ny = plan(x)`;
  return `${imports}\n\ny = tesela.resize(\n    x,\n${lines})`;
}
