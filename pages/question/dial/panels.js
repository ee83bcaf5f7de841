// The three pictures of the live dial.

class Answers extends Panel {
  build() {
    const { colors } = this;
    this.frameLines("", "");
    this.ghost = element(this.svg, "rect", {
      fill: "none", stroke: colors.text, "stroke-dasharray": "3 4", "stroke-width": 1.5, visibility: "hidden",
    });
    this.band = element(this.svg, "rect", { y: this.y(1), height: this.inner.high, fill: colors.band });
    this.middle = element(this.svg, "line", { y1: this.y(0.93), y2: this.y(0), stroke: colors.text, "stroke-dasharray": "2 4" });
    this.circles = Array.from({ length: 100 }, () => element(this.svg, "circle", { fill: colors.answers, r: 0 }));
    this.without = element(this.svg, "path", { fill: "none", stroke: colors.without_person, "stroke-width": 2.4 });
    this.with = element(this.svg, "path", { fill: "none", stroke: colors.with_person, "stroke-width": 2.4 });
    this.play = element(this.svg, "line", { stroke: colors.spent, "stroke-width": 3, visibility: "hidden", y1: this.y(0.98), y2: this.y(0) });
    this.played = element(this.svg, "text", { fill: colors.text, "font-weight": 700, "text-anchor": "middle", y: 32 });
    this.names = [[colors.without_person, 0.02, "start"], [colors.with_person, 0.98, "end"]].map(([fill, at, anchor]) =>
      element(this.svg, "text", { x: this.x(at), y: 14, fill, "text-anchor": anchor, "font-weight": 600 }));
  }

  draw(frame, worlds) {
    const { axis, band, dots } = frame;
    const named = axis.kind === "named";
    this.xTitle.textContent = axis.title;
    this.xTicks(axis.ticks);
    const shown = named ? "hidden" : "visible";
    set(this.band, { x: this.x(band[0]), width: Math.max(this.x(band[1]) - this.x(band[0]), 1), visibility: shown });
    set(this.middle, { x1: this.x(axis.middle), x2: this.x(axis.middle), visibility: shown });
    const curve = axis.kind === "chosen" || named ? "" : this.path(frame.heights, frame.full);
    this.with.setAttribute("d", curve);
    this.without.setAttribute("d", axis.kind === "bell" ? this.path(frame.heights, frame.full, -frame.shift) : "");
    this.names.forEach((label, place) => {
      label.textContent = worlds[place];
      set(label, { visibility: axis.kind === "bell" ? "visible" : "hidden" });
    });
    this.stack(dots, axis, frame.top);
  }

  stack(dots, { columns, step }, top) {
    const room = this.inner.wide * step;
    const across = Math.max(Math.floor(room / 9.2), 1);
    const radius = Math.max(Math.min(4.6, (0.46 * this.inner.high * across) / top, (0.46 * room) / across), 1.2);
    let next = 0;
    for (let column = 0; column < columns; column += 1) {
      const middle = this.x(0.5 + (column - (columns - 1) / 2) * step);
      for (let place = 0; place < dots[column] && next < 100; place += 1, next += 1) {
        const aside = ((place % across) - (Math.min(across, dots[column]) - 1) / 2) * 2.1 * radius;
        set(this.circles[next], {
          cx: (middle + aside).toFixed(1),
          cy: this.y(((Math.floor(place / across) + 0.5) * across) / top).toFixed(1),
          r: radius.toFixed(2),
        });
      }
    }
    for (; next < 100; next += 1) this.circles[next].setAttribute("r", 0);
  }

  pin(pinned, frame) {
    const same = pinned && pinned.axis.kind !== "named" && frame.axis.reach;
    if (!same) return set(this.ghost, { visibility: "hidden" });
    const scale = pinned.axis.reach / frame.axis.reach;
    const ends = pinned.band.map((end) => frame.axis.middle + (end - pinned.axis.middle) * scale);
    const [low, high] = ends.map((end) => Math.min(Math.max(end, 0), 1));
    return set(this.ghost, {
      x: this.x(low), width: Math.max(this.x(high) - this.x(low), 1), y: this.y(1), height: this.inner.high, visibility: "visible",
    });
  }

  show(one) {
    if (!one) return [this.play, this.played].forEach((target) => set(target, { visibility: "hidden" }));
    set(this.play, { x1: this.x(one.at), x2: this.x(one.at), visibility: "visible" });
    set(this.played, { x: Math.min(Math.max(this.x(one.at), 60), this.width - 60), visibility: "visible" });
    this.played.textContent = one.text;
    return undefined;
  }
}

class Belief extends Panel {
  build() {
    const { colors } = this;
    this.frameLines("belief before, out of 100", "belief after");
    const ends = [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: String(100 * at) }));
    this.xTicks(ends);
    this.yTicks(ends);
    this.ghost = element(this.svg, "path", { fill: "none", stroke: colors.text, "stroke-dasharray": "3 4", "stroke-width": 1.4 });
    this.area = element(this.svg, "path", { fill: colors.attacker, "fill-opacity": 0.14, stroke: colors.attacker, "stroke-width": 2.4 });
    element(this.svg, "line", { x1: this.x(0), x2: this.x(1), y1: this.y(0), y2: this.y(1), stroke: colors.muted, "stroke-dasharray": "2 4" });
    this.bar = element(this.svg, "line", { stroke: colors.text, "stroke-width": 5, "stroke-linecap": "round" });
    this.high = element(this.svg, "text", { fill: colors.text, "font-weight": 700, "text-anchor": "end" });
    this.low = element(this.svg, "text", { fill: colors.text, "font-weight": 700, "text-anchor": "start" });
  }

  lens(frame) {
    const back = [...frame.most].reverse();
    const last = back.length - 1;
    const returning = back.map((value, place) => `L${this.x(1 - place / last).toFixed(1)} ${this.y(value / frame.full).toFixed(1)}`);
    return `${this.path(frame.least, frame.full)}${returning.join("")}Z`;
  }

  draw(frame, prior) {
    this.area.setAttribute("d", this.lens(frame));
    const [least, most] = frame.after;
    set(this.bar, { x1: this.x(prior), x2: this.x(prior), y1: this.y(least), y2: this.y(most) });
    const left = prior > 0.3;
    set(this.high, { x: this.x(prior) + (left ? -9 : 9), y: Math.max(this.y(most) - 4, 16), "text-anchor": left ? "end" : "start" });
    const right = prior < 0.75;
    set(this.low, { x: this.x(prior) + (right ? 9 : -9), y: Math.min(this.y(least) + 15, this.y(0) - 3), "text-anchor": right ? "start" : "end" });
    this.high.textContent = `at most ${frame.words.most}`;
    this.low.textContent = `at least ${frame.words.least}`;
  }

  pin(pinned) {
    this.ghost.setAttribute("d", pinned ? this.lens(pinned) : "");
  }
}

class TradeOff extends Panel {
  build() {
    const { colors } = this;
    this.frameLines("", "belief may rise to");
    this.wanted = element(this.svg, "rect", { fill: colors.left, "fill-opacity": 0.16, visibility: "hidden" });
    this.curve = element(this.svg, "path", { fill: "none", stroke: colors.text, "stroke-width": 2.4 });
    this.across = element(this.svg, "line", { stroke: colors.muted, "stroke-dasharray": "2 4" });
    this.down = element(this.svg, "line", { stroke: colors.muted, "stroke-dasharray": "2 4" });
    this.ghost = element(this.svg, "circle", { r: 7, fill: "none", stroke: colors.text, "stroke-width": 2, "stroke-dasharray": "3 3", visibility: "hidden" });
    this.point = element(this.svg, "circle", { r: 7, fill: colors.text });
    this.high = element(this.svg, "text", { x: this.x(1), y: this.y(1) + 14, "text-anchor": "end", fill: colors.text, "font-weight": 700 });
    this.handles = ["error", "risk"].map((name) =>
      element(this.svg, "g", { class: "handle", tabindex: 0, role: "slider", "data-axis": name }));
    this.handles.forEach((handle) => element(handle, "circle", { r: 11, fill: colors.background, stroke: colors.text, "stroke-width": 2.5 }));
    element(this.handles[0], "path", { d: "M-6 0l4 -3.5v7zM6 0l-4 -3.5v7z", fill: colors.text });
    element(this.handles[1], "path", { d: "M0 -6l-3.5 4h7zM0 6l-3.5 -4h7z", fill: colors.text });
  }

  curveOf(source) {
    const { header, arrays } = source;
    this.xTitle.textContent = header.tradeOff.title;
    this.xTicks(header.tradeOff.error);
    this.yTicks(header.tradeOff.risk, 15);
    let drawn = "";
    arrays.error.forEach((across, place) => {
      drawn += `${place ? "L" : "M"}${this.x(across).toFixed(1)} ${this.y(arrays.risk[place]).toFixed(1)}`;
    });
    this.curve.setAttribute("d", drawn);
  }

  shade(wanted) {
    if (!wanted) return set(this.wanted, { visibility: "hidden" });
    return set(this.wanted, {
      x: this.x(0), width: this.x(wanted.error) - this.x(0), y: this.y(wanted.risk),
      height: this.y(0) - this.y(wanted.risk), visibility: "visible",
    });
  }

  draw(frame) {
    const [x, y] = [this.x(frame.error), this.y(frame.risk)];
    set(this.point, { cx: x, cy: y });
    set(this.across, { x1: this.x(0), x2: x, y1: y, y2: y });
    set(this.down, { x1: x, x2: x, y1: y, y2: this.y(0) });
    set(this.handles[0], { transform: `translate(${x} ${this.y(0)})` });
    set(this.handles[1], { transform: `translate(${this.x(0)} ${y})` });
    this.high.textContent = frame.words.both;
  }

  pin(pinned) {
    if (!pinned) return set(this.ghost, { visibility: "hidden" });
    return set(this.ghost, { cx: this.x(pinned.error), cy: this.y(pinned.risk), visibility: "visible" });
  }
}
