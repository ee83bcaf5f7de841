// Another site's small window may close under the first half of a double click, so that the second half falls on what
// lies below it. A button that charges hears nothing until its window has had the focus for as long as it takes to read.

const TO_READ = 1200;
let reading;

function readBeforePressed() {
  window.addEventListener("focus", beginToRead);
  window.addEventListener("keydown", pressNothingUnread, true);
}

function beginToRead() {
  const words = document.documentElement.classList;
  words.add("to-read");
  clearTimeout(reading);
  reading = setTimeout(() => words.remove("to-read"), TO_READ);
}

function pressNothingUnread(event) {
  const presses = event.key === "Enter" || event.key === " ";
  if (!presses || !event.target.closest("button") || !document.documentElement.classList.contains("to-read")) return;
  event.preventDefault();
  event.stopPropagation();
}
