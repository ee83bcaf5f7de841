// On a phone the button to the next step is far below its beginning.

export default function () {
  document.querySelector('[data-testid="stMain"]').scrollTo(0, 0);
}
