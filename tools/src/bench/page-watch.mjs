/** Runs in the page before anything of it: what the benchmark wants to know, as the browser sees it. */
let painted = 0;
let keys = [];
let tasks = [];
let elements = 0;

/** The paint is over when a message that was posted from its frame arrives. */
const afterPaint = (then) =>
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.addEventListener("message", then);
    channel.port1.start();
    channel.port2.postMessage(0);
  });

globalThis.lodgeBench = {
  reset() {
    keys = [];
    tasks = [];
    elements = 0;
  },
  read() {
    const height = document.querySelector(".transcript")?.scrollHeight ?? 0;
    return { painted, keys, tasks, elements, height };
  },
};

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) tasks.push(entry.duration);
}).observe({ entryTypes: ["longtask"] });

addEventListener(
  "keydown",
  (event) => afterPaint(() => keys.push(performance.now() - event.timeStamp)),
  { capture: true },
);

const every = document.getElementsByTagName("*");
function look() {
  elements = Math.max(elements, every.length);
  requestAnimationFrame(look);
}
/** Asks for a layout, so no longer than it has to. */
function lookForPaint() {
  const last = [...document.querySelectorAll(".transcript-item")].at(-1)?.getBoundingClientRect();
  if (last === undefined || last.height === 0 || last.top >= innerHeight)
    return requestAnimationFrame(lookForPaint);
  afterPaint(() => {
    painted = performance.now();
    look();
  });
}
lookForPaint();
