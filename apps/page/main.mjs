// Joins the parts of the page: reads the link, shows the state, and writes it back.
import { AxisPanel } from "./axis_panel.mjs";
import { fieldText, methodOf, pictureCall, usesRoi } from "./calls.mjs";
import { Core } from "./core.mjs";
import { MethodForm } from "./form.mjs";
import { PicturePanel } from "./picture_panel.mjs";
import { DTYPES, State } from "./state.mjs";
import { onnxText, pythonText } from "./texts.mjs";

const byId = (id) => document.getElementById(id);
const NUMBERS = ["height", "width", "scale_h", "scale_w"];

async function expanded(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

class Page {
  /** data: {wasm, photograph, presets, digests} of the build; wasm is compressed. */
  static async open(data) {
    const page = new Page();
    page.core = await Core.load(await expanded(data.wasm));
    page.data = data;
    page.start();
    return page;
  }

  start() {
    const { core, data } = this;
    const specification = core.resize();
    const rules = core.allowed("tesela.rules");
    this.specification = {
      since_version: specification.since_version,
      defaults: Object.fromEntries(specification.attributes.map((each) => [each.name, each.default])),
      types: Object.fromEntries(specification.attributes.map((each) => [each.name, each.type])),
    };
    this.state = new State(specification, data.presets, rules);
    const changed = () => this.show();
    this.forms = ["a", "b"].map((side) =>
      new MethodForm(byId(`method-${side}`), this.state, side, data.presets, rules, changed));
    this.axisPanel = new AxisPanel(core, this.state, changed);
    this.picturePanel = new PicturePanel(core, this.state, data.photograph, changed);
    byId("policy").append(...this.state.attributes.keep_aspect_ratio_policy.allowed.map((value) => new Option(value)));
    byId("dtype").append(...DTYPES.map((value) => new Option(value)));
    byId("version").textContent = core.version();
    this.listen();
    this.readLink();
    byId("page").hidden = false;
    this.picturePanel.take("Photograph", data.photograph);
  }

  listen() {
    const { state } = this;
    for (const name of NUMBERS) this.listenNumber(name, (value) => { state[name] = value; });
    for (let k = 0; k < 4; k++) this.listenNumber(`roi${k}`, (value) => { state.roi[k] = value; });
    for (const name of ["by", "policy", "dtype"])
      byId(name).addEventListener("change", () => {
        state[name] = byId(name).value;
        this.show();
      });
    byId("settings").addEventListener("submit", (event) => event.preventDefault());
    byId("link").addEventListener("click", () => this.copy(location.href, "The link is copied."));
    byId("reset").addEventListener("click", () => {
      state.reset();
      this.show();
    });
    for (const button of document.querySelectorAll("[data-copy]"))
      button.addEventListener("click", () => this.copy(byId(button.dataset.copy).textContent, "Copied."));
    byId("bits").addEventListener("click", () => this.computeDigests());
    addEventListener("hashchange", () => {
      if (location.hash.slice(1) !== this.written) this.readLink();
    });
  }

  // A number that the field does not allow changes nothing; leaving the field shows the number that holds.
  listenNumber(id, set) {
    const field = byId(id);
    field.addEventListener("input", () => {
      if (field.value === "" || !field.checkValidity()) return;
      set(Number(field.value));
      this.show(id);
    });
    field.addEventListener("blur", () => this.showSize());
  }

  readLink() {
    byId("problem").hidden = true;
    try {
      this.state.read(location.hash);
    } catch (error) {
      byId("problem").textContent = error.message;
      byId("problem").hidden = false;
    }
    this.show();
  }

  /** typing: the field that must keep what is typed. */
  show(typing) {
    this.showSize(typing);
    for (const form of this.forms) form.show();
    this.written = this.state.write();
    history.replaceState(null, "", this.written ? `#${this.written}` : location.pathname + location.search);
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.compute());
  }

  showSize(typing) {
    const { state } = this;
    for (const name of [...NUMBERS, "by", "policy", "dtype"]) if (name !== typing) byId(name).value = state[name];
    for (let k = 0; k < 4; k++) if (`roi${k}` !== typing) byId(`roi${k}`).value = state.roi[k];
    for (const row of document.querySelectorAll("[data-by]")) row.hidden = row.dataset.by !== state.by;
    byId("roi").hidden = ![state.a, state.b].some((method) => method.like === "" && usesRoi(method));
  }

  async compute() {
    const { state, data } = this;
    const methods = Object.fromEntries(["a", "b"].map((side) => [side, methodOf(state, data.presets, side)]));
    await this.core.revive();
    const extents = this.extents();
    this.axisPanel.show(methods[state.shown], this.picturePanel.shape(), extents);
    this.showTexts(methods[state.shown], extents);
    this.picturePanel.show(methods);
    document.documentElement.dataset.computed = this.written;
  }

  /** The result's, or the picture's if the size is not allowed; then the panels say why. */
  extents() {
    try {
      return this.picturePanel.extents();
    } catch {
      return this.picturePanel.shape();
    }
  }

  showTexts(method, extents) {
    byId("text-side").textContent = this.state.shown.toUpperCase();
    let texts;
    let fields = {};
    try {
      const call = pictureCall(this.state, method, this.picturePanel.shape(), extents);
      fields = call.fields;
      texts = [onnxText(call, this.specification), pythonText(call, method, this.specification)];
    } catch (error) {
      texts = [error.message, error.message];
    }
    [byId("onnx").textContent, byId("python").textContent] = texts;
    const extra = Object.entries(fields).map(fieldText).join(", ");
    byId("text-note").textContent = method.rules ? "The Python call gives what that runtime makes of this model."
      : extra ? `The Python call also sets the arithmetic (${extra}), which an ONNX node cannot express.` : "";
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without permission, as in some browsers for files: the old way.
      const area = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    byId("copied").textContent = done;
    setTimeout(() => { byId("copied").textContent = ""; }, 2000);
  }

  async computeDigests() {
    const { core, data } = this;
    await core.revive();
    byId("bits").disabled = true;
    let different = 0;
    for (let group = 0; group < data.digests.length; group++) {
      if (core.digest(group) !== data.digests[group]) different++;
      byId("bits-text").textContent = `${(group + 1) * 100} of ${data.digests.length * 100}`;
      await new Promise((resume) => setTimeout(resume));
    }
    byId("bits-text").textContent = different === 0
      ? `All ${data.digests.length * 100} results are equal in every bit to those of the native library.`
      : `${different} of ${data.digests.length} groups of 100 results differ from those of the native library: please report this browser.`;
    byId("bits").disabled = false;
  }
}

export function open(data) {
  return Page.open(data).catch((error) => {
    byId("problem").textContent = `The page could not start: ${error.message}`;
    byId("problem").hidden = false;
  });
}
