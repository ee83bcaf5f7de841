// Drawing: every element is made once and moved afterwards, so that a frame costs a few attributes.

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = { left: 44, right: 14, top: 24, bottom: 42 };

function element(parent, name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  parent.append(made);
  return made;
}

function set(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value);
}

function say(target, sentence) {
  // Two stars stand around what is written bold; everything else is text, whatever signs it holds.
  const parts = sentence.split("**").map((words, place) => {
    const node = document.createElement(place % 2 ? "b" : "span");
    node.textContent = words;
    return node;
  });
  target.replaceChildren(...parts);
}

// What has its pictures in the browser; whatever fails, the page without them takes its place.
class Live {
  constructor(root) {
    this.root = root;
    this.find = (name) => root.querySelector(`[data-part="${name}"]`);
  }

  tried(action) {
    if (this.broken) return;
    try {
      this.root.classList.add("ready");
      action();
    } catch (problem) {
      this.broken = true;
      this.root.classList.remove("ready");
      console.error(problem);
    }
  }
}

class Panel {
  constructor(holder, colors) {
    this.colors = colors;
    this.svg = holder.querySelector("svg");
    this.svg.replaceChildren();
    this.ticks = [];
    this.fit();
    this.build();
  }

  fit() {
    const box = this.svg.getBoundingClientRect();
    this.width = Math.max(box.width, 120);
    this.height = Math.max(box.height, 120);
    set(this.svg, { viewBox: `0 0 ${this.width} ${this.height}` });
  }

  get inner() {
    return { wide: this.width - MARGIN.left - MARGIN.right, high: this.height - MARGIN.top - MARGIN.bottom };
  }

  x(share) {
    return MARGIN.left + share * this.inner.wide;
  }

  y(share) {
    return this.height - MARGIN.bottom - share * this.inner.high;
  }

  frameLines(xTitle, yTitle) {
    const { line, muted } = this.colors;
    element(this.svg, "line", { x1: this.x(0), x2: this.x(1), y1: this.y(0), y2: this.y(0), stroke: line });
    this.xTitle = element(this.svg, "text", { x: this.x(1), y: this.height - 6, "text-anchor": "end", fill: muted });
    this.xTitle.textContent = xTitle;
    const up = element(this.svg, "text", { x: 4, y: 14, fill: muted });
    up.textContent = yTitle;
  }

  yTicks(ticks, away = 6) {
    for (const { at, text } of ticks) {
      const label = element(this.svg, "text", {
        x: MARGIN.left - away, y: this.y(at) + 5, "text-anchor": "end", fill: this.colors.muted,
      });
      label.textContent = text;
    }
  }

  xTicks(ticks) {
    ticks.forEach(({ at, text }, place) => {
      this.ticks[place] ??= element(this.svg, "text", { "text-anchor": "middle", fill: this.colors.muted });
      set(this.ticks[place], { x: this.x(at), y: this.height - MARGIN.bottom + 17 });
      this.ticks[place].textContent = text;
    });
    this.ticks.slice(ticks.length).forEach((label) => { label.textContent = ""; });
  }

  path(values, full, shift = 0) {
    const last = values.length - 1;
    let drawn = "";
    for (let place = 0; place <= last; place += 1) {
      const across = Math.min(Math.max(place / last + shift, 0), 1);
      drawn += `${place ? "L" : "M"}${this.x(across).toFixed(1)} ${this.y(values[place] / full).toFixed(1)}`;
    }
    return drawn;
  }
}
