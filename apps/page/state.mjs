// The state of the page, and its form in the address after "#". A link holds what differs from the start.

/** The attributes of a method in the order of the form; the others of Resize are the size's. */
export const METHOD_ATTRIBUTES = [
  "mode", "coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "antialias", "exclude_outside",
  "extrapolation_value",
];
export const SIDES = ["a", "b"];
/** The element types of the picture. */
export const DTYPES = ["uint8", "float"];

const LIMITS = { extent: [1, 2048], scale: [0.001, 1000], roi: [-10, 10], small: [1, 64], first: [0, 4095] };

const START = {
  by: "sizes", dtype: "uint8", height: 100, width: 85, scale_h: 0.5, scale_w: 0.5, policy: "stretch", roi: [0, 0, 1, 1],
  shown: "a", axis: "example", in: 8, out: 5, first: 0,
};

/** specification: of Resize, from the core. presets: of the build. rules: the values of the plan field. */
export class State {
  constructor(specification, presets, rules) {
    this.attributes = Object.fromEntries(specification.attributes.map((each) => [each.name, each]));
    this.likes = ["", ...rules.map((name) => `rules:${name}`), ...presets.map((preset) => preset.name)];
    this.reset();
  }

  reset() {
    Object.assign(this, structuredClone(START));
    const method = () => Object.fromEntries(METHOD_ATTRIBUTES.map((name) => [name, this.attributes[name].default]));
    this.a = { like: "", ...method(), mode: "cubic" };
    this.b = { like: "", ...method(), mode: "cubic", antialias: 1 };
  }

  /** [key, read, write] of everything that a link may hold. */
  entries() {
    const number = (key, [low, high], whole) => [key, (text) => {
      const value = Number(text);
      const fits = text.trim() !== "" && value >= low && value <= high && (!whole || Number.isInteger(value));
      if (!fits) throw new Error(`${key} is '${text}'; expected ${whole ? "a whole number" : "a number"} from ${low} to ${high}`);
      return value;
    }];
    const word = (key, allowed) => [key, (text) => {
      if (!allowed.includes(text)) throw new Error(`${key} is '${text}'; expected one of ${allowed.join(", ")}`);
      return text;
    }];
    return [
      word("by", ["sizes", "scales"]), word("dtype", DTYPES), number("height", LIMITS.extent, true), number("width", LIMITS.extent, true),
      number("scale_h", LIMITS.scale), number("scale_w", LIMITS.scale),
      word("policy", this.attributes.keep_aspect_ratio_policy.allowed),
      word("shown", SIDES), word("axis", ["example", "height", "width"]),
      number("in", LIMITS.small, true), number("out", LIMITS.small, true), number("first", LIMITS.first, true),
    ];
  }

  methodEntries() {
    const entries = [["like", (text) => {
      if (!this.likes.includes(text)) throw new Error(`'${text}' is not a preset`);
      return text;
    }]];
    for (const name of METHOD_ATTRIBUTES) entries.push([name, (text) => readAttribute(this.attributes[name], text)]);
    return entries;
  }

  /** Reads a link's part after "#". Throws an error that names the first entry that is wrong; the others are read. */
  read(hash) {
    this.reset();
    const wrong = [];
    const given = new Map(new URLSearchParams(hash.replace(/^#/, "")));
    const take = (key, read, target, name) => {
      if (!given.has(key)) return;
      try {
        target[name] = read(given.get(key));
      } catch (error) {
        wrong.push(error.message);
      }
    };
    for (const [key, read] of this.entries()) take(key, read, this, key);
    take("roi", readRoi, this, "roi");
    for (const side of SIDES)
      for (const [name, read] of this.methodEntries()) take(`${side}.${name}`, read, this[side], name);
    if (wrong.length > 0) throw new Error(`The link has an entry that is not allowed: ${wrong[0].slice(0, 300)}`);
  }

  write() {
    const start = new State({ attributes: Object.values(this.attributes) }, [], []);
    const pairs = [];
    const put = (key, value, usual) => {
      if (String(value) !== String(usual)) pairs.push([key, String(value)]);
    };
    for (const side of SIDES)
      for (const name of ["like", ...METHOD_ATTRIBUTES]) put(`${side}.${name}`, this[side][name], start[side][name]);
    for (const [key] of this.entries()) put(key, this[key], start[key]);
    put("roi", this.roi, start.roi);
    // Commas and colons need no escape there, and links stay legible.
    return new URLSearchParams(pairs).toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  }
}

function readRoi(text) {
  const roi = text.split(",").map(Number);
  const [low, high] = LIMITS.roi;
  if (roi.length !== 4 || !roi.every((entry) => entry >= low && entry <= high))
    throw new Error(`roi is '${text}'; expected four numbers from ${low} to ${high}`);
  return roi;
}

/** attribute: as the operator's description has it. */
function readAttribute(attribute, text) {
  if (attribute.allowed && !attribute.allowed.map(String).includes(text))
    throw new Error(`${attribute.name} is '${text}'; expected one of ${attribute.allowed.join(", ")}`);
  if (attribute.type === "STRING") return text;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || Math.abs(value) > 1e6)
    throw new Error(`${attribute.name} is '${text}'; expected a number of at most a million`);
  if (attribute.type === "INT" && value !== 0 && value !== 1)
    throw new Error(`${attribute.name} is '${text}'; expected 0 or 1`);
  return value;
}
