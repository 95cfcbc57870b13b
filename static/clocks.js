// What passes on a page by itself: seconds, clocks, changes of place, and a title that calls as long as the strip does.
(() => {
  "use strict";

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

  const WARNED_AT = 5; // seconds, as [data-mine] says

  let clock = ""; // as the page has it, and when it runs out
  let runsOut = 0;
  let warned = ""; // for which move that was announced

  setInterval(() => {
    const told = document.querySelector("#clock[data-left]");
    if (!told) return;
    const { dataset: { game, version } } = document.getElementById("game");
    const { left: full, begins = 0 } = told.dataset; // in so many seconds at the latest
    const move = [game, version].join();
    const now = [move, full, begins].join();
    if (now !== clock) {
      clock = now;
      runsOut = Date.now() + 1000 * (Number(full) + Number(begins));
    }
    const left = Math.min(full, Math.max(0, (runsOut - Date.now()) / 1000));
    write(told.querySelector(".figures"), String(Math.ceil(left)));
    empty("#versus", left / told.dataset.of);
    told.classList.toggle("short", left <= WARNED_AT);
    if (left <= WARNED_AT && warned !== move && told.dataset.mine) {
      warned = move;
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
  document.addEventListener("htmx:finally:swap", call); // by when the answer's own title is set

  call();
})();
