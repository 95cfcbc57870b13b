// Leads a player to the board of a tournament's game, or to what the class is asked: at once, or after
// some seconds where the page has something that would be lost. Of several tabs only one that is seen does it.
(() => {
  "use strict";

  const SECONDS = 5; // no clock of a game runs so early
  const OFTEN = 100; // milliseconds, as all here

  const game = () => document.getElementById("game");
  const asks = () => document.querySelector("[data-lead]");

  // --- what this browser remembers: a browser that keeps nothing leads once too often ---------------

  /** Read, write or forget something that all tabs know, or this one does. */
  function memory(of, name, value) {
    try {
      if (value === null) window[of].removeItem(name);
      else if (value !== undefined) window[of].setItem(name, value);
      return window[of].getItem(name);
    } catch {
      return null;
    }
  }

  /** The address of the tournament's board that this page shows, if it shows one. */
  function board() {
    return document.querySelector("#versus ~ #game[data-going]") ? window.location.pathname : "";
  }

  function noteBoard() {
    if (board() && !document.hidden) memory("localStorage", "board", board());
  }

  window.addEventListener("pagehide", () => {
    if (!board()) return;
    memory("sessionStorage", "left", board());
    if (memory("localStorage", "board") === board()) memory("localStorage", "board", null);
  });

  // --- what would be lost ----------------------------------------------------------------------------

  const FIELD = "main :is(input:not([type=checkbox], [type=radio], [readonly]), textarea, select)";

  let changed = false; // whether anything has been typed or chosen that was not sent

  document.addEventListener("input", ({ target }) => {
    changed ||= target.matches("main :not([data-setting], #unfold)");
  });

  /** Whether a form is in use, or a question is open. */
  const isInUse = () =>
    changed || document.querySelector(`:is(${FIELD}):focus, dialog[open], .question`) !== null;

  /** Whether the page shows a game that goes on and has moves. */
  const isPlaying = () => document.querySelector("#game[data-going] #play .cell svg:not(.ghost)") !== null;

  let wasPlaying = isPlaying();
  let over = -Infinity; // when a game ended before the player's eyes

  // --- leading ---------------------------------------------------------------------------------------

  let to = ""; // where, from when on, and whether it was left for that
  let from = 0;
  let gone = false;
  let known = true; // whether the server has said so since the page is seen

  function go() {
    gone = true;
    window.location.assign(to);
  }

  /** When to lead: after some seconds where anything is at stake, or the player has just been there. */
  function moment(element, now) {
    if (element.id !== "calls" && to.includes("/games/")) return now; // its player waits for it
    const left = memory("sessionStorage", "left") === to;
    const mayMove = isPlaying() && !to.includes("/questions/"); // for which all games wait
    const atStake = element.id === "calls" && (isInUse() || mayMove || left);
    return Math.max(now, (atStake ? now : over) + 1000 * SECONDS);
  }

  function look() {
    const element = asks();
    const playing = isPlaying();
    const now = performance.now();
    if (wasPlaying && !playing && game()?.dataset.outcome) over = now;
    wasPlaying = playing;
    if (!element || gone) return;
    if (element.dataset.lead !== to) {
      to = element.dataset.lead;
      from = 0;
    }
    // A host who plays as well is not led away from the desk.
    const stays = document.hidden || !known || document.querySelector(".host-page, .calls.declined");
    if (stays || memory("localStorage", "board") === to) {
      delete element.dataset.counting;
      return;
    }
    from ||= moment(element, now);
    const left = Math.ceil((from - now) / 1000);
    if (left <= 0) {
      go();
    } else if (element.id === "calls") {
      const said = element.querySelector(".seconds");
      if (said.textContent !== String(left)) said.textContent = left;
      element.dataset.counting = "";
    }
  }

  setInterval(look, OFTEN);
  document.addEventListener("htmx:after:swap", look);

  document.addEventListener("visibilitychange", () => {
    noteBoard();
    known = !asks()?.hasAttribute("data-topic"); // the game may be over by now
    look();
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.matches("#calls, #onward")) {
      known = true;
    } else if (changed && ctx.request.method !== "GET") {
      changed = false; // it has been sent
      from &&= 1;
    }
    look();
  });

  // Where a page was loaded before its player joined, it learns of it when it is seen (app.js).
  const joined = document.querySelector("#calls")?.dataset.event;
  if (joined) memory("localStorage", "joined", joined);

  noteBoard();
  look();
})();
