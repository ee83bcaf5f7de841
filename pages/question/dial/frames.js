// What the engine computed, read back frame by frame. Nothing is calculated here but places in memory.

const KINDS = { u1: Uint8Array, u2: Uint16Array, f4: Float32Array };
const FULL = 65535;

function unpacked(bytes) {
  const whole = bytes.slice().buffer;
  const length = new DataView(whole).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)));
  const arrays = {};
  for (const [name, [kind, offset, count]] of Object.entries(header.arrays)) {
    arrays[name] = new KINDS[kind](whole, header.start + offset, count);
  }
  return { header, arrays };
}

function frameAt({ header, arrays }, index) {
  const row = (name) => {
    const width = header.widths[name];
    return arrays[name].subarray(index * width, (index + 1) * width);
  };
  const words = {};
  for (const name of Object.keys(header.words)) words[name] = header.words[name][index];
  return {
    place: header.places[index],
    label: header.labels[index],
    axis: header.axes[arrays.axis[index]],
    top: arrays.top[index],
    heights: row("heights"),
    full: FULL,
    dots: row("dots"),
    band: row("band"),
    shift: arrays.shift[index],
    least: row("least"),
    most: row("most"),
    after: row("after"),
    error: arrays.error[index],
    risk: arrays.risk[index],
    price: arrays.price[index],
    words,
  };
}

function nearestFrame(places, wanted) {
  let best = 0;
  for (let index = 1; index < places.length; index += 1) {
    if (Math.abs(places[index] - wanted) < Math.abs(places[best] - wanted)) best = index;
  }
  return best;
}
