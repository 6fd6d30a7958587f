// Draws where the outputs of an axis land and which inputs weigh how much, and the same as a table.

const NAMESPACE = "http://www.w3.org/2000/svg";
const SIZE = { height: 236, inputs: 24, band: 30, outputs: 186, left: 14 };

function make(name, attributes, children = []) {
  const node = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  for (const child of children) node.append(child);
  return node;
}

function element(name, text) {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

export function shortNumber(value) {
  return String(Number(value.toPrecision(6)));
}

/** Weights of an output: [input, weight]; a moved element has weight 1. */
export function tapsOf(output) {
  return Array.from({ length: output.count }, (_, k) => [output.first + k, output.weights ? output.weights[k] : 1]);
}

/** "Output 3 lands at x = 11/4 = 2.75: 0.25 × input 2 + 0.75 × input 3". */
export function sentenceOf(output) {
  const x = output.exact && output.exact !== shortNumber(output.x) ? `${output.exact} = ${shortNumber(output.x)}` : shortNumber(output.x);
  const taps = tapsOf(output).map(([input, weight], k) => {
    const sign = weight < 0 ? (k > 0 ? " − " : "−") : k > 0 ? " + " : "";
    return `${sign}${shortNumber(Math.abs(weight))} × input ${input}`;
  });
  const rule = output.rule ? `; ${output.border === "folded" ? "the weight of " : ""}${output.rule}` : "";
  return `Output ${output.output} lands at x = ${x}: ${taps.join("") || "the extrapolation value"}${rule}`;
}

/** The inputs that the drawing shows: those that the outputs use or land on, and those at the borders. */
function shownInputs(axis) {
  let low = Infinity;
  let high = -Infinity;
  for (const output of axis.outputs) {
    low = Math.min(low, Math.floor(output.x), output.count > 0 ? output.first : Infinity);
    high = Math.max(high, Math.ceil(output.x), output.count > 0 ? output.first + output.count - 1 : -Infinity);
  }
  low = Math.max(low, -4);
  high = Math.min(high, axis.input_extent + 3);
  if (axis.input_extent <= 64 && high - low < 96) return [Math.min(low, 0), Math.max(high, axis.input_extent - 1)];
  return [low, high];
}

/** axis: of an explanation. width: in pixels. chosen: the index of the output to stress. */
export function drawAxis(axis, width, chosen, choose) {
  const [low, high] = shownInputs(axis);
  const step = (width - 2 * SIZE.left) / (high - low + 1);
  const at = (x) => SIZE.left + (x - low + 0.5) * step;
  const drawing = make("svg", { viewBox: `0 0 ${width} ${SIZE.height}`, class: "axis", "aria-hidden": "true" });
  const heavy = Math.max(...axis.outputs.flatMap((output) => tapsOf(output).map(([, weight]) => Math.abs(weight))), 1e-9);
  const lines = make("g", {});
  const stressed = make("g", {});
  axis.outputs.forEach((output, index) => {
    for (const [input, weight] of tapsOf(output)) drawTap(index === chosen ? stressed : lines, output, input, weight / heavy, at, index === chosen);
  });
  drawing.append(lines, stressed, drawInputs(axis, low, high, step, at, chosen));
  axis.outputs.forEach((output, index) => drawing.append(drawOutput(output, at, step, index === chosen, () => choose(index))));
  return drawing;
}

function drawTap(group, output, input, share, at, isChosen) {
  const kind = share < 0 ? "negative" : "positive";
  group.append(make("line", {
    x1: at(output.x), y1: SIZE.outputs - 8, x2: at(input), y2: SIZE.inputs + SIZE.band,
    class: `tap ${kind}${isChosen ? " chosen" : ""}`, "stroke-width": 0.6 + 5 * Math.abs(share),
    "stroke-opacity": isChosen ? 0.95 : 0.14 + 0.3 * Math.abs(share),
  }));
}

function drawInputs(axis, low, high, step, at, chosen) {
  const weights = new Map(axis.outputs[chosen] ? tapsOf(axis.outputs[chosen]) : []);
  const group = make("g", {});
  const every = Math.ceil(26 / step);
  for (let input = low; input <= high; input++) {
    const outside = input < 0 || input >= axis.input_extent;
    const used = weights.has(input);
    group.append(make("rect", {
      x: at(input) - step / 2 + 0.75, y: SIZE.inputs, width: Math.max(step - 1.5, 0.5), height: SIZE.band, rx: Math.min(4, step / 4),
      class: `input${outside ? " outside" : ""}${used ? (weights.get(input) < 0 ? " negative" : " used") : ""}`,
    }));
    if (input % every === 0 && !outside)
      group.append(make("text", { x: at(input), y: SIZE.inputs + 20, class: `label${used ? " used" : ""}` }, [String(input)]));
  }
  group.append(make("text", { x: SIZE.left, y: 14, class: "caption" }, [`inputs 0 to ${axis.input_extent - 1}`]));
  return group;
}

function drawOutput(output, at, step, isChosen, choose) {
  const group = make("g", { class: `output${isChosen ? " chosen" : ""}${output.border !== "none" ? " border" : ""}` });
  const x = at(output.x);
  group.append(make("title", {}, [sentenceOf(output)]));
  group.append(make("rect", { x: x - 9, y: SIZE.outputs - 14, width: 18, height: 46, class: "target" }));
  group.append(make("circle", { cx: x, cy: SIZE.outputs, r: isChosen ? 8 : Math.min(6, Math.max(3, step / 3)) }));
  if (output.tie) group.append(make("circle", { cx: x, cy: SIZE.outputs, r: 10.5, class: "tie" }));
  if (isChosen) group.append(make("text", { x, y: SIZE.outputs + 28, class: "label chosen" }, [`output ${output.output}`]));
  group.addEventListener("click", choose);
  return group;
}

/** The outputs in rows: the text form of the drawing. */
export function tabulateAxis(axis) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const name of ["output", "x", "input × weight", "note"]) {
    const cell = element("th", name);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const output of axis.outputs) {
    const row = body.insertRow();
    const x = output.exact && output.exact !== shortNumber(output.x) ? `${output.exact} = ${shortNumber(output.x)}` : shortNumber(output.x);
    const taps = tapsOf(output).map(([input, weight]) => `${input} × ${shortNumber(weight)}`).join(", ");
    for (const text of [output.output, x, taps || "extrapolation value", output.rule || ""])
      row.insertCell().textContent = String(text);
  }
  return table;
}

/** The formula and rules of the axis in words. */
export function describeAxis(explanation, axis) {
  const list = document.createElement("dl");
  const rows = [["formula", axis.formula], ...Object.entries(axis.rules), ...Object.entries(explanation.rules)];
  if (explanation.fields.length > 0) rows.push(["fields", explanation.fields.join(", ")]);
  for (const [what, rule] of rows) if (rule) list.append(element("dt", what), element("dd", rule));
  return list;
}
