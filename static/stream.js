// Keeps the page up to date. One stream of events tells of all topics that its parts name in [data-topic], as long as
// the page is seen; a part whose topic has changed asks for itself, and so does each when the stream begins. Without a
// stream all ask every five seconds; on a hidden page only those do by which its player is here ([data-here]), seldom.
(() => {
  "use strict";

  const [OFTEN, SELDOM] = [5000, 15000]; // milliseconds, as all here, between two requests without a stream
  const [HELLO, SILENT] = [4000, 35000]; // within which a stream begins, and tells anything: it does every 15 seconds
  const [SOON, LATER, RESTED] = [20, 2000, 60000]; // before asking again, also after an error; and before trying a stream
  const about = (pause) => pause * (0.75 + Math.random() / 2); // not all pages at the same moment

  // What the page calls itself: of what its own requests change it has the answer.
  const ID = [...crypto.getRandomValues(new Uint8Array(12))].map((one) => (one % 36).toString(36)).join("");
  const { events, goodbye } = document.querySelector("[data-events]").dataset;

  const PART = "[hx-trigger=news]";
  const isNews = (context) => context.sourceEvent?.type === "news";
  const isHere = () => document.querySelector(`${PART}[data-here]`) !== null;

  // --- asking ----------------------------------------------------------------------------------------

  let gone = false; // whether the page has said good-bye; one that comes back is loaded again (app.js)
  const pending = new Set(); // the parts, by id, that have to ask: only a request that begins frees one of it

  /** The parts that may ask now. */
  const parts = () => [...document.querySelectorAll(`${PART}:not([data-paused])${document.hidden ? "[data-here]" : ""}`)];

  function ask(some) {
    for (const { id } of some) pending.add(id);
    if (gone) return;
    for (const part of parts()) if (pending.has(part.id)) htmx.trigger(part, "news");
  }

  const askAll = () => ask(parts().filter((part) => part.matches("[data-topic]")));

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    const { headers } = ctx.request;
    headers["Page-Id"] = ID;
    if (isNews(ctx) && ctx.sourceElement.matches("[data-here]")) headers["Page-Here"] = document.hidden ? "hidden" : "seen";
  });

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (isNews(ctx)) pending.delete(ctx.sourceElement.id);
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const { status, headers } = ctx.response ?? {};
    const { aborted, reason } = ctx.request.signal;
    const failed = status ? status === 429 || status >= 500 : !aborted || reason === "timeout";
    // A page that is led elsewhere would only be led there again.
    if (isNews(ctx) && (failed || ctx.status !== "swapped") && !headers?.has("HX-Redirect")) pending.add(ctx.sourceElement.id);
    // What was cut short by this, or would have come between, now has its turn.
    setTimeout(ask, failed || (status && pending.has(ctx.sourceElement.id)) ? about(LATER) : SOON, []);
  });

  // What time alone changes, a part asks for after [data-again] seconds.
  const timers = new Map();

  function setTimers(page) {
    for (const { id, dataset } of page.querySelectorAll(PART)) {
      clearTimeout(timers.get(id));
      if (!dataset.again) continue;
      timers.set(id, setTimeout(() => ask(document.querySelectorAll(`#${id}${PART}`)), 1000 * dataset.again));
    }
  }

  // --- the stream ------------------------------------------------------------------------------------

  let stream = null;
  let tells = false; // whether it has begun, and has not broken off
  let rests = false; // whether there can be none for the moment
  let opened = []; // its topics, and whether the player is here by it
  let next = 0; // what is done unless it tells anything
  let poll = 0;

  function close() {
    stream?.close();
    [stream, tells] = [null, false];
    clearTimeout(next);
  }

  const after = (pause, what) => {
    clearTimeout(next);
    next = setTimeout(what, pause);
  };

  /** Do without a stream, and try it again after a pause, or when the page is shown. */
  function rest(pause) {
    close();
    rests = true;
    if (pause) after(pause, open);
    askAll();
  }

  const topicsOf = (part) => part.dataset.topic?.split(" ") ?? [];
  const wanted = () => [...new Set([...document.querySelectorAll(PART)].flatMap(topicsOf)), `here=${isHere()}`];

  function open() {
    close();
    rests = false;
    opened = wanted();
    const topics = opened.slice(0, -1);
    if (document.hidden || !topics.length) return;
    const query = [...topics.map((topic) => `topic=${topic}`), `page=${ID}`, ...(isHere() ? ["here=1"] : [])];
    stream = new EventSource(`${events}?${query.join("&")}`);
    const own = stream;
    const on = (event, act) => own.addEventListener(event, ({ data }) => {
      if (own !== stream) return;
      after(SILENT, open);
      act(data);
    });
    on("hello", () => {
      tells = true;
      askAll();
    });
    on("message", (data) => {
      const changed = data.split(" ");
      ask(parts().filter((part) => topicsOf(part).some((topic) => changed.includes(topic))));
    });
    on("beat", () => {});
    on("full", () => rest());
    own.addEventListener("error", () => {
      if (own !== stream) return;
      tells = false;
      if (own.readyState === EventSource.CLOSED) rest(1000 + 7000 * Math.random());
    });
    after(HELLO, () => rest(RESTED));
  }

  /** Ask from time to time where no stream tells, and for what a request that never ended has left. */
  function watch() {
    clearTimeout(poll);
    poll = setTimeout(() => {
      if (tells) ask([]);
      else askAll();
      watch();
    }, document.hidden ? SELDOM : OFTEN);
  }

  document.addEventListener("visibilitychange", () => {
    if (gone) return;
    open();
    if (document.hidden) askAll(); // the server then knows
    watch();
  });
  window.addEventListener("online", open);
  window.addEventListener("offline", askAll);

  window.addEventListener("pagehide", () => {
    gone = true;
    close();
    if (isHere()) navigator.sendBeacon(`${goodbye}?page=${ID}`);
  });

  document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
    for (const { fragment } of tasks) if (fragment) setTimers(fragment);
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!rests && wanted().some((one) => !opened.includes(one))) open();
  });

  setTimers(document);
  open();
  watch();
  document.documentElement.dataset.scripts = htmx.version; // see base.html
})();
