// The part of the page that explains an axis: its controls, the drawing, and the same in words.
import { describeAxis, drawAxis, sentenceOf, tabulateAxis } from "./axis_view.mjs";
import { PICTURE_AXES, exampleCall, pictureCall } from "./calls.mjs";

// As many outputs of a picture's axis as a drawing shows.
const WINDOW = 16;
const byId = (id) => document.getElementById(id);

export class AxisPanel {
  /** changed: called after a change of state. */
  constructor(core, state, changed) {
    Object.assign(this, { core, state });
    this.output = 0;
    for (const name of ["in", "out", "first"])
      byId(name).addEventListener("input", () => {
        state[name] = Number(byId(name).value);
        changed();
      });
    byId("axis").addEventListener("change", () => {
      Object.assign(state, { axis: byId("axis").value, first: 0 });
      changed();
    });
    for (const radio of document.querySelectorAll("input[name=shown]"))
      radio.addEventListener("change", () => {
        state.shown = radio.value;
        changed();
      });
    byId("output").addEventListener("input", () => this.choose(Number(byId("output").value)));
    addEventListener("resize", () => this.choose(this.output));
  }

  /** method: of the side that is shown. picture: for its axes; its result's extents. */
  show(method, shape, extents) {
    const { state } = this;
    this.showControls(extents);
    byId("axis-problem").hidden = true;
    byId("axis-body").hidden = true;
    try {
      if (method.isRefused) pictureCall(state, method, shape, extents);
      this.explanation = this.explain(method, shape, extents);
    } catch (error) {
      byId("axis-problem").className = method.rules ? "quiet" : "problem";
      byId("axis-problem").textContent = method.rules
        ? "How this runtime computes one axis is not explained here. Its result is below." : error.message;
      byId("axis-problem").hidden = false;
      return;
    }
    byId("axis-body").hidden = false;
    this.axis = this.explanation.axes[0] ?? null;
    byId("rules").replaceChildren();
    byId("table").replaceChildren();
    if (this.axis) {
      byId("rules").append(describeAxis(this.explanation, this.axis));
      byId("table").append(tabulateAxis(this.axis));
    }
    const last = this.axis ? this.axis.outputs.length - 1 : 0;
    byId("output").max = last;
    this.choose(Math.min(this.output, last));
  }

  explain(method, shape, extents) {
    const { core, state } = this;
    if (state.axis === "example") {
      const [out] = core.plan(exampleCall(state, method));
      return core.explain(0, 0, out);
    }
    const axis = this.pictureAxis();
    const all = core.plan(pictureCall(state, method, shape, extents));
    const first = Math.min(state.first, Math.max(0, all[axis] - WINDOW));
    return core.explain(axis, first, Math.min(WINDOW, all[axis] - first));
  }

  pictureAxis() {
    return PICTURE_AXES[this.state.axis === "height" ? 0 : 1];
  }

  showControls(extents) {
    const { state } = this;
    const isExample = state.axis === "example";
    for (const row of document.querySelectorAll("[data-axis]")) row.hidden = (row.dataset.axis === "example") !== isExample;
    byId("axis").value = state.axis;
    for (const name of ["in", "out"]) {
      byId(name).value = state[name];
      byId(`${name}-text`).textContent = state[name];
    }
    if (!isExample && extents) byId("first").max = Math.max(0, extents[this.pictureAxis()] - WINDOW);
    byId("first").value = state.first;
    byId("first-text").textContent = byId("first").value;
    document.querySelector(`input[name=shown][value=${state.shown}]`).checked = true;
  }

  choose(index) {
    this.output = index;
    const slider = byId("output");
    if (!this.axis || this.axis.outputs.length === 0) {
      byId("drawing").replaceChildren();
      byId("sentence").textContent = "Every output is the input of the same index.";
      slider.parentElement.hidden = true;
      return;
    }
    const sentence = sentenceOf(this.axis.outputs[index]);
    slider.parentElement.hidden = this.axis.outputs.length === 1;
    slider.value = index;
    slider.setAttribute("aria-valuetext", sentence);
    byId("output-text").textContent = this.axis.outputs[index].output;
    byId("drawing").replaceChildren(drawAxis(this.axis, byId("drawing").clientWidth || 720, index, (chosen) => this.choose(chosen)));
    byId("sentence").textContent = sentence;
  }
}
