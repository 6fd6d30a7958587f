// The part of the page with pictures: the input, the results of both settings, and the difference.
import { extentsCall, pictureCall, sidesOf } from "./calls.mjs";
import { LONGEST, compare, compareText, paint, readPicture, testChart } from "./picture.mjs";

const byId = (id) => document.getElementById(id);
// More would keep the page from answering.
const MOST_PIXELS = 2048 * 2048;

export class PicturePanel {
  /** photograph: its address. changed: called after another picture was chosen. */
  constructor(core, state, photograph, changed) {
    Object.assign(this, { core, state, changed });
    byId("photograph").addEventListener("click", () => this.take("Photograph", photograph));
    byId("chart").addEventListener("click", () => this.use(testChart()));
    byId("file").addEventListener("change", () => this.takeFile(byId("file").files[0]));
    const place = byId("figures");
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        place.classList.toggle("drop", kind === "dragenter" || kind === "dragover");
        if (kind === "drop") this.takeFile(event.dataTransfer.files[0]);
      });
    this.picture = testChart();
  }

  takeFile(file) {
    if (file) return this.take(file.name, file);
  }

  async take(name, source) {
    try {
      this.use(await readPicture(name, source));
    } catch {
      this.fail(`'${name.slice(0, 80)}' is not a picture that this browser can read; expected PNG, JPEG, WebP or GIF`);
    }
  }

  use(picture) {
    this.picture = picture;
    this.changed();
  }

  fail(text) {
    byId("picture-problem").textContent = text;
    byId("picture-problem").hidden = text === "";
  }

  shape() {
    return [1, 3, this.picture.height, this.picture.width];
  }

  /** The result's extents by the size alone, which presets are given. */
  extents() {
    return this.core.plan(extentsCall(this.state, this.shape()));
  }

  /** methods: {a, b}. */
  show(methods) {
    this.fail("");
    const { picture } = this;
    paint(byId("canvas-x"), picture.pixels, picture.height, picture.width);
    this.caption("x", `${picture.name}, ${picture.height} × ${picture.width}`, picture.name);
    byId("picture-text").textContent =
      `Height × width. Larger pictures are reduced to ${LONGEST}; drop one anywhere on the page.`;
    const results = {};
    for (const side of ["a", "b"]) results[side] = this.showSide(side, methods[side]);
    this.showDifference(results.a, results.b);
  }

  showSide(side, method) {
    const canvas = byId(`canvas-${side}`);
    const name = side.toUpperCase();
    try {
      const call = pictureCall(this.state, method, this.shape(), this.extents());
      const extents = this.core.plan(call);
      const [height, width] = sidesOf(extents);
      if (height * width === 0) throw new Error(`the result is empty: ${height} × ${width}`);
      if (height * width > MOST_PIXELS)
        throw new Error(`the result would have ${height} × ${width}; the page shows at most ${MOST_PIXELS} pixels`);
      const { pixels } = this.picture;
      const x = call.dtype === "uint8" ? pixels : call.dtype === "float" ? Float32Array.from(pixels) : Float64Array.from(pixels);
      const elements = this.core.run(call, x, extents);
      paint(canvas, elements, height, width);
      this.caption(side, `${name}: ${height} × ${width}`, `Result of setting ${name}`);
      return { elements, extents };
    } catch (error) {
      this.caption(side, `${name}: ${error.message}`);
      return null;
    }
  }

  showDifference(a, b) {
    const canvas = byId("canvas-d");
    const same = a && b && a.extents.join() === b.extents.join();
    if (!same) {
      return this.caption("d", a && b ? "The results have different sizes." : "There is nothing to compare.");
    }
    const found = compare(a.elements, b.elements);
    paint(canvas, found.gained, ...sidesOf(a.extents));
    this.caption("d", `A − B: ${compareText(found)}`, "Difference of A and B");
  }

  /** label: of the picture; without one there is none. */
  caption(part, text, label = "") {
    byId(`caption-${part}`).textContent = text;
    byId(`canvas-${part}`).hidden = label === "";
    byId(`canvas-${part}`).setAttribute("aria-label", label);
  }
}
