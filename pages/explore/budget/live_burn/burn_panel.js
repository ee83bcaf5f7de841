// The lines of the budget: made once, moved with every frame.

class Burn extends Panel {
  constructor(holder, said) {
    super(holder, said.colors);
    this.said = said;
    this.lay();
  }

  build() {}

  lay() {
    const { colors, said } = this;
    this.frameLines("", "ε spent");
    set(this.xTitle, { x: this.x(0.5), "text-anchor": "middle" });
    for (const { at } of said.rises) {
      element(this.svg, "line", { x1: this.x(0), x2: this.x(1), y1: this.y(at), y2: this.y(at), stroke: colors.line });
    }
    this.yTicks(said.rises);
    this.earlier = element(this.svg, "rect", { y: this.y(1), height: this.inner.high, fill: colors.answers, opacity: 0.25 });
    this.listed = element(this.svg, "line", { y1: this.y(1), y2: this.y(0), stroke: colors.muted, "stroke-dasharray": "2 4" });
    const clip = element(this.svg, "clipPath", { id: "burn-inside" });
    element(clip, "rect", { x: this.x(0), y: this.y(1), width: this.inner.wide, height: this.inner.high });
    this.lines = this.inOrder().map((place) => {
      const { color, width } = said.rules[place];
      return [place, element(this.svg, "path", { fill: "none", stroke: color, "stroke-width": width, "clip-path": "url(#burn-inside)" })];
    });
    const high = this.y(said.budget.at / said.top);
    element(this.svg, "line", { x1: this.x(0), x2: this.x(1), y1: high, y2: high, stroke: colors.text, "stroke-width": 2 });
    this.budget = this.written({ x: this.x(1), y: high + 17, "text-anchor": "end", fill: colors.text });
    this.budget.textContent = said.budget.text;
    this.cursor = element(this.svg, "line", { y1: this.y(1), y2: this.y(0), stroke: colors.text, "stroke-width": 1.5 });
    this.here = said.rules.map(({ color }) => element(this.svg, "circle", { r: 5, fill: colors.background, stroke: color, "stroke-width": 3 }));
    this.dots = said.rules.map(({ color }) => element(this.svg, "circle", { r: 5.5, cy: high, fill: color }));
    this.numbers = said.rules.map(({ color }) => this.written({ fill: color, "font-weight": 700, "text-anchor": "middle" }));
    this.high = high;
  }

  // Broad lines lie below narrow ones.
  inOrder() {
    return this.said.rules.map((_, place) => place).sort((one, other) => this.said.rules[other].width - this.said.rules[one].width);
  }

  written(attributes) {
    return element(this.svg, "text", { ...attributes, stroke: this.colors.background, "stroke-width": 4, "paint-order": "stroke" });
  }

  across(number, frame) {
    return this.x(number / (frame.last * 1.03));
  }

  draw(frame) {
    const { earlier, listed } = this.said;
    this.xTicks(frame.ticks.map((number) => ({ at: number / (frame.last * 1.03), text: number.toLocaleString("en") })));
    set(this.earlier, { x: this.x(0), width: earlier ? this.across(earlier + 0.5, frame) - this.x(0) : 0 });
    const end = this.across(earlier + listed, frame);
    set(this.listed, { x1: end, x2: end });
    this.xTitle.textContent = `questions asked (${earlier ? "gray: already charged; " : ""}dotted: your list ends)`;
    for (const [place, line] of this.lines) line.setAttribute("d", this.stairs(frame, frame.spent[place]));
    this.marks(frame);
  }

  // A step up with every question; where some are left out, the line stands at the next one already.
  stairs(frame, spent) {
    let drawn = `M${this.x(0)} ${this.y(0)}`;
    spent.forEach((value, place) => {
      if (value === null) return;
      const up = `V${this.y(Math.min(value / this.said.top, 2)).toFixed(1)}`;
      const on = `H${this.across(frame.questions[place], frame).toFixed(1)}`;
      drawn += frame.all ? on + up : up + on;
    });
    return spent.length ? `${drawn}H${this.x(1)}` : "";
  }

  // The question that each rule refuses, on the budget's line; those that lie close together have their numbers apart.
  marks(frame) {
    const placed = [];
    frame.refused.forEach((number, place) => {
      const shown = number !== null && number <= frame.last;
      const x = shown ? this.across(number, frame) : 0;
      const same = placed.some(({ of }) => of === number);
      set(this.dots[place], { cx: x, visibility: shown ? "visible" : "hidden" });
      const rows = placed.filter((other) => Math.abs(other.x - x) < 40).length;
      set(this.numbers[place], { x, y: this.high - 10 - 17 * rows, visibility: shown && !same ? "visible" : "hidden" });
      this.numbers[place].textContent = shown ? number.toLocaleString("en") : "";
      if (shown && !same) placed.push({ x, of: number });
    });
  }

  // Where each line is once so many questions were asked.
  show(place, frame) {
    const x = this.across(frame.questions[place], frame);
    set(this.cursor, { x1: x, x2: x });
    this.here.forEach((circle, rule) => {
      const value = frame.spent[rule][place];
      const seen = value !== undefined && value !== null && value <= this.said.top;
      set(circle, { cx: x, cy: seen ? this.y(value / this.said.top) : 0, visibility: seen ? "visible" : "hidden" });
    });
  }
}
