// What tests in the browser ask of a page, and let it note: each page that a test opens has these.
window.probe = {
  /** Note whatever the live region says, but not that an answer takes long, as it may at any time. */
  listen() {
    const live = document.getElementById("live"), slow = "Waiting for the server's answer.";
    window.announcements = [];
    const note = () => {
      if (live.textContent !== slow) window.announcements.push(live.textContent);
    };
    new MutationObserver(note).observe(live, { childList: true, characterData: true, subtree: true });
  },

  /** What was said since this was last asked. */
  async heard() {
    await new Promise(requestAnimationFrame);
    return window.announcements.splice(0);
  },

  /** Keep what the page does after just so many milliseconds. */
  hold(held) {
    const later = window.setTimeout;
    window.held = [];
    window.setTimeout = (act, wait, ...more) =>
      wait === held ? window.held.push(act) : later(act, wait, ...more);
  },

  /** Be a browser that keeps neither cookies, as it says, nor anything for a page. */
  keepNothing() {
    const get = () => { throw new DOMException("It keeps nothing.", "SecurityError"); };
    for (const kept of ["localStorage", "sessionStorage"]) Object.defineProperty(window, kept, { get });
    Object.defineProperty(navigator, "cookieEnabled", { value: false });
  },

  /** Show or hide the page, as another tab of the browser does. */
  hide(value) {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  },

  /** Let no news come until the next answer, as when things happen in the same moment. */
  deafen() {
    const part = document.querySelector("#game, #class");
    part.dataset.paused = "";
    part.dispatchEvent(new Event("htmx:abort")); // it may be asking already
  },

  /** Note when a form has been answered. */
  awaitAnswer() {
    window.answered = false;
    document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
      window.answered ||= ctx.request.method === "POST";
    });
  },

  /** From the next click, which a key makes as well, to the first frame in which this is seen. */
  measure(selector) {
    window.seen = null;
    const begin = ({ timeStamp }) => {
      let frames = 0;
      const look = () => {
        frames += 1;
        const seen = document.querySelector(selector)?.checkVisibility();
        if (seen) window.seen = { frames, milliseconds: performance.now() - timeStamp };
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    addEventListener("click", begin, { capture: true, once: true });
  },

  /** Wait until all is drawn. */
  async drawn() {
    for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);
  },

  /**
   * Complain of every shift of the layout once the page is read whole: those as well that come soon
   * after a click, which the score of a page leaves out.
   */
  reportShifts() {
    const told = ({ node, previousRect: from, currentRect: to }) =>
      `${node?.id || node?.className || node?.data} from ${from.x},${from.y} to ${to.x},${to.y}`;
    const report = (entries) => {
      const read = performance.getEntriesByType("navigation")[0].domInteractive || Infinity;
      for (const { sources, startTime } of entries)
        if (startTime > read) console.error(`shift of ${sources.map(told).join("; ")}`);
    };
    const observer = new PerformanceObserver((list) => report(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    addEventListener("pagehide", () => report(observer.takeRecords()));
  },

  /** Note what is drawn in motion: a cell, the line through three, or something else. */
  recordMotion() {
    window.motion = [];
    for (const name of ["animationstart", "transitionrun"]) {
      document.addEventListener(name, (event) => {
        const place = event.target.closest(".cell, .strike");
        window.motion.push(place?.id || place?.className.baseVal || event.target.tagName);
      });
    }
  },

  /** What has been drawn since this was last asked, once each, in order. */
  async moved() {
    for (const animation of document.getAnimations()) await animation.finished;
    await new Promise(requestAnimationFrame);
    return [...new Set(window.motion.splice(0))];
  },

  /** Count what is heard, and what is moved by scripts. */
  countEffects() {
    Object.assign(window, { heard: 0, flown: 0 });
    for (const [{ prototype: of }, act, counter] of [
      [AudioBufferSourceNode, "start", "heard"],
      [Element, "animate", "flown"],
    ]) {
      const real = of[act];
      of[act] = function (...how) {
        window[counter] += 1;
        return real.apply(this, how);
      };
    }
  },

  /** How an element and its parts show, apart from the colours of text and background. */
  shapes(element) {
    const shape = (part, pseudo) => {
      const style = getComputedStyle(part, pseudo);
      return [
        style.textDecorationLine, style.fontWeight, style.content, style.outlineStyle,
        style.borderTopStyle, style.borderTopWidth, style.borderLeftWidth, style.display,
      ].join();
    };
    return [element, ...element.querySelectorAll("*")]
      .flatMap((part) => [null, "::before", "::after"].map((pseudo) => shape(part, pseudo)))
      .join();
  },

  // --- tournaments --------------------------------------------------------------------------------

  /** Let the clocks of the page stand still. */
  stopClocks() {
    const began = Date.now();
    window.passed = 0;
    Date.now = () => began + window.passed;
  },

  /** Let them go on until so many seconds are left; an answer may set them anew meanwhile. */
  goOn(left) {
    const drawn = document.querySelector("#versus .left")?.getAttribute("stroke-dashoffset");
    const more = drawn ? 30 * (1 - drawn) - left : NaN;
    if (more > 0.1 && drawn !== window.drawn) {
      window.drawn = drawn; // nothing goes on again before the page has counted
      window.passed += 1000 * more;
    }
    return Math.abs(more) <= 0.1;
  },

  /** Keep in `sessionStorage.counted` the seconds that the strip counts before it leads away. */
  noteCounting() {
    const counted = [];
    new MutationObserver(() => {
      const said = document.querySelector("#calls[data-counting] .seconds")?.textContent;
      if (said && said !== counted.at(-1)) counted.push(said);
    }).observe(document, { childList: true, subtree: true, attributes: true });
    addEventListener("pagehide", () => sessionStorage.setItem("counted", counted));
  },

  /** Count the clouds that fly over the wall. */
  countClouds() {
    window.clouds = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.matches?.(".cloud")) window.clouds++;
    }).observe(document.body, { childList: true, subtree: true });
  },
};
