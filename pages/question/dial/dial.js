// The live dial: the hand moves, the frame under it is drawn, and the server hears of it when the hand lets go.

const DIALS = (window.epsilonDials ??= new Map());
const [PLAY_MILLISECONDS, PATIENCE] = [450, 3000];

class Dial extends Live {
  constructor(root) {
    super(root);
    this.range = this.find("range");
    this.box = this.find("box");
    this.range.addEventListener("input", () => this.move(Number(this.range.value)));
    this.range.addEventListener("change", () => this.letGo());
    for (const end of ["pointerup", "pointercancel", "blur"]) this.range.addEventListener(end, () => { this.held = false; });
    this.box.addEventListener("change", () => this.typed());
    this.find("pin").addEventListener("click", () => this.send("pinned", this.now?.pinned ? "" : this.label()));
    this.find("play").addEventListener("click", () => (this.playing ? this.stop() : this.send("played", this.label())));
    root.addEventListener("click", (event) => this.save(event));
    this.drag(root.querySelector('[data-part="tradeoff"] svg'), (event) => this.nearTo(event));
    this.sizes = new ResizeObserver(() => this.tried(() => this.lay()));
  }

  send(name, value) {
    this.trigger(name, { value, turn: `${Date.now()}-${Math.random()}` });
  }

  label() {
    return this.index === null ? this.now.frame.label : this.source.header.labels[this.index];
  }

  update(bytes, trigger) {
    this.trigger = trigger;
    this.sent = null;
    this.source = unpacked(bytes);
    const { header } = this.source;
    this.root.dataset.kind = header.kind;
    for (const [name, color] of Object.entries(header.colors)) this.root.style.setProperty(`--dial-${name}`, color);
    set(this.range, { max: header.places.length - 1 });
    this.scale(header);
    DIALS.set(header.key, this);
    const now = DIALS.get(`${header.key} now`);
    if (now) this.tell(now);
    this.lay();
    this.sizes.disconnect();
    this.root.querySelectorAll("svg").forEach((svg) => this.sizes.observe(svg));
  }

  scale({ ticks, others }) {
    this.find("ticks").replaceChildren(...ticks.map(({ at, text }) => placed("span", at, text)));
    this.find("others").replaceChildren(...others.map(({ at, text }) => {
      const mark = placed("i", at, "");
      mark.title = text;
      return mark;
    }));
  }

  // The setting that the server knows of: which frame, the range that meets the targets, what is pinned or played.
  // What was told before the hand moved on does not pull it back.
  tell(now) {
    const known = this.sent === null || this.sent.label === now.frame.label || Date.now() - this.sent.time > PATIENCE;
    this.now = now;
    if (known && !this.held) {
      this.sent = null;
      this.index = now.index;
    }
    if (this.source) this.answers ? this.show() : this.lay();
    if (now.plays && now.turn !== this.lastPlay) {
      this.lastPlay = now.turn;
      this.start(now.plays);
    }
  }

  show() {
    const { header } = this.source;
    const frame = this.current();
    this.range.value = this.index ?? nearestFrame(header.places, frame.place);
    const shade = this.find("shade");
    shade.hidden = !this.now.shade;
    if (this.now.shade) {
      const [from, to] = this.now.shade;
      shade.style.left = `${100 * from}%`;
      shade.style.width = `${100 * (to - from)}%`;
      shade.classList.toggle("late", from > 0.6);
    }
    this.draw(frame);
  }

  current() {
    return this.index === null ? this.now.frame : frameAt(this.source, this.index);
  }

  // Drawn anew for other frames, and where a picture got another size, as by a style that came late.
  lay() {
    if (!this.source || !this.now) return;
    const boxes = [...this.root.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect());
    if (boxes.some(({ width }) => width < 10)) return;
    const size = boxes.map(({ width, height }) => `${Math.round(width)} ${Math.round(height)}`).join();
    if (this.laid === this.source && this.laidSize === size) return;
    [this.laid, this.laidSize] = [this.source, size];
    const { colors } = this.source.header;
    this.answers = new Answers(this.find("answers"), colors);
    this.belief = new Belief(this.find("belief"), colors);
    this.tradeOff = new TradeOff(this.find("tradeoff"), colors);
    this.tradeOff.curveOf(this.source);
    this.tradeOff.handles.forEach((handle) => this.hold(handle));
    this.show();
  }

  move(index) {
    this.held = true;
    this.index = index;
    this.draw(frameAt(this.source, index));
  }

  // Let go where it stood, there is nothing to send, and no answer to wait for.
  letGo() {
    this.held = false;
    if (this.index === null || (this.sent === null && this.label() === this.now.frame.label)) return;
    this.sent = { label: this.label(), time: Date.now() };
    this.send("chosen", this.label());
  }

  // What is typed is the last word: a step that an arrow has made just before is not sent after it, and no answer to
  // what was sent before is waited for.
  typed() {
    clearTimeout(this.waiting);
    this.held = false;
    this.sent = null;
    this.send("typed", this.box.value);
  }

  draw(frame) {
    if (!this.answers) return;
    const { header } = this.source;
    this.stop();
    this.answers.draw(frame, header.worlds);
    this.belief.draw(frame, header.prior);
    this.tradeOff.draw(frame);
    this.tradeOff.shade(this.now.wanted);
    const pinned = this.now.pinned;
    [this.answers, this.belief, this.tradeOff].forEach((panel) => panel.pin(pinned, frame));
    this.write(frame, pinned);
    this.range.style.setProperty("--at", `${100 * Number(this.range.value) / (header.places.length - 1)}%`);
  }

  write(frame, pinned) {
    const { words } = frame;
    const { detail, noise, quiet, whose, kind, curves } = this.source.header;
    this.box.value = frame.label;
    this.box.style.width = `${frame.label.length}ch`;
    say(this.find("detail"), [detail[0], noise ? words.noise : "", detail[1]].filter(Boolean).join(" "));
    say(this.find("quiet"), quiet);
    say(this.find("whose"), whose);
    this.find("play").hidden = kind !== "bell";
    for (const name of ["finding", "seen", "believed", "cost", "near"]) say(this.find(name), words[name] ?? "");
    this.range.setAttribute("aria-valuetext", words.spoken);
    this.find("answers").querySelector("svg").setAttribute("aria-label", kind === "bell" ? `${words.finding}. ${curves}` : words.finding);
    this.find("belief").querySelector("svg").setAttribute("aria-label", words.believed.replaceAll("**", ""));
    this.tradeOff.handles.forEach((handle) =>
      set(handle, {
        "aria-label": this.source.header.tradeOff.handles[handle.dataset.axis], "aria-valuemin": 0,
        "aria-valuemax": this.source.header.places.length - 1, "aria-valuenow": this.range.value, "aria-valuetext": words.spoken,
      }));
    this.find("spent").style.width = `${100 * frame.price}%`;
    this.find("pin").textContent = pinned ? "Unpin" : "Pin this setting";
    const table = this.find("compare");
    table.hidden = !pinned;
    if (pinned) this.compare(table, [pinned, frame]);
  }

  compare(table, frames) {
    frames.forEach((frame, place) => {
      const cells = table.tBodies[0].rows[place].cells;
      [frame.words.setting, frame.words.within, frame.words.rise, frame.words.often].forEach((text, column) => {
        cells[column + 1].textContent = text;
      });
    });
  }

  // The two handles of the trade-off: arrows move to the next frame, a drag to the frame whose error or belief is nearest.
  hold(handle) {
    const { axis } = handle.dataset;
    handle.addEventListener("keydown", (event) => this.keyed(event, axis));
    this.drag(handle, (event) => this.alongAxis(event, axis));
  }

  drag(target, found) {
    const follow = (event) => { this.point(found(event)); event.preventDefault(); };
    target.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      target.setPointerCapture(event.pointerId);
      target.addEventListener("pointermove", follow);
      follow(event);
    });
    const end = (event) => {
      if (!target.hasPointerCapture(event.pointerId)) return;
      target.releasePointerCapture(event.pointerId);
      target.removeEventListener("pointermove", follow);
      this.letGo();
    };
    target.addEventListener("pointerup", end);
    target.addEventListener("pointercancel", end);
  }

  share(event) {
    const panel = this.tradeOff;
    const box = panel.svg.getBoundingClientRect();
    const across = (event.clientX - box.left - MARGIN.left) / panel.inner.wide;
    const up = (box.bottom - MARGIN.bottom - event.clientY) / panel.inner.high;
    return { error: across, risk: up };
  }

  alongAxis(event, axis) {
    return nearestFrame(this.source.arrays[axis], this.share(event)[axis]);
  }

  nearTo(event) {
    const { error, risk } = this.share(event);
    return this.alongAxis(event, Math.abs(error) < Math.abs(risk) || error < 0 ? "risk" : "error");
  }

  keyed(event, axis) {
    const up = { ArrowUp: 1, ArrowRight: axis === "error" ? -1 : 1, ArrowDown: -1, ArrowLeft: axis === "error" ? 1 : -1 };
    const last = this.source.header.places.length - 1;
    const ends = { Home: 0, End: last, PageUp: Number(this.range.value) + 10, PageDown: Number(this.range.value) - 10 };
    const wanted = ends[event.key] ?? (event.key in up ? Number(this.range.value) + up[event.key] : null);
    if (wanted === null) return;
    event.preventDefault();
    this.point(Math.min(Math.max(wanted, 0), last));
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.letGo(), 350);
  }

  point(index) {
    this.range.value = index;
    this.move(index);
  }

  // Possible answers, one after another; all at once for those who asked for less motion.
  start(plays) {
    this.stop();
    if (!this.answers) return;
    const list = this.find("possible");
    const written = (count) => say(list, `Simulated, none released: ${plays.slice(0, count).map(({ text }) => text).join(" · ")}`);
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) { written(plays.length); return; }
    let next = 0;
    const step = () => {
      if (next >= plays.length) { this.stop(); written(plays.length); return; }
      this.answers.show(plays[next]);
      next += 1;
      written(next);
    };
    this.playing = setInterval(step, PLAY_MILLISECONDS);
    this.find("play").textContent = "Stop";
    step();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.find("play").textContent = "Show 20 possible answers";
    this.find("possible").replaceChildren();
    this.answers?.show(null);
  }

  save(event) {
    const button = event.target.closest("[data-save]");
    if (!button) return;
    const svg = this.find(button.dataset.save).querySelector("svg").cloneNode(true);
    const { colors } = this.source.header;
    set(svg, { xmlns: SVG, width: this.answers.width, height: this.answers.height, "font-family": "sans-serif", "font-size": 14, style: `background: ${colors.background}` });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([svg.outerHTML], { type: "image/svg+xml" }));
    link.download = `epsilon-explorer-${button.dataset.save}.svg`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

function placed(name, at, text) {
  const made = document.createElement(name);
  made.style.left = `${100 * at}%`;
  made.textContent = text;
  return made;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".live-dial");
  root.dial ??= new Dial(root);
  root.dial.tried(() => root.dial.update(data, setTriggerValue));
  return () => root.dial.sizes.disconnect();
}
