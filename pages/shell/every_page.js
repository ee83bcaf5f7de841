// What every page does in the browser, whichever it is.

export default function () {
  oneStepAPage();
  commasArePoints();
  aRemoteGoesOn();
  readBeforePressed();
  saysWhenItIsNotConnected();
}
