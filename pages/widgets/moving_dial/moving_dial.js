// A dial beside pictures that the server draws: while the hand moves it tells where, as often as it is answered.

const [SLOW, PATIENCE, LOOK] = [1200, 3000, 25];

class MovingDial {
  constructor(root) {
    this.root = root;
    this.range = root.querySelector("input");
    this.took = 0;
    this.range.addEventListener("input", () => this.move());
    this.range.addEventListener("change", () => this.letGo());
    for (const end of ["pointerup", "pointercancel", "blur"]) this.range.addEventListener(end, () => { this.held = false; });
  }

  // What was told before the hand moved on does not pull it back.
  update(data, trigger) {
    this.trigger = trigger;
    this.labels = data.labels;
    for (const [name, color] of Object.entries(data.colors)) this.root.style.setProperty(`--dial-${name}`, color);
    this.range.max = data.labels.length - 1;
    this.root.querySelector(".scale").replaceChildren(...data.ticks.map(([place, text]) => tick(place / this.range.max, text)));
    const known = !this.sent || this.sent.index === data.index || Date.now() - this.sent.time > PATIENCE;
    if (known && !this.held) {
      this.sent = null;
      this.range.value = data.index;
    }
    this.show();
  }

  show() {
    const index = Number(this.range.value);
    const share = index / Math.max(this.range.max, 1);
    this.root.style.setProperty("--share", share);
    this.root.style.setProperty("--at", `${100 * share}%`);
    this.root.querySelector("output").textContent = this.labels[index];
    this.range.setAttribute("aria-valuetext", this.labels[index]);
  }

  move() {
    this.held = true;
    this.show();
    this.ahead();
  }

  // One question at a time: the next one goes when the pictures of the last one are there, if they come soon enough.
  ahead() {
    clearTimeout(this.waiting);
    if (!this.held || this.took > SLOW) return;
    if (busy() || (this.asked && !this.heard())) this.waiting = setTimeout(() => this.ahead(), LOOK);
    else this.tell();
  }

  // Whether the server has begun with what was told last, and ended.
  heard() {
    const passed = Date.now() - this.asked;
    if (passed < 2 * LOOK) return false;
    this.took = passed;
    this.asked = 0;
    return true;
  }

  tell() {
    const index = Number(this.range.value);
    if (this.sent?.index === index) return;
    this.asked = Date.now();
    this.sent = { index, time: this.asked };
    this.trigger("turned", { index, turn: `${this.asked}-${Math.random()}` });
  }

  letGo() {
    clearTimeout(this.waiting);
    this.held = false;
    this.took = 0;
    this.tell();
  }
}

function busy() {
  return document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
}

function tick(at, text) {
  const made = document.createElement("span");
  made.style.left = `${100 * at}%`;
  made.textContent = text;
  return made;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".moving-dial");
  root.dial ??= new MovingDial(root);
  root.dial.update(data, setTriggerValue);
}
