// The library's core in WebAssembly: calls of Resize, their explanations and results. See core/page.h.

const ARRAYS = { uint8: Uint8Array, float: Float32Array, double: Float64Array };

/** An error of the library, with its message. */
export class CallError extends Error {}

/** What the module imports from a system: a clock; every other function reports that it does not exist. */
function systemOf(module, memory) {
  const missing = 52; // ENOSYS of WASI
  const known = {
    clock_time_get: (_clock, _precision, at) => {
      new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit: () => {
      throw new CallError("the core stopped");
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = known[name] ?? (() => missing);
  }
  return imports;
}

export class Core {
  /** bytes: of the WebAssembly module. */
  static async load(bytes) {
    const core = new Core();
    core.module = await WebAssembly.compile(bytes);
    await core.start();
    return core;
  }

  async start() {
    const { exports } = await WebAssembly.instantiate(
      this.module, systemOf(this.module, () => this.wasm.memory));
    this.stopped = false;
    this.wasm = { memory: exports.memory };
    for (const [name, value] of Object.entries(exports))
      if (typeof value === "function") this.wasm[name] = (...values) => this.enter(name, value, values);
    this.wasm._initialize();
  }

  /** A function that runs out of memory ends the instance. Those that follow fail, until `revive`. */
  enter(name, body, values) {
    if (this.stopped && name === "page_release") return undefined;
    try {
      if (!this.stopped) return body(...values);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.stopped = true;
    }
    throw new CallError("this call needs more memory than the page has");
  }

  /** Starts a new instance if the last one ended. */
  async revive() {
    if (this.stopped) await this.start();
  }

  version() {
    return this.text(this.wasm.page_version());
  }

  /** The newest Resize as `tesela ops --json` describes it. */
  resize() {
    this.check(this.wasm.page_ops());
    const rows = JSON.parse(this.text(this.wasm.page_text())).operators;
    return rows.filter((row) => row.domain === "" && row.operator === "Resize")
      .reduce((newest, row) => (row.since_version > newest.since_version ? row : newest));
  }

  /** The values that a plan field such as "tesela.rules" may have. */
  allowed(name) {
    this.check(this.wasm.page_begin());
    return this.given([name], (at) => {
      const values = [];
      for (let i = 0; ; i++) {
        const value = this.wasm.page_allowed(at, i);
        if (value === 0) return values;
        values.push(this.text(value));
      }
    });
  }

  /**
   * Plans a call and returns the output's extents.
   * call: {dtype, shape, attributes, fields, axes, roi, scales, sizes}; the last six may be missing.
   */
  plan(call) {
    const { wasm } = this;
    this.check(wasm.page_begin());
    for (const [name, value] of Object.entries(call.attributes ?? {})) this.set(name, value);
    for (const [name, value] of Object.entries(call.fields ?? {})) this.set(`tesela.${name}`, value);
    if (call.axes) this.given([Int32Array.from(call.axes)], (at) => this.check(wasm.page_set_axes(at, call.axes.length)));
    for (const name of ["roi", "scales", "sizes"]) {
      if (!call[name]) continue;
      this.given([name, Float64Array.from(call[name])], (at, numbers) =>
        this.check(wasm.page_give(at, numbers, call[name].length)));
    }
    this.given([call.dtype, Int32Array.from(call.shape)], (dtype, shape) =>
      this.check(wasm.page_plan(dtype, call.shape.length, shape)));
    return call.shape.map((_, axis) => wasm.page_output_extent(axis));
  }

  /** What `tesela explain --json` says of some outputs of an axis of the plan. */
  explain(axis, first, count) {
    this.check(this.wasm.page_explain(axis, first, count));
    return JSON.parse(this.text(this.wasm.page_text()));
  }

  /** Runs the plan. x: the elements, row by row. Returns those of the output. */
  run(call, x, extents) {
    const Elements = ARRAYS[call.dtype];
    const count = extents.reduce((all, extent) => all * extent, 1);
    const y = this.reserve(count * Elements.BYTES_PER_ELEMENT);
    try {
      this.given([x], (from) => this.check(this.wasm.page_run(from, y)));
      return new Elements(this.wasm.memory.buffer, y, count).slice();
    } finally {
      this.wasm.page_release(y);
    }
  }

  /** The digest of a group of 100 cases of tests/digests, as in its manifest. */
  digest(group) {
    return BigInt.asUintN(64, this.wasm.page_digest(group)).toString(16).padStart(16, "0");
  }

  set(name, value) {
    const { wasm } = this;
    this.given(typeof value === "string" ? [name, value] : [name], (at, text) =>
      this.check(typeof value === "string" ? wasm.page_set_text(at, text)
        : this.isInteger(name) ? wasm.page_set_integer(at, value) : wasm.page_set_number(at, value)));
  }

  isInteger(name) {
    this.kinds ??= this.attributeKinds();
    return this.kinds[name] === "INT";
  }

  attributeKinds() {
    return Object.fromEntries(this.resize().attributes.map((each) => [each.name, each.type]));
  }

  check(status) {
    if (status !== 0) throw new CallError(this.text(this.wasm.page_text()));
  }

  text(at) {
    const bytes = new Uint8Array(this.wasm.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  reserve(bytes) {
    const at = this.wasm.page_allocate(bytes);
    if (at === 0) throw new CallError(`this call needs ${bytes} bytes more than the page has`);
    return at;
  }

  /** Copies texts and arrays into the module's memory for the time of a call. */
  given(values, body) {
    const places = [];
    try {
      for (const value of values) {
        const array = typeof value === "string" ? new TextEncoder().encode(`${value}\0`) : value;
        const place = this.reserve(array.byteLength);
        places.push(place);
        new Uint8Array(this.wasm.memory.buffer, place, array.byteLength)
          .set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      }
      return body(...places);
    } finally {
      for (const place of places) this.wasm.page_release(place);
    }
  }
}
