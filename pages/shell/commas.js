// A browser leaves a comma out of a number box without a word: 1,40 would be 140. Here it is the decimal point, as on the
// dial, unless another sign shows that it stands between thousands, and a sentence says how it was read.

const DECIMAL = "A comma is a decimal point here: 1,40 is 1.40. Write a thousand as 1000.";
const THOUSANDS = "Signs between thousands are left out: check the number above.";
const WHOLE = "Whole numbers only: a comma is left out. Check the number above.";
const UNREAD = "Only digits and one point are read: check the number above.";
const POINT = "A point is a decimal point here: ";
const LIKE_THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;
const COMMAS = /[,\u060c\u066b]/g;
const READ = /^[\d.,eE+\-\s]*$/;
const typedSigns = new WeakMap();

function isNumberBox(target) {
  return target instanceof HTMLInputElement && target.type === "number";
}

function sayHowRead(box, sentence) {
  const place = box.closest('[data-testid="stNumberInput"]') ?? box.parentNode;
  place.querySelector(".comma-read")?.remove();
  if (!sentence) return;
  const line = document.createElement("div");
  line.className = "comma-read";
  line.setAttribute("role", "alert");
  line.textContent = sentence;
  place.append(line);
}

// Of signs in their order, the last one is the decimal point where it is the only one of its kind.
function endsInDecimal(signs) {
  return !signs.slice(0, -1).includes(signs.at(-1));
}

function withPoint(text, signs) {
  const last = text.lastIndexOf(signs.at(-1));
  const whole = (piece) => piece.replace(/[.,]/g, "");
  return `${whole(text.slice(0, last))}${endsInDecimal(signs) ? "." : ""}${whole(text.slice(last))}`;
}

// What is typed in place of a selection leaves of what stood there no sign.
function forgetReplaced(box, kind) {
  if (kind?.startsWith("delete") || String(document.getSelection()).includes(".")) typedSigns.delete(box);
}

function readCommas(event) {
  const box = event.target;
  if (!isNumberBox(box)) return;
  forgetReplaced(box, event.inputType);
  const text = (event.data ?? event.dataTransfer?.getData("text/plain") ?? "").replace(COMMAS, ",");
  const pieces = text.match(/[.,]/g)?.join("") ?? "";
  const before = text.length > 1 ? "" : (typedSigns.get(box) ?? "");
  const signs = before + pieces;
  if (!READ.test(text)) sayHowRead(box, UNREAD);
  if (!pieces) return;
  typedSigns.set(box, signs);
  if (!signs.includes(",")) return;
  if (Number.isInteger(Number(box.step))) {
    sayHowRead(box, WHOLE);
    return;
  }
  event.preventDefault();
  if (/e/i.test(box.value)) {
    sayHowRead(box, UNREAD);
    return;
  }
  const typed = before ? box.value + text : text;
  if (before) box.select();
  document.execCommand("insertText", false, withPoint(typed, signs));
  sayHowRead(box, signs.length > 1 ? THOUSANDS : DECIMAL);
}

// What stands between thousands elsewhere, and nothing here shows it: said, and left as it is.
function readPoint(event) {
  const box = event.target;
  if (!isNumberBox(box)) return;
  const said = box.closest('[data-testid="stNumberInput"]')?.querySelector(".comma-read")?.textContent ?? "";
  const read = `${POINT}${box.value} is ${Number(box.value)}. Write a thousand as 1000.`;
  if (LIKE_THOUSANDS.test(box.value) && !said) sayHowRead(box, read);
  else if (said.startsWith(POINT)) sayHowRead(box, "");
}

function entered(event) {
  if (!isNumberBox(event.target)) return;
  typedSigns.delete(event.target);
  sayHowRead(event.target, "");
}

function commasArePoints() {
  if (window.commasArePoints) return;
  window.commasArePoints = true;
  document.addEventListener("beforeinput", readCommas, true);
  document.addEventListener("input", readPoint, true);
  document.addEventListener("focusin", entered);
}
