// Where the presenter's bar stands, arrows and the Page Down and Page Up of a remote press its buttons.

const WAYS = { ArrowRight: "tour_next", PageDown: "tour_next", ArrowLeft: "tour_back", PageUp: "tour_back" };
const MOVED_BY_KEYS =
  'input, textarea, select, canvas, [contenteditable="true"], [data-testid="stButtonGroup"] *, [role="slider"], ' +
  '[role="spinbutton"], [role="combobox"], [role="listbox"], [role="option"], [role="radio"], [role="tab"], ' +
  '[role="menuitem"], [role="grid"], [role="gridcell"]';

function aRemoteGoesOn() {
  document.addEventListener("keydown", goOn);
  document.documentElement.dataset.remote = "heard";
}

function goOn(event) {
  const button = document.querySelector(`.st-key-tour_bar:has(.on-show) .st-key-${WAYS[event.key]} button`);
  const together = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  if (!button || together || event.repeat || event.defaultPrevented || focused().matches(MOVED_BY_KEYS)) return;
  event.preventDefault();
  button.click();
}

// What has the focus, inside whatever stands around it.
function focused() {
  let element = document.activeElement ?? document.body;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
