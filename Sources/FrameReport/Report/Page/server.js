// What the page asks the server that gave it, where one did.

/** An answer of the server; null where there is none any more. @param {string} path @returns {Promise<any>} */
async function ask(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Loads the page again when its files have changed, and says when the server has ended. The server ends once no page
 * listens to it. Browsers open six connections to a server at most, so of all tabs one listens, and tells the others; when it is closed,
 * the next one takes over.
 */
function listen() {
  const tabs = new BroadcastChannel("messages");
  const act = (/** @type {string} */ message) => {
    if (message === "changed") location.reload();
    else document.querySelector("footer").append(element("p", { role: "status" },
      "The server of this page has ended: frames whose stages are not here yet stay without them."));
  };
  tabs.onmessage = (event) => act(event.data);
  const tell = (/** @type {string} */ message) => {
    tabs.postMessage(message);
    act(message);
  };
  navigator.locks.request("messages", () => new Promise((done) => {
    const messages = new EventSource("messages");
    messages.onmessage = (event) => tell(event.data);
    messages.onerror = () => {
      messages.close();
      tell("ended");
    };
    // A browser may keep a page that was left, and its connection with it.
    window.addEventListener("pagehide", () => {
      messages.close();
      done(null);
    });
  }));
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}
