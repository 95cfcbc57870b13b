// What changes on the wall, at each swap and by the clock: long tables turn their pages, a row says by how
// many places its player has risen or fallen, and the board of a game that is over makes room for another
// one. Nothing here is known to the server.
(() => {
  "use strict";

  const A_PAGE = 12000; // milliseconds, or less where there are so many pages
  const ALL_PAGES = 50000; // that every name is seen within a minute
  const STAYS = 6000; // a board whose game is over
  const MARKED = 3; // the largest rises, each until the player's next game ends

  // --- the pages of a table ------------------------------------------------------------------------

  let turned = 0; // how often, since the wall was opened

  /** Show the page that it is the turn of, in the wall or in news for it; return how many there are. */
  function showPage(wall) {
    const table = wall.querySelector("[data-page]");
    if (!table) return 1;
    const { children: rows, dataset: { page } } = table;
    const pages = Math.max(1, Math.ceil(rows.length / page));
    [...rows].forEach((row, number) => { row.hidden = Math.floor(number / page) !== turned % pages; });
    return pages;
  }

  (function turn() {
    const pages = showPage(document);
    setTimeout(() => {
      turned += 1;
      turn();
    }, Math.min(A_PAGE, ALL_PAGES / pages));
  })();

  // --- changes of place ----------------------------------------------------------------------------

  const players = new Map(); // by row: the place, the games played, the place before the last of them ended

  /** Say in the rows of a tournament's table by how many places each player has risen since the last game. */
  function compare(wall) {
    const [up, down] = document.getElementById("changes").content.children;
    const rows = [...wall.querySelectorAll("[data-place]")];
    for (const row of rows) {
      const [place, games] = [Number(row.dataset.place), Number(row.dataset.games)];
      let { from = place, before = place, played = games, rise = 0 } = players.get(row.id) ?? {};
      if (games !== played) [from, rise] = [before, before - place];
      players.set(row.id, { from, before: place, played: games, rise });
      if (!games || from === place) continue;
      const change = (from > place ? up : down).cloneNode(true);
      [...change.childNodes].find(({ data }) => data).data = Math.abs(from - place);
      row.querySelector("span").replaceChildren(change);
    }
    const rise = ({ id }) => players.get(id).rise;
    const highest = rows.filter((row) => rise(row) > 0).sort((one, other) => rise(other) - rise(one)).slice(0, MARKED);
    for (const row of rows) row.classList.toggle("risen", highest.includes(row));
  }

  /** Let everyone keep the seat on the bench; a newcomer takes the next one. */
  function seat(wall) {
    const taken = [...document.querySelectorAll(".bench > [id]")].map(({ id }) => wall.querySelector(`#${id}`));
    wall.querySelector(".bench")?.prepend(...taken.filter(Boolean));
  }

  // --- boards --------------------------------------------------------------------------------------

  let places = []; // the ids of the boards in view, each in its place
  const overSince = new Map();

  /** Put the boards in view first, in the wall or in news for it: others take the places of those that are over. */
  function arrange(wall) {
    const list = wall.querySelector(".boards");
    const boards = [...(list?.children ?? [])].filter(({ id }) => id);
    const byId = new Map(boards.map((board) => [board.id, board]));
    const isOver = ({ id }) => byId.get(id).matches(".over");
    for (const board of boards.filter(isOver)) {
      if (!overSince.has(board.id)) overSince.set(board.id, Date.now());
    }
    const room = Number(list?.dataset.room ?? 0);
    places = Array.from({ length: room }, (_, place) => places[place] ?? "");
    const others = boards.filter(({ id }) => !places.includes(id));
    const waiting = others.filter((board) => !isOver(board));
    places = places.map((id) => {
      if (byId.has(id) && !(isOver({ id }) && Date.now() - overSince.get(id) >= STAYS && waiting.length)) return id;
      return (waiting.shift() ?? others.find((board) => isOver(board) && !places.includes(board.id)))?.id ?? "";
    });
    if (!boards.length) return;
    while (places.at(-1) === "") places.pop();
    const rest = boards.filter(({ id }) => !places.includes(id));
    const wanted = [...places.map((id) => byId.get(id) ?? document.createElement("li")), ...rest];
    const order = (some) => some.map(({ id }) => id).join();
    if (order(wanted) !== order([...list.children])) list.replaceChildren(...wanted);
  }

  // --- news ----------------------------------------------------------------------------------------

  // A podium that comes, not one that was there: the end of a tournament is celebrated once.
  const podium = () => document.querySelector("[data-celebrate]");
  let celebrated = podium()?.id;

  async function celebrate() {
    const shown = podium();
    if (!shown || shown.id === celebrated) return;
    celebrated = shown.id;
    (await import(shown.dataset.celebrate)).celebrate(shown);
  }

  document.addEventListener("htmx:before:swap", (event) => {
    const news = event.detail.tasks[0]?.fragment;
    if (!news?.getElementById("class")) return;
    for (const prepare of [showPage, compare, arrange, seat]) prepare(news);
  });

  document.addEventListener("htmx:after:swap", () => {
    celebrate().catch(() => {}); // without it the first are still the first
  });

  compare(document);
  arrange(document);
  setInterval(() => arrange(document), 1000);
})();
