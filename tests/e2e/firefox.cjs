// Loaded into Playwright's driver, so that it can drive Firefox ESR: with each window it sends one
// command of WebDriver BiDi that this Firefox does not know yet, and gives up if that fails. No test
// needs what the command does. This file can go when Debian's Firefox knows it.
"use strict";

const path = require("node:path");
const { ws } = require(path.join(path.dirname(process.argv[1]), "lib", "utilsBundle.js"));
const { send } = ws.prototype;

ws.prototype.send = function (data, ...more) {
  if (!data.includes('"emulation.setMediaFeaturesOverride"')) return send.call(this, data, ...more);
  const answer = JSON.stringify({ type: "success", id: JSON.parse(data).id, result: {} });
  setImmediate(() => this.emit("message", Buffer.from(answer), false));
};
