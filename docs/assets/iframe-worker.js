// Search without a server: browsers refuse to start a worker from a file, so a hidden frame does its work.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      this.waiting = [];
      this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      // What a worker calls to load more scripts; a promise, because a frame cannot wait for them.
      this.scope.importScripts = (...urls) =>
        urls.reduce((before, next) => before.then(() => this.load(next)), Promise.resolve());
      this.load(url).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.deliver(data));
      });
    }
    load(url) {
      return new Promise((done, failed) => {
        const script = this.scope.document.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        this.scope.document.head.append(script);
      });
    }
    deliver(data) {
      this.scope.dispatchEvent(new this.scope.MessageEvent("message", { data }));
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.deliver(data);
    }
    terminate() {
      this.scope.frameElement.remove();
    }
  };
}
