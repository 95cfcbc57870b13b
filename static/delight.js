// What a win looks like, and what pencil and chalk sound like. The page of a game fetches it when it
// is needed; nothing depends on it.

const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const between = (least, most) => least + Math.random() * (most - least);

// --- to be seen: scraps of paper by day, chalk dust by night ----------------------------------------

const SECOND = 1000;

/** Let scraps or dust fly up from the winning line, for a second. */
export function celebrate(board) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { left, top, width } = board.getBoundingClientRect();
  const cloud = document.createElement("div");
  cloud.className = dark() ? "cloud dust" : "cloud scraps";
  cloud.setAttribute("aria-hidden", "true");
  cloud.style.fontSize = `${width / 40}px`;
  board.append(cloud);
  const flights = [...board.querySelectorAll(".won")].flatMap((cell) => {
    const box = cell.getBoundingClientRect();
    const from = [box.left - left + box.width / 2, box.top - top + box.height / 2];
    return Array.from({ length: 14 }, () => fly(cloud, from, width));
  });
  Promise.all(flights).finally(() => cloud.remove());
}

/** Send one piece from a place up, out and down; dust spreads less and hangs in the air. */
function fly(cloud, [x, y], width) {
  const piece = cloud.appendChild(document.createElement("i"));
  const reach = width * (cloud.classList.contains("dust") ? 0.16 : 0.3);
  const across = between(-1, 1) * reach;
  const up = between(0.3, 1.1) * reach;
  const turn = between(-540, 540);
  const at = (right, down, rotation) =>
    `translate(${x + right}px, ${y + down}px) rotate(${rotation}deg)`;
  return piece.animate(
    [
      { transform: at(0, 0, 0), opacity: 1, easing: "cubic-bezier(0, 0.6, 0.4, 1)" },
      { transform: at(0.8 * across, -up, 0.6 * turn), opacity: 1, offset: 0.4, easing: "ease-in" },
      { transform: at(across, reach, turn), opacity: 0 },
    ],
    { duration: between(0.75, 1) * SECOND, fill: "both" },
  ).finished;
}

// --- to be heard: noise through a filter, and nothing fetched ---------------------------------------

let audio = null;
let noise = null;

function ready() {
  audio ??= new AudioContext();
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let n = 0; n < samples.length; n++) samples[n] = between(-1, 1);
  }
  return audio.resume();
}

/** Draw one stroke: chalk is lower than a pencil, and begins with a knock. */
function scratch(after, seconds) {
  const begin = audio.currentTime + after;
  const source = new AudioBufferSourceNode(audio, { buffer: noise, loop: true });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", Q: 1.2 });
  const volume = new GainNode(audio, { gain: 0 });
  const [low, high] = dark() ? [900, 1600] : [2400, 4200];
  filter.frequency.setValueAtTime(low * between(0.9, 1.1), begin);
  filter.frequency.linearRampToValueAtTime(high * between(0.9, 1.1), begin + seconds);
  volume.gain.setValueAtTime(dark() ? 0.5 : 0.1, begin);
  volume.gain.linearRampToValueAtTime(0.16, begin + 0.02);
  volume.gain.setValueAtTime(0.16, begin + 0.6 * seconds);
  volume.gain.linearRampToValueAtTime(0, begin + seconds);
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(begin, between(0, 0.5));
  source.stop(begin + seconds);
}

/** Let a mark be heard that is drawn in so many strokes: an X in two, an O in one. */
export async function stroke(strokes) {
  await ready();
  for (let n = 0; n < strokes; n++) scratch(0.11 * n, 0.2 / strokes);
}

/** Strike the winning line through, and shake the phone a little. */
export async function cheer() {
  navigator.vibrate?.([30, 60, 60]);
  await ready();
  scratch(0.2, 0.35);
}
