// The live budget: the hand moves, the frame under it is drawn, and the server hears of it when the hand lets go.

const [QUICK, SLOWEST, PATIENCE] = [260, 12000, 3000];
const WAITS = "One moment: this is being computed";

class LiveBurn extends Live {
  constructor(root) {
    super(root);
    for (const what of ["epsilon", "times"]) {
      this.find(what).addEventListener("input", () => this.move(what));
      this.find(what).addEventListener("change", () => this.letGo(what));
      for (const end of ["pointerup", "pointercancel", "blur"]) this.find(what).addEventListener(end, () => { this.held = false; });
    }
    this.find("delta").addEventListener("change", () => { this.move("delta"); this.letGo("delta"); });
    this.find("play").addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.find("save").addEventListener("click", () => this.save());
    for (const near of ["pointerenter", "pointerdown", "focusin"]) root.addEventListener(near, () => this.want());
    this.sizes = new ResizeObserver(() => this.tried(() => this.lay()));
    this.sizes.observe(root.querySelector("svg"));
  }

  // Nobody else makes the server work for pictures that nobody asks for.
  want() {
    if (this.wanted) return;
    this.wanted = true;
    window.epsilonBurnMore?.();
  }

  // What was told before the hand moved on does not pull it back.
  update(said, trigger) {
    this.said = said;
    this.trigger = trigger;
    for (const [name, color] of Object.entries(said.colors)) this.root.style.setProperty(`--dial-${name}`, color);
    const { now } = said;
    if (!this.held && (!this.sent || this.arrived(now) || Date.now() - this.sent.time > PATIENCE)) {
      this.sent = null;
      this.at = { epsilon: now.epsilon, times: this.timesNear(now.times), delta: now.delta };
      this.off = said.epsilons[now.epsilon] !== now.label;
    }
    this.fill();
    this.panel = null;
    this.lay();
  }

  arrived(now) {
    const { what, place } = this.sent;
    return what === "times" ? this.said.times[place] === now.times : now[what] === place;
  }

  timesNear(times) {
    const { times: known } = this.said;
    return known.reduce((best, one, place) => (Math.abs(one - times) < Math.abs(known[best] - times) ? place : best), 0);
  }

  fill() {
    const { said } = this;
    this.find("epsilon").max = said.epsilons.length - 1;
    this.find("times").max = said.times.length - 1;
    this.find("ticks").replaceChildren(...said.ticks.map(([place, text]) => {
      const made = document.createElement("span");
      made.style.left = `${(100 * place) / (said.epsilons.length - 1)}%`;
      made.textContent = text;
      return made;
    }));
    this.find("delta").replaceChildren(...said.deltas.map((text, place) => new Option(text, place)));
    say(this.find("detail"), said.detail);
    this.names = said.rules.map(({ color }) => {
      const made = document.createElement("div");
      made.style.setProperty("--rule", color);
      made.append(document.createElement("b"), document.createElement("span"));
      return made;
    });
    this.find("rules").replaceChildren(...this.names);
  }

  // The frame at the dials; nothing while it is still being computed.
  frame() {
    const { now, name } = this.said;
    const stands = this.at.epsilon === now.epsilon && this.at.delta === now.delta;
    if (stands && (this.off || !this.sent)) return now.frame;
    return window.epsilonBurns?.get(name)?.[`${this.at.delta} ${this.at.epsilon}`] ?? null;
  }

  near() {
    return [this.at.epsilon, this.at.delta];
  }

  came(name) {
    if (this.said?.name === name) this.tried(() => this.lay());
  }

  lay() {
    const holder = this.root.querySelector(".panel");
    const box = holder.querySelector("svg").getBoundingClientRect();
    if (!this.said || box.width < 10) return;
    const size = `${Math.round(box.width)} ${Math.round(box.height)}`;
    if (!this.panel || this.size !== size) this.panel = new Burn(holder, this.said);
    this.size = size;
    if (!this.playing) this.show();
  }

  show() {
    const { said, at } = this;
    const frame = this.frame();
    this.root.classList.toggle("waiting", !frame);
    if (frame && (this.drawn !== frame || this.drawnOn !== this.panel)) this.draw(frame);
    this.find("epsilon").value = at.epsilon;
    this.find("times").value = at.times;
    this.find("delta").value = at.delta;
    for (const what of ["epsilon", "times"]) {
      const input = this.find(what);
      input.style.setProperty("--at", `${(100 * at[what]) / Math.max(input.max, 1)}%`);
    }
    const cost = this.off && at.epsilon === said.now.epsilon ? said.now.label : said.epsilons[at.epsilon];
    this.find("epsilon-said").textContent = cost;
    const times = said.times[at.times];
    const number = said.earlier + (said.alike ? said.listed - 1 + times : said.listed * times);
    const often = times === 1 ? "once" : `${times.toLocaleString("en")} times`;
    const after = `${number.toLocaleString("en")} question${number === 1 ? "" : "s"}`;
    this.find("times-said").textContent = `${said.alike ? "its last question asked" : "list asked"} ${often}: ${after}`;
    this.find("times").setAttribute("aria-valuetext", `${often}: ${after}`);
    this.find("epsilon").setAttribute("aria-valuetext", `epsilon ${cost}: ${frame?.title ?? WAITS}`);
    if (!frame) { say(this.find("finding"), WAITS); this.drawn = null; return; }
    const place = frame.questions.findIndex((one) => one >= number);
    this.stand(frame, place < 0 ? frame.questions.length - 1 : place, number);
  }

  draw(frame) {
    [this.drawn, this.drawnOn] = [frame, this.panel];
    this.panel.draw(frame);
    say(this.find("finding"), frame.title);
    say(this.find("parted"), frame.parted);
    this.root.querySelector("svg").setAttribute("aria-label", `${frame.title}. ${frame.names.join("; ")}.`);
    frame.names.forEach((name, rule) => { this.names[rule].firstChild.textContent = name; });
  }

  // What each rule has counted once so many questions were asked; a rule that has refused counts no further.
  stand(frame, place, number, before = null) {
    this.panel.show(place, frame);
    this.names.forEach((name, rule) => {
      const [value, refused] = [frame.spent[rule][place], frame.refused[rule]];
      const counted = value === undefined || value === null ? "" : `after ${number.toLocaleString("en")}: ε ${value}`;
      const step = before === null || value === undefined || value === null ? "" : `, before ${frame.spent[rule][before] ?? 0}`;
      name.lastChild.textContent = refused !== null && number >= refused ? `budget gone after ${(refused - 1).toLocaleString("en")}` : counted + step;
    });
  }

  move(what) {
    this.held = true;
    this.stop();
    this.at[what] = Number(this.find(what).value);
    if (what === "epsilon") this.off = false;
    this.show();
  }

  letGo(what) {
    this.held = false;
    const place = this.at[what];
    const { now, times, epsilons } = this.said;
    const stands = { epsilon: epsilons[place] === now.label, times: times[place] === now.times, delta: place === now.delta };
    if (stands[what] && !this.sent) return;
    this.sent = { what, place, time: Date.now() };
    this.trigger("turned", { what, place, turn: `${Date.now()}-${Math.random()}` });
  }

  // Question by question, until the last rule has refused; all at once for those who asked for less motion.
  play() {
    const frame = this.frame();
    if (!frame) return;
    const last = Math.max(...frame.refused.map((number) => number ?? frame.last));
    const end = frame.questions.findIndex((one) => one >= last);
    let place = Math.max(frame.questions.findIndex((one) => one > this.said.earlier), 0);
    const step = () => {
      this.stand(frame, place, frame.questions[place], place ? place - 1 : null);
      if (place >= end) this.stop();
      place += 1;
    };
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) { place = end; step(); return; }
    this.find("play").textContent = "Stop";
    this.playing = setInterval(step, Math.min(QUICK, SLOWEST / (end - place + 1)));
    step();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.find("play").textContent = "Rehearse, question by question";
  }

  save() {
    const svg = this.root.querySelector("svg").cloneNode(true);
    set(svg, { xmlns: SVG, width: this.panel.width, height: this.panel.height, "font-family": "sans-serif", "font-size": 14, style: `background: ${this.said.colors.background}` });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([svg.outerHTML], { type: "image/svg+xml" }));
    link.download = "epsilon-explorer-budget.svg";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".live-burn");
  root.burn ??= new LiveBurn(root);
  window.epsilonBurn = root.burn;
  root.burn.tried(() => root.burn.update(data, setTriggerValue));
}
