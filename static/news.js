// Asks for news. Each element with [data-news] has one request at a time, which the server holds until
// there is some; so the page asks again at once, or after a second where the server could not hold it.
// A hidden page asks only where something may call the player ([data-seldom]), and seldom. A player with
// no one at another device ([data-alone]) does not count as here, and so says no good-bye.
(() => {
  "use strict";

  const AT_ONCE = 20;
  const LATER = 1000;
  const SELDOM = 15000;
  const TRIES = 4; // after which a page that no one else waits for asks seldom, where none is held
  const WARNED_AT = 5; // seconds, as [data-mine] says
  const AFTER_ERRORS = [250, 500, 1000, 2000]; // milliseconds, as all here

  const asking = new Map(); // by the id of an element: its request, when the next one comes, its errors and those not held

  function of(element) {
    if (!asking.has(element.id)) asking.set(element.id, { request: null, timer: 0, errors: 0, tries: 0 });
    return asking.get(element.id);
  }

  /** Let an element ask after a pause, unless it is asking. */
  function ask(element, pause) {
    const state = of(element);
    clearTimeout(state.timer);
    state.timer = 0;
    if (document.hidden && !element.hasAttribute("data-seldom")) return;
    state.timer = setTimeout(() => {
      state.timer = 0;
      const now = document.getElementById(element.id);
      // A page that is about to be led away has nothing more to learn.
      const asks = now?.hasAttribute("data-news") && !now.hasAttribute("data-counting");
      if (asks && !state.request) htmx.trigger(now, "news");
    }, pause);
  }

  const all = () => document.querySelectorAll("[data-news]");

  /**
   * Let all ask that neither are asking nor about to: what a move has cut short, what has just come.
   *
   * @param own the element that has been answered, if one has
   */
  function askAll(own) {
    for (const element of all()) {
      const { request, timer, address } = of(element);
      // The answer to something else may have brought what this one waits for.
      const old = request && element.id !== own?.id && address !== element.getAttribute("hx-get");
      if (old) request.request.abort();
      else if (!request && !timer) ask(element, document.hidden ? SELDOM : AT_ONCE);
    }
  }

  const isOurs = (context) => context.sourceEvent?.type === "news";

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (!isOurs(ctx)) return;
    if (document.hidden) ctx.request.headers["Page-Hidden"] = "true";
    // What was told of an error goes with the first answer, which therefore must not wait for news.
    if (of(ctx.sourceElement).errors) ctx.request.headers["At-Once"] = "true";
  });

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!isOurs(ctx)) return;
    const state = of(ctx.sourceElement);
    [state.request, state.address] = [ctx, ctx.sourceElement.getAttribute("hx-get")];
  });

  /** How long to pause after a request. */
  function pause(context, state) {
    const status = context.response?.status ?? 0;
    const { aborted, reason } = context.request.signal;
    const failed = status === 0 ? !aborted || reason === "timeout" : status === 429 || status >= 500;
    state.errors = failed ? state.errors + 1 : 0;
    // A page that is led elsewhere would only be led there again.
    if (document.hidden || context.response?.headers.has("HX-Redirect")) return SELDOM;
    if (state.errors) {
      const longest = AFTER_ERRORS[Math.min(state.errors, AFTER_ERRORS.length) - 1];
      return longest * (0.75 + Math.random() / 4); // not all pages at the same moment
    }
    const held = status === 0 || context.response.headers.has("Waited");
    state.tries = held ? 0 : state.tries + 1;
    if (state.tries > TRIES && context.sourceElement.hasAttribute("data-alone")) return SELDOM;
    return held ? AT_ONCE : LATER;
  }

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (isOurs(ctx)) {
      const state = of(ctx.sourceElement);
      state.request = null;
      // What it was cut short for is on its way, and ends here as well.
      ask(ctx.sourceElement, pause(ctx, state));
    } else {
      askAll();
    }
  });

  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    askAll(isOurs(ctx) ? ctx.sourceElement : null);
  });

  /** Ask now, whatever is on its way. */
  function askNow() {
    for (const element of all()) {
      const { request } = of(element);
      if (request) request.request.abort(); // and its end asks again
      else ask(element, document.hidden ? 0 : AT_ONCE);
    }
  }

  document.addEventListener("visibilitychange", () => {
    askNow();
    // Seldom from now on, but once at once: the server then knows.
    if (document.hidden) setTimeout(() => document.hidden && all().forEach((one) => ask(one, 0)), AT_ONCE);
  });
  for (const turn of ["online", "offline"]) window.addEventListener(turn, askNow);

  window.addEventListener("pagehide", () => {
    if (!document.querySelector("[data-news]:not([data-alone])")) return;
    navigator.sendBeacon(document.querySelector("[data-goodbye]").dataset.goodbye);
  });

  // --- seconds that a page says --------------------------------------------------------------------

  const OFTEN = 200;
  const CLOSE = 1500; // two clocks that say the same
  const TOLD_AT = [30, 10, 5]; // seconds for an answer, which are announced

  /** When there are none left: as the page counts already, unless the server says something else. */
  function agreed(end, seconds) {
    const fresh = Date.now() + 1000 * seconds;
    return Math.abs(fresh - end) < CLOSE ? end : fresh;
  }

  let left = 0; // as the page says, and the moment when there are none
  let end = 0;
  let longest = 0; // of the rest that a ring shows

  // A hidden page counts slowly, or not at all: so it looks at the clock.
  function countSeconds() {
    const told = document.querySelector("[data-seconds]");
    if (!told) return;
    const { textContent: text, dataset: { seconds } } = told;
    if (seconds !== String(left)) end = agreed(end, Number(seconds)); // the server has said so
    left = Math.max(1, Math.ceil((end - Date.now()) / 1000));
    const drawn = document.querySelector(".countdown .figures");
    if (drawn) {
      longest = Math.max(longest, left);
      write(drawn, String(left));
      empty(".countdown", (end - Date.now()) / 1000 / longest);
    }
    if (seconds === String(left)) return;
    const at = text.lastIndexOf(seconds);
    told.textContent = text.slice(0, at) + left + text.slice(at + seconds.length);
    told.dataset.seconds = left;
    const passed = TOLD_AT.some((at) => left <= at && at < seconds);
    if (passed && told.closest("#question")) document.getElementById("live").textContent = told.textContent;
  }

  /** Draw a number or a time where another one is drawn. */
  function write(figures, text) {
    if (figures.getAttribute("aria-label") === text) return;
    const like = figures.firstElementChild;
    figures.setAttribute("aria-label", text);
    figures.replaceChildren(...[...text].map((one) => {
      const figure = like.cloneNode(true);
      const use = figure.firstElementChild;
      use.setAttribute("href", use.getAttribute("href").replace(/[^-]*$/, one === ":" ? "colon" : one));
      return figure;
    }));
  }

  /** Let the rings of a part of the page show which share is left. */
  function empty(part, share) {
    for (const ring of document.querySelectorAll(`${part} .left`)) ring.setAttribute("stroke-dashoffset", 1 - share);
  }

  // How long a tournament goes on.
  let ending = null;
  let ends = 0;

  function countDown() {
    const told = document.querySelector("[data-ends]");
    if (!told) return;
    const bar = told.querySelector("progress");
    if (told.dataset.ends !== ending) {
      ending = told.dataset.ends;
      ends = agreed(ends, Number(ending));
    }
    const rest = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    if (bar) bar.value = rest;
    write(told.querySelector(".figures"), `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`);
  }

  for (const count of [countSeconds, countDown]) {
    setInterval(count, OFTEN);
    document.addEventListener("htmx:after:swap", count); // no second is shown twice
  }

  // --- a clock -------------------------------------------------------------------------------------

  let clock = ""; // as the page has it, when it runs out, and whether that was announced
  let runsOut = 0;
  let warned = false;

  setInterval(() => {
    const told = document.querySelector("#clock[data-left]");
    if (!told) return;
    const { dataset: { game, version } } = document.getElementById("game");
    const { left: full, begins = 0 } = told.dataset; // in so many seconds at the latest
    const now = [game, version, full, begins].join();
    if (now !== clock) {
      clock = now;
      runsOut = Date.now() + 1000 * (Number(full) + Number(begins));
      warned = false;
    }
    const left = Math.min(full, Math.max(0, (runsOut - Date.now()) / 1000));
    write(told.querySelector(".figures"), String(Math.ceil(left)));
    empty("#versus", left / told.dataset.of);
    told.classList.toggle("short", left <= WARNED_AT);
    if (left <= WARNED_AT && !warned && told.dataset.mine) {
      warned = true;
      document.getElementById("live").textContent = told.dataset.mine;
    }
  }, 200);

  // --- changes of place ------------------------------------------------------------------------------

  let were = new Map(); // where rows stood before a swap

  const standing = () => new Map([...document.querySelectorAll("[data-slide-ms] > [id]:not([hidden])")].map(
    (row) => [row, [row.offsetLeft, row.offsetTop]],
  ));

  document.addEventListener("htmx:before:swap", () => { were = standing(); });

  document.addEventListener("htmx:after:swap", () => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [row, [left, top]] of standing()) {
      const [x, y] = were.get(row) ?? [left, top];
      const how = { duration: Number(row.parentNode.dataset.slideMs), easing: "ease-in-out" };
      if (x !== left || y !== top) row.animate({ translate: [`${x - left}px ${y - top}px`, "none"] }, how);
      if (!were.has(row)) row.querySelector(".bench .face")?.animate({ translate: ["0 -40px", "none"] }, how); // sits down
    }
  });

  // --- calls -----------------------------------------------------------------------------------------

  let title = document.title; // the page's own
  let declined = ""; // the call that was put off

  let shown = title;

  /** Let the title call as long as the strip does. */
  function call() {
    const strip = document.getElementById("calls");
    const calling = strip?.dataset.title;
    if (!calling) declined = "";
    // Its place stays: what appears together with it would not be announced.
    strip?.classList.toggle("declined", calling === declined);
    if (document.title !== shown) title = document.title; // an answer brought another one
    shown = calling && calling !== declined ? calling : title;
    document.title = shown;
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("#calls [type=button]")) return;
    declined = document.getElementById("calls").dataset.title;
    call();
    document.getElementById("content").focus({ preventScroll: true }); // the button is gone
  });
  document.addEventListener("htmx:after:swap", call);

  call();
  askAll();
  document.documentElement.dataset.scripts = htmx.version; // see base.html
})();
