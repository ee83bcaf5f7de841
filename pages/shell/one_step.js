// Streamlit makes a step of the browser's history of each change of the address: Back would stay on the page it is on.

function oneStepAPage() {
  const { history, location } = window;
  if (Object.hasOwn(history, "pushState")) return;
  history.pushState = (state, title, address) => {
    const stays = new URL(address ?? "", location.href).pathname === location.pathname;
    History.prototype[stays ? "replaceState" : "pushState"].call(history, state, title, address);
  };
}
