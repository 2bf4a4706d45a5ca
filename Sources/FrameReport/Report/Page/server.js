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
 * listens to it.
 */
function listen() {
  const messages = new EventSource("messages");
  messages.onmessage = () => location.reload();
  // A browser may keep a page that was left, and its connection with it.
  window.addEventListener("pagehide", () => messages.close());
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  messages.onerror = () => {
    messages.close();
    document.querySelector("footer").append(element("p", { role: "status" },
      "The server of this page has ended: frames whose stages are not here yet stay without them."));
  };
}
