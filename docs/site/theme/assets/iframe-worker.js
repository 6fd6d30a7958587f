// A Worker in a hidden frame. Browsers start no workers from files, so the theme's search looks for a class of this name.
(() => {
  if (location.protocol !== "file:") return;
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const page = frame.contentDocument;
      page.open();
      page.write("<!doctype html><body></body>");
      page.close();
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const load = (address) =>
        new Promise((done, failed) => {
          const script = page.createElement("script");
          script.src = address;
          script.onload = done;
          script.onerror = failed;
          page.body.append(script);
        });
      this.inside.importScripts = async (...addresses) => {
        for (const address of addresses) await load(address);
      };
      this.ready = load(url);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.inside.frameElement.remove();
    }
  };
  window.Worker = window.IFrameWorker;
})();
