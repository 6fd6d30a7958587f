// The controls of a method: a preset, or the attributes of Resize that have an effect.
import { applies, fieldText } from "./calls.mjs";
import { METHOD_ATTRIBUTES } from "./state.mjs";

const NAMES = {
  mode: "Mode", coordinate_transformation_mode: "Coordinates", nearest_mode: "Nearest mode", cubic_coeff_a: "Cubic coefficient a",
  antialias: "Antialias", exclude_outside: "Exclude outside", extrapolation_value: "Value outside",
};
const HINTS = {
  antialias: "widens the filter when an axis shrinks",
  exclude_outside: "drops the weights of inputs outside, instead of giving them to the border",
};
const RULES = { onnxruntime: "ONNX Runtime", onnxruntime_positions: "ONNX Runtime's positions only",
  onnx_reference: "onnx's reference evaluator", openvino: "OpenVINO", pytorch: "PyTorch" };

function option(value, text = value) {
  return new Option(text, value);
}

function grouped(label, options) {
  const group = document.createElement("optgroup");
  group.label = label;
  group.append(...options);
  return group;
}

/** A control with its label. control: an element with an id. */
function labelled(control, text, hint) {
  const label = document.createElement("label");
  label.htmlFor = control.id;
  const row = document.createElement("div");
  if (control.type === "checkbox") {
    row.className = "check";
    label.textContent = text;
    row.append(control, label);
  } else {
    row.className = "field";
    label.textContent = text;
    row.append(label, control);
  }
  if (hint) {
    const note = document.createElement("small");
    note.id = `${control.id}-hint`;
    note.textContent = hint;
    control.setAttribute("aria-describedby", note.id);
    row.append(note);
  }
  return row;
}

function controlOf(attribute, id) {
  if (attribute.allowed && attribute.type === "STRING") {
    const select = document.createElement("select");
    select.append(...attribute.allowed.map((value) => option(value)));
    return Object.assign(select, { id });
  }
  const input = document.createElement("input");
  if (attribute.type === "INT") return Object.assign(input, { id, type: "checkbox" });
  return Object.assign(input, { id, type: "number", step: "any", min: -1e6, max: 1e6 });
}

export class MethodForm {
  /** place: a fieldset. side: "a" or "b". changed: called after a change of state. */
  constructor(place, state, side, presets, rules, changed) {
    Object.assign(this, { place, state, side, presets, changed });
    this.like = this.makeLike(rules);
    place.append(labelled(this.like, "Computed as"));
    this.note = document.createElement("p");
    this.note.className = "note";
    this.controls = {};
    this.rows = {};
    for (const name of METHOD_ATTRIBUTES) {
      const control = controlOf(state.attributes[name], `${side}-${name}`);
      control.addEventListener("change", () => this.take(name, control));
      this.controls[name] = control;
      this.rows[name] = labelled(control, NAMES[name] ?? name, HINTS[name]);
      place.append(this.rows[name]);
    }
    place.append(this.note);
  }

  makeLike(rules) {
    const select = Object.assign(document.createElement("select"), { id: `${this.side}-like` });
    select.append(option("", this.side === "a" ? "ONNX, as set below" : "ONNX, another setting"));
    if (this.side === "b")
      select.append(grouped("Setting A, as computed by", rules.map((name) => option(`rules:${name}`, RULES[name] ?? name))));
    const libraries = groupBy(this.presets);
    for (const [library, presets] of libraries)
      select.append(grouped(library, presets.map((preset) => option(preset.name))));
    select.addEventListener("change", () => {
      this.state[this.side].like = select.value;
      this.changed();
    });
    return select;
  }

  take(name, control) {
    const number = Number(control.value);
    const method = this.state[this.side];
    if (control.type === "checkbox") method[name] = control.checked ? 1 : 0;
    else if (control.type !== "number") method[name] = control.value;
    else if (control.value.trim() !== "" && Math.abs(number) <= 1e6) method[name] = number;
    this.changed();
  }

  show() {
    const method = this.state[this.side];
    const isOwn = method.like === "";
    this.like.value = method.like;
    for (const name of METHOD_ATTRIBUTES) {
      const control = this.controls[name];
      if (control.type === "checkbox") control.checked = method[name] === 1;
      else control.value = method[name];
      this.rows[name].hidden = !isOwn || !applies(name, method);
    }
    this.note.textContent = isOwn ? "" : this.summary(method.like);
    this.note.hidden = isOwn;
  }

  summary(like) {
    const preset = this.presets.find((each) => each.name === like);
    if (!preset) return "The attributes of A, with the positions, sums and roundings of that runtime.";
    const attributes = Object.entries(preset.attributes).map(([name, value]) => `${name} = ${value}`);
    const fields = Object.entries(preset.types[this.state.dtype]?.fields ?? {}).map(fieldText);
    return attributes.join(", ") + (fields.length > 0 ? `; arithmetic: ${fields.join(", ")}` : "");
  }
}

function groupBy(presets) {
  const groups = new Map();
  for (const preset of presets) groups.set(preset.library, [...(groups.get(preset.library) ?? []), preset]);
  return groups;
}
