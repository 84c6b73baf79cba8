// The host of an MCP App: JSON-RPC over postMessage, as the extension io.modelcontextprotocol/ui specifies (2026-01-26).

const PROTOCOL = "2026-01-26";
const METHOD_NOT_FOUND = -32601;

class Host {
  /** @param {Record<string, (params: Json) => void>} listeners By the methods of the host's notifications. */
  constructor(listeners) {
    this.listeners = listeners;
    /** @type {Map<number, { resolve: (result: Json) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.last = 0;
    window.addEventListener("message", (event) => {
      // Other frames can send messages, too.
      if (event.source === window.parent && event.data?.jsonrpc === "2.0") this.receive(event.data);
    });
  }

  /** @param {Json} message */
  receive(message) {
    if (typeof message.method !== "string") return this.settle(message);
    if (message.id === undefined) return this.listeners[message.method]?.(message.params ?? {});
    if (message.method === "ping" || message.method === "ui/resource-teardown") return this.post({ id: message.id, result: {} });
    return this.post({ id: message.id, error: { code: METHOD_NOT_FOUND, message: `unknown method ${message.method}` } });
  }

  /** @param {Json} message The answer to a request. */
  settle(message) {
    const request = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) request?.reject(new Error(String(message.error.message ?? "the host refused the request")));
    else request?.resolve(message.result ?? {});
  }

  /** @param {string} method @param {Json} params @returns {Promise<Json>} */
  request(method, params) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post({ id, method, params });
    });
  }

  /** @param {string} method @param {Json} params */
  notify(method, params) {
    this.post({ method, params });
  }

  /** @param {Json} message */
  post(message) {
    // The host's origin is not known; the messages hold nothing that it does not have.
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}
